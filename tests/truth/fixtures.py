"""Events published by others, from $AFTERIMAGE_SHARED/fixtures, as streams of one table each.

The files hold values without Kafka's coordinates: a line's number is its offset. The name of a
fixture is its topic and its table. The expected result is in the EXPECTED.md next to the files and,
by hand, in test_fixtures.py.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.oracle.records import Record, record_from
from tests.oracle.spec import Spec, Table, build_spec
from tests.truth.captures import HERE, shared_folder

PRODUCT = {"id": "int", "name": "varchar(255)", "description": "varchar(512)"}
CUSTOMER = {
    "id": "int",
    "first_name": "varchar(255)",
    "last_name": "varchar(255)",
    "email": "varchar(255)",
}
# A fragment of the documentation: a change within a transaction.
FRAGMENT = {"pk": "varchar(9)", "aa": "varchar(9)"}
# names in capitals, as Oracle and Db2 have them
CUSTOMER_DB2 = {name.upper(): type_ for name, type_ in CUSTOMER.items()}
CUSTOMER_ORACLE = {
    name: type_.replace("varchar", "varchar2") for name, type_ in CUSTOMER_DB2.items()
}
CUSTOMER_ORACLE["ID"] = "number(9)"
FRAGMENT_ORACLE_TYPES = dict.fromkeys(FRAGMENT, "varchar2(9)")
LSN = "00000025:00000d08:0025"

# Lines of debezium/docs_events.jsonl, counted from 1.
DOCS_POSTGRESQL = (23, 24, 25, 26, 27, 28, 45, 46, 48, 49)
DOCS_MYSQL = (51, 52, 53, 54)  # one text for MySQL and MariaDB
TUTORIAL_MYSQL = (55, 56, 57)
DOCS_SQLSERVER, DOCS_ORACLE, DOCS_DB2 = (31, 32), (18, 19, 20, 21), (8, 9)
FRAGMENT_POSTGRESQL, FRAGMENT_MYSQL, FRAGMENT_SQLSERVER = 22, 50, 33
FRAGMENT_ORACLE, FRAGMENT_DB2 = 17, 7

# The first comes before those that carry the same change again: it has an unknown property.
SERDE = ("unknown-property", "update", "with-schema", "without-schema", "unwrapped")


@dataclass(frozen=True)
class Fixture:
    """A stream of one table. `layers`: the models to build."""

    name: str
    spec: Spec
    records: list[Record]
    layers: tuple[str, ...]

    @property
    def table(self) -> Table:
        return self.spec.tables[self.name]


def folder() -> Path:
    return shared_folder("fixtures")


def fixture(name: str, values, columns: dict, connector: str, keys=None, **facts) -> Fixture:
    """`values`: JSON texts or objects in log order; `keys`: their record keys.
    `facts`: settings, layers, and any property of a spec's table."""
    layers = facts.pop("layers", ("stg", "hist", "cur"))
    settings = facts.pop("settings", {})
    table = {"topic": name, "key": [next(iter(columns))], "columns": columns, **facts}
    records = [
        record_from(
            {"topic": name, "offset": offset, "value": value, "key": keys[offset] if keys else None}
        )
        for offset, value in enumerate(values)
    ]
    spec = build_spec({"connector": connector, "settings": settings, "tables": {name: table}})
    return Fixture(name, spec, records, layers)


def fixtures() -> dict[str, Fixture]:
    """All of them, by name."""
    return {f.name: f for f in (*_flink(), *_full_types(), *_docs())}


# --- Apache Flink: sixteen changes of a table of products --------------------------------------


def _flink() -> list[Fixture]:
    postgres = _lines("flink/debezium-postgres-data-schema-exclude.txt")
    no_before = _lines("flink/debezium-postgres-data-replica-identity.txt")
    keys = [_product_key(text) for text in postgres]
    in_postgres = {"columns": PRODUCT | {"weight": "double precision"}, "connector": "postgresql"}
    return [
        fixture("flink_postgres", postgres, replica_identity="full", **in_postgres),
        fixture(
            "flink_mysql",
            _lines("flink/debezium-data-schema-exclude.txt"),
            PRODUCT | {"weight": "float"},
            "mysql",
        ),
        fixture("no_before", no_before, **in_postgres),
        # the same changes in the same order, so the keys are those of the other file's images
        fixture("no_before_keyed", no_before, keys=keys, **in_postgres),
    ]


def _product_key(text: str) -> dict:
    event = json.loads(text)
    return {"id": (event["after"] or event["before"])["id"]}


# --- Apache Flink CDC: a row of all types ------------------------------------------------------


def full_types() -> dict[str, str]:
    """column → the row's value as the server prints it."""
    return {column: value for column, (_, value) in _declared_types()["columns"].items()}


def _declared_types() -> dict:
    return yaml.safe_load((HERE / "full_types.yml").read_text(encoding="utf-8"))


