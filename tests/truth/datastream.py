"""The files of Google Datastream in $AFTERIMAGE_SHARED/fixtures, as tables: each table's files, its
columns, and the rows that must remain by the EXPECTED.md next to the files."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from tests.truth.captures import shared_folder

ORACLE_FILE = "avro_file_ut.avro"


def folder() -> Path:
    return shared_folder("fixtures") / "google-datastream"


@dataclass(frozen=True)
class DatastreamFixture:
    """`files` in the order they were written; `topics` are the objects; `rows` are those that
    remain."""

    name: str
    files: tuple[str, ...]
    topics: tuple[str, ...]
    columns: dict[str, str]
    key: tuple[str, ...]
    rows: list[tuple]
    connector: str = "datastream_mysql"
    contract: dict = field(default_factory=dict)

    @property
    def paths(self) -> list[Path]:
        return [folder() / file for file in self.files]

    @property
    def system(self) -> str:
        return self.connector.removeprefix("datastream_")


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


ALL_TYPES = {
    "varchar_column": "varchar(20)",
    "tinyint_column": "tinyint",
    "text_column": "text",
    "date_column": "date",
    "smallint_column": "smallint",
    "mediumint_column": "mediumint",
    "int_column": "int",
    "bigint_column": "bigint",
    "float_column": "float",
    "double_column": "double",
    "decimal_column": "decimal(10,2)",
    "datetime_column": "datetime",
    "timestamp_column": "timestamp",
    "time_column": "time",
    "year_column": "year",
    "char_column": "char(20)",
    "tinyblob_column": "tinyblob",
    "tinytext_column": "tinytext",
    "blob_column": "blob",
    "mediumblob_column": "mediumblob",
    "mediumtext_column": "mediumtext",
    "longblob_column": "longblob",
    "longtext_column": "longtext",
    "enum_column": "enum",
    "bool_column": "boolean",
    "other_bool_column": "boolean",
    "binary_column": "binary(20)",
    "varbinary_column": "varbinary(20)",
    "bit_column": "bit(7)",
}
ALL_TYPES_2 = {name: kind for name, kind in ALL_TYPES.items() if name != "other_bool_column"}
# For AllDatatypeTransformation, EXPECTED.md names the columns that changed.
SPARSE = {"varchar_column": "varchar(20)", "tinyint_column": "tinyint", "text_column": "text"}

VALUE_1 = (
    "value1", 15, "text_data_1\n", date(2024, 2, 8), 50, 1000, 50000, 987654321, 45.67, 123.789,
    Decimal("456.12"), moment("2024-02-08T08:15:30"), moment("2024-02-08T08:15:30Z"), "08:15:30",
    2022, "char1\n", b"tinyblob_data_1", "tinytext_data_1\n", b"blob_data_1", b"mediumblob_data_1",
    "mediumtext_data_1", b"longblob_data_1", "longtext_data_1", "2", False, True,
    b"binary_1".ljust(20, b"\0"), b"varbinary_data_1", "1100110",
)  # fmt: skip
VALUE_1_OF_2 = (
    "value1", 15, "text1", date(2024, 2, 8), 50, 1000, 50000, 987654321, 45.67, 123.789,
    Decimal("456.12"), moment("2024-02-08T08:15:30"), moment("2024-02-08T08:15:30Z"), "08:15:30",
    2022, "char_1", b"tinyblob_data_1", "tinytext_data_1", b"blob_data_1", b"mediumblob_data_1",
    "mediumtext_data_1", b"longblob_data_1", "longtext_data_1", "2", False,
    b"binary_data_1".ljust(20, b"\0"), b"varbinary_data_1", "1100110",
)  # fmt: skip

EVENTS, DDL, MIXED, SESSION = (
    f"DataStreamToSpanner{name}IT__" for name in ("Events", "DDL", "Mixed", "Session")
)
SHARDED = "DataStreamToSpannerShardedMigrationWithMigrationShardIdColumnIT__Customers-shard"
NAMED = {"id": "int", "first_name": "varchar(20)", "last_name": "varchar(20)"}
AUTHOR = {"author_id": "int", "name": "varchar(200)"}
BOOK = {"id": "int", "title": "varchar(200)", "author_id": "int"}


def parts(table: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{DDL}mysql-{name}-{table}.avro" for name in names)


def fixtures() -> list[DatastreamFixture]:
    return [
        DatastreamFixture(
            "events_users",
            (f"{EVENTS}mysql-backfill-Users.avro", f"{EVENTS}mysql-cdc-Users.avro"),
            ("l1_Users",),
            {"id": "int", "name": "varchar(200)", "age": "bigint", "subscribed": "boolean",
             "plan": "char(1)", "startDate": "date"},
            ("id",),
            [
                (1, "Tester Kumar", 30, False, "A", date(2023, 1, 1)),
                (3, "Tester Gupta", 50, False, "Z", date(2023, 6, 7)),
                (4, "Tester", 38, True, "D", date(2023, 9, 10)),
            ],
        ),
        DatastreamFixture(
            "events_movie",
            (f"{EVENTS}mysql-backfill-Movie.avro",),
            ("l1_Movie",),
            {"id": "int", "name": "varchar(200)", "actor": "decimal(65,30)",
             "startTime": "timestamp"},
            ("id",),
            [
                (1, "movie1", "12345.098760000000000000000000000000",
                 moment("2023-01-01T12:12:12Z")),
                (2, "movie2", "931.512300000000000000000000000000",
                 moment("2023-11-25T17:10:12Z")),
            ],
        ),
        DatastreamFixture(
            "events_authors",
            (f"{EVENTS}mysql-Authors.avro",),
            ("l1_Authors",),
            AUTHOR,
            ("author_id",),
            [(number, f"a{number}") for number in range(1, 5)],
        ),
        DatastreamFixture(
            "events_books",
            (f"{EVENTS}mysql-Books.avro",),
            ("l1_Books",),
            BOOK,
            ("id",),
            [(1, "Book005", 3), (2, "Book002", 3), (3, "Book004", 4), (4, "Book005", 2)],
        ),
        DatastreamFixture(
            "events_articles",
            (f"{EVENTS}mysql-Articles.avro",),
            ("l1_Articles",),
            {"id": "int", "name": "varchar(200)", "published_date": "date", "author_id": "int"},
            ("id",),
            [
                (1, "Article001", date(2024, 1, 1), 1),
                (2, "Article002", date(2024, 1, 1), 1),
                (3, "Article004", date(2024, 1, 1), 4),
                (4, "Article005", date(2024, 1, 1), 3),
            ],
        ),
        DatastreamFixture(
            "session_category",
            (f"{SESSION}mysql-backfill-Category.avro", f"{SESSION}mysql-cdc-Category.avro"),
            ("l1_Category",),
            {"category_id": "int", "name": "varchar(25)", "last_update": "timestamp"},
            ("category_id",),
            [
                (2, "abc1", moment("2024-02-06T12:19:47Z")),
                (3, "def", moment("2024-02-07T08:10:35Z")),
                (4, "ghi", moment("2024-02-07T08:12:32Z")),
            ],
        ),
        DatastreamFixture(
            "session_books",
            (f"{SESSION}Books.avro",),
            ("l1_Books",),
            BOOK,
            ("id",),  # primary_keys is empty: the contract's key
            [
                (1, "The Lord of the Rings", 1),
                (2, "Pride and Prejudice", 2),
                (3, "The Hitchhikers Guide to the Galaxy", 3),
            ],
        ),
        DatastreamFixture(
            "ddl_columns",
            parts("AllDatatypeColumns", "backfill", "cdc1", "cdc2"),
            ("l1_AllDatatypeColumns",),
            ALL_TYPES,
            ("varchar_column",),
            [VALUE_1],
        ),
        DatastreamFixture(
            "ddl_columns2",
            parts("AllDatatypeColumns2", "backfill", "cdc"),
            ("l1_AllDatatypeColumns2",),
            ALL_TYPES_2,
            ("varchar_column",),
            [VALUE_1_OF_2],
        ),
        DatastreamFixture(
            "ddl_transformation",
            parts("AllDatatypeTransformation", "backfill", "cdc"),
            ("it_test_AllDatatypeTransformation",),
            SPARSE,
            ("varchar_column",),
            [
                ("example1", 10, "Some text 1"),
                ("example2", 25, "Updated text 2"),
                ("example3", 35, "Updated text 3"),
            ],
        ),
        DatastreamFixture(
            "ddl_users",
            (f"{DDL}Users.avro",),
            ("l1_Users",),
            {"user_id": "int", "first_name": "varchar(50)", "last_name": "varchar(50)",
             "age": "int"},
            ("user_id",),
            [(1, "Lorem", "Epsum", 20), (2, "Jane", "Doe", 21), (9, "James", "Dove", 22)],
        ),
        DatastreamFixture(
            "mixed_authors",
            (f"{MIXED}Authors_1.avro", f"{MIXED}Authors_2.avro"),
            ("e2e-it_Authors",),
            AUTHOR | {"last_update": "timestamp"},
            ("author_id",),
            [
                (1, "Jane Austen", None),
                (2, "Charles Dickens", None),
                (3, "Leo Tolstoy", None),
                (4, "Stephen King", None),
            ],
        ),
        DatastreamFixture(
            "mixed_books",  # three rows of one statement, at one position in the log
            (f"{MIXED}Books.avro",),
            ("e2e-it_Books",),
            BOOK,
            ("id",),
            [(1, "Pride and Prejudice", 1), (2, "Oliver Twist", 2), (3, "War and Peace", 3)],
        ),
        DatastreamFixture(
            "mixed_genre",
            (f"{MIXED}Genre.avro",),
            ("e2e-it_Genre",),
            {"genre_id": "int", "name": "varchar(200)"},
            ("genre_id",),
            [(1, "Romance"), (2, "Historical Fiction"), (3, "Horror")],
        ),
        DatastreamFixture(
            "sharded_customers",
            (f"{SHARDED}1.avro", f"{SHARDED}2.avro"),
            ("S1L1_Customers", "S1L2_Customers"),
            NAMED,
            ("id",),
            [(1, "first1", "last1"), (2, "first2", "last2")] * 2,
            contract={"key_within": "physical_table", "truncate_empties": "partition"},
        ),
        DatastreamFixture(
            "oracle_locations",
            (ORACLE_FILE,),
            ("HR_LOCATIONS",),
            {"LOCATION_ID": "number(4)", "STREET_ADDRESS": "varchar2(40)",
             "POSTAL_CODE": "varchar2(12)", "CITY": "varchar2(30)",
             "STATE_PROVINCE": "varchar2(25)", "COUNTRY_ID": "char(2)",
             "timestamp_with_tz": "timestamp with time zone",
             "update_timestamp_micros": "number(19)"},
            ("LOCATION_ID",),
            [],  # 23 rows, of which EXPECTED.md shows the first
            connector="datastream_oracle",
        ),
    ]  # fmt: skip


FIRST_LOCATION = (
    Decimal(1000), "1297 Via Cola di Rie", "00989", "Roma", None, "IT",
    moment("2022-10-13T14:30:00.000056Z"), Decimal(1705320821122571751),
)  # fmt: skip