def _full_types() -> list[Fixture]:
    declared = _declared_types()
    columns = {column: kind for column, (kind, _) in declared["columns"].items()}
    with_schema = _snapshot_and_update("flink-cdc/debezium-data-schema-include.json")
    bare = _snapshot_and_update("flink-cdc/debezium-data-schema-exclude.json")
    numbers = _snapshot_and_update(
        "flink-cdc/debezium-data-schema-exclude-with-numeric-decimal.json"
    )
    few = {column: columns[column] for column in ("id", "timestamp_c")}
    facts = {"connector": "mysql", "settings": declared["settings"]}
    log_alone = facts | {"layers": ("stg",)}
    as_numbers = {"settings": declared["settings"] | {"decimal_format": "NUMERIC"}}
    return [
        fixture("full_types", with_schema, columns, **facts),
        fixture("full_types_placed", placed(bare), columns, **log_alone),
        fixture("full_types_numbers", placed(numbers), columns, **log_alone),
        fixture("full_types_numeric", placed(numbers), columns, **log_alone | as_numbers),
        # the contract's converter is not the stream's
        fixture("full_types_base64", placed(bare), columns, **log_alone | as_numbers),
        # not from the files: a number whose digits are also base64
        fixture(
            "digits_for_base64",
            placed([{"op": "c", "after": {"id": 1, "n": 1234}}]),
            {"id": "int", "n": "decimal(10,0)"},
            **log_alone,
        ),
        # a contract that declares two of the columns: the others must not be lost
        fixture("full_types_undeclared", with_schema, few, **log_alone),
        fixture("full_types_bare", bare + numbers, few, **log_alone),
    ]


def placed(events: list[dict]) -> list[dict]:
    """The events with a source block, which the files without schema lack: these positions in the
    log are the test's own, so that the rows can be read at all."""
    return [
        event | {"source": {"file": "mysql-bin.000003", "pos": place, "row": 0, "ts_ms": place}}
        for place, event in enumerate(events, 1)
    ]


def _snapshot_and_update(path: str) -> list[dict]:
    document = json.loads((folder() / path).read_text(encoding="utf-8"))
    return [document["expected_snapshot"], document["expected_binlog"]]


# --- Debezium: examples of the documentation, each by itself ----------------------------------


def _docs() -> list[Fixture]:
    lines = [json.loads(line)["event"] for line in _lines("debezium/docs_events.jsonl")]

    def chosen(numbers) -> list[dict]:
        return [lines[number - 1] for number in numbers]

    log_alone = {"layers": ("stg",)}
    serde = [(folder() / f"debezium/serde-{name}.json").read_text() for name in SERDE]
    zoned = CUSTOMER | {"created_at": "text"}  # distinguishes two of the examples
    fragment = lines[FRAGMENT_POSTGRESQL - 1]
    fragment_mysql = lines[FRAGMENT_MYSQL - 1]
    # the documentation omits the content of `source`: once as it is, once with a position of ours
    at_lsn = fragment | {"source": {"lsn": 53195832, "txId": 571}}
    at_file = fragment_mysql | {"source": {"file": "binlog.000001", "pos": 10}}
    return [
        fixture("docs_sqlserver", chosen(DOCS_SQLSERVER), CUSTOMER, "sqlserver", **log_alone),
        fixture("docs_oracle", chosen(DOCS_ORACLE), CUSTOMER_ORACLE, "oracle", **log_alone),
        fixture("docs_db2", chosen(DOCS_DB2), CUSTOMER_DB2, "db2", **log_alone),
        *(
            fixture(
                f"fragment_{system}", [line, line | {"source": place}], columns, system, **log_alone
            )
            for system, line, columns, place in (
                ("sqlserver", lines[FRAGMENT_SQLSERVER - 1], FRAGMENT, {"commit_lsn": LSN}),
                ("oracle", lines[FRAGMENT_ORACLE - 1], FRAGMENT_ORACLE_TYPES, {"scn": 2122185}),
                ("db2", lines[FRAGMENT_DB2 - 1], FRAGMENT, {"commit_lsn": LSN}),
            )
        ),
        fixture("docs_postgresql", chosen(DOCS_POSTGRESQL), zoned, "postgresql", **log_alone),
        fixture("docs_mysql", chosen(DOCS_MYSQL + TUTORIAL_MYSQL), CUSTOMER, "mysql", **log_alone),
        fixture("docs_mariadb", chosen(DOCS_MYSQL), CUSTOMER, "mariadb", **log_alone),
        fixture("fragment_postgresql", [fragment, at_lsn], FRAGMENT, "postgresql", **log_alone),
        fixture("fragment_mysql", [fragment_mysql, at_file], FRAGMENT, "mysql", **log_alone),
        fixture("serde", serde, CUSTOMER, "mysql", **log_alone),
    ]


def _lines(path: str) -> list[str]:
    text = (folder() / path).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line]
