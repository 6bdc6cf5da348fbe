"""Events of Google Datastream, written by hand from its documentation, and the result of each.

They include the event stream of a row that "Events and streams" shows, made valid JSON. All events
are in one landing table and go through two runs; the expected rows come from the documentation, not
from the models' output.
"""

from functools import partial
from itertools import count

import pytest

from tests.coverage import streams
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed, Project

pytestmark = pytest.mark.xdist_group("datastream_events")

DAY = 1706774400000  # 2024-02-01T08:00:00Z
EPOCH = DAY + 3_600_000
COLUMNS = {"id": "int", "note": "varchar(9)"}
BACKFILL = "mysql-backfill-fulldump"
NOT_SAID = object()

_numbers = count()


def event(
    topic: str, payload, change: str | None = "INSERT", method: str = "mysql-cdc-binlog",
    sort_keys=NOT_SAID, read: int | str = DAY, landed: int = DAY, uuid: str | None = None,
    source_timestamp="2024-02-01T08:00:00", named: bool = True, **metadata,
) -> dict:  # fmt: skip
    """A landed record. `metadata` is that of the source; `change` is its change_type."""
    number = next(_numbers)
    value = {
        "stream_name": "projects/acme/locations/eu/streams/depot",
        "read_method": method,
        "object": topic,
        "uuid": uuid or f"0b1d6b1e-7a2f-4c55-9a0e-{number:012}",
        "read_timestamp": read,
        "source_timestamp": source_timestamp,
        "source_metadata": {"database": "depot", "table": topic, "change_type": change} | metadata,
        "payload": payload,
    }
    if not named:
        del value["uuid"]
    if sort_keys is not NOT_SAID:
        value["sort_keys"] = sort_keys
    return raw(topic, value, landed, number)


def raw(topic: str, value, landed: int = DAY, number: int | None = None) -> dict:
    offset = next(_numbers) if number is None else number
    return {"topic": topic, "partition": 0, "offset": offset, "timestamp": landed, "value": value}


def row(number, note) -> dict:
    return {"id": number, "note": note}


def in_log(number, note, position, change="INSERT", topic="pallets", file="bin.000012", **more):
    """A change at a position in MySQL's log, which is in the event twice, as Datastream writes
    it."""
    metadata = {
        "log_file": file,
        "log_position": position,
        "primary_keys": ["id"],
        "is_deleted": change.endswith("DELETE"),
        "sort_keys": [DAY, file, position],
    }
    return event(topic, row(number, note), change, **metadata | more)


def backfilled(number, note, topic="pallets", **more):
    metadata = {"log_file": "", "log_position": 0, "is_deleted": False, "primary_keys": ["id"]}
    return event(topic, row(number, note), "INSERT", BACKFILL, **metadata | more)


# --- MySQL -------------------------------------------------------------------------------------

TWICE = in_log(15, "twice", 230, uuid="delivered-twice")
PALLETS = [
    [
        # the stream lands before the backfill of the same rows
        in_log(1, "new", 100, "UPDATE-INSERT"),
        in_log(2, "gone", 110, "DELETE"),
        # a before/after pair, either of which may come first
        backfilled(3, "a", sort_keys=[DAY, "", 0]),
        in_log(3, "a", 120, "UPDATE-DELETE"),
        backfilled(13, "a", sort_keys=[DAY, 0, 0]),
        in_log(13, "b", 125, "UPDATE-INSERT"),
        in_log(4, "m", 130),
        in_log(6, "p", 150),
        # its after image names no row that was deleted
        in_log(16, "was", 235),
        in_log(16, "was", 240, "UPDATE-DELETE", is_deleted=False),
        in_log(16, "is", 240, "UPDATE-INSERT"),
        in_log(7, "high", 4, "UPDATE-INSERT", file="bin.1000000"),
        event(
            "pallets", row(8, "keys"), "UPDATE-INSERT", sort_keys=[DAY, "bin.000012", 190],
            is_deleted=False,
        ),
        in_log(10, "x", 200),
        backfilled(14, "later", read=DAY + 2000),
        TWICE,
    ],
    [
        backfilled(1, "old", source_timestamp="1970-01-01T00:00:00"),
        backfilled(2, "gone", log_file=None, log_position=None),
        in_log(3, "b", 120, "UPDATE-INSERT"),
        in_log(13, "a", 125, "UPDATE-DELETE"),
        in_log(4, "m", 140, "UPDATE-DELETE"),
        in_log(5, "m", 140, "UPDATE-INSERT"),
        in_log(6, "q", 160, "UPDATE"),
        in_log(7, "low", 50, file="bin.999999"),
        event(
            "pallets", row(8, "place"), log_file="bin.000012", log_position=180, is_deleted=False,
            read="2024-02-01T08:00:05.120Z",
        ),
        in_log(10, "y", 210, "UPDATE-INSERT"),
        backfilled(10, "y"),  # read after its insert, which is in the stream
        backfilled(14, "first", read=DAY + 1000),
        TWICE | {"offset": next(_numbers)},
        # the first event of a key-change pair, without a second
        in_log(17, "lone", 245),
        in_log(17, "lone", 250, "UPDATE-DELETE"),
    ],
]  # fmt: skip
PALLETS_HELD = [
    (1, "old", "0:0", "12:100", "update"),
    (1, "new", "12:100", None, None),
    (2, "gone", "0:0", "12:110", "delete"),
    (3, "a", "0:0", "12:120", "update"),
    (3, "b", "12:120", None, None),
    (13, "a", "0:0", "12:125", "update"),
    (13, "b", "12:125", None, None),
    (4, "m", "12:130", "12:140", "key change"),
    (5, "m", "12:140", None, None),
    (6, "p", "12:150", "12:160", "update"),
    (6, "q", "12:160", None, None),
    (16, "was", "12:235", "12:240", "update"),
    (16, "is", "12:240", None, None),
    (7, "low", "999999:50", "1000000:4", "update"),
    (7, "high", "1000000:4", None, None),
    (8, "place", "12:180", "12:190", "update"),
    (8, "keys", "12:190", None, None),
    (10, "x", "12:200", "12:210", "update"),
    (10, "y", "12:210", None, None),
    (14, "first", "0:0", "0:0", "update"),
    (14, "later", "0:0", None, None),
    (15, "twice", "12:230", None, None),
    (17, "lone", "12:245", "12:250", "key change"),
]

# Refused events → reason, and words of the detail.
REFUSED = [
    (
        raw("pallets", '{"stream_name":"projects/acme","read_me'),
        "broken_json",
        "ends without }, 39 bytes",
    ),
    (raw("pallets", '[{"read_method":"mysql-cdc-binlog"}]'), "broken_json", "begins without {"),
    (
        raw("pallets", {"op": "c", "before": None, "after": row(90, "dbz"), "source": {"pos": 1}}),
        "wrong_envelope",
        "no source_metadata",
    ),
    (event("pallets", row(90, "nowhere")), "missing_position", "{}"),
    (in_log(90, "x", 900, file="changelog"), "missing_position", "changelog"),
    (
        in_log(90, "x", 900, sort_keys=[DAY, "bin.000012", 901]),
        "wrong_envelope",
        "contradict the coordinates",
    ),
    (
        in_log(90, "x", 900, method="oracle-cdc-logminer"),
        "wrong_envelope",
        "of another system than connector datastream_mysql",
    ),
    (in_log(90, "x", 900, method="mysql-guess"), "wrong_envelope", "neither a backfill nor a"),
    (in_log(90, "x", 900, "MERGE"), "unknown_op", "change_type MERGE"),
    (
        event("pallets", row(90, "x"), None, log_file="bin.000012", log_position=900),
        "wrong_envelope",
        "no change_type",
    ),
    (in_log(90, "x", 900, is_deleted=True), "wrong_envelope", "is_deleted true contradicts"),
    (in_log(90, "x", 900, "DELETE", is_deleted=False), "wrong_envelope", "contradicts"),
    (in_log(90, "x", 900, is_deleted="perhaps"), "wrong_envelope", "is_deleted: perhaps"),
    (backfilled(90, "x", is_deleted=True), "wrong_envelope", "contradicts the backfill"),
    (in_log(90, "x", 900, primary_keys=["note"]), "wrong_envelope", 'is ["note"], that of'),
    (in_log("seven", "x", 900), "value_does_not_fit", "id"),
    (in_log(None, "x", 900), "missing_key", 'no value: id; fields of the row: ["id"'),
    (
        event("pallets", None, log_file="bin.000012", log_position=900),
        "missing_image",
        None,
    ),
    (
        raw(
            "pallets",
            '{"read_method":"mysql-cdc-binlog","source_metadata":{"change_type":"INSERT",'
            '"log_file":"bin.000012","log_position":900},"payload":{"id":90,"id":91,"note":"x"}}',
        ),
        "duplicate_json_key",
        '"id","id"',
    ),
]

# --- a repeated backfill -----------------------------------------------------------------------

SHELVES = [
    [
        backfilled(1, "a", "shelves"),
        backfilled(2, "b", "shelves"),
        in_log(1, "a2", 100, "UPDATE-INSERT", "shelves"),
    ],
    [
        backfilled(1, "a3", "shelves", landed=EPOCH),
        in_log(1, "a4", 50, "UPDATE-INSERT", "shelves", landed=EPOCH),
    ],
]
OPERATOR_EVENTS = [
    {"kind": "epoch", "landed_from": "2024-02-01 09:00:00"},
    {
        "kind": "snapshot_complete",
        "position": "e0001.0000000000.000000000000",
        "source_ts": "2024-02-01 09:00:00",
    },
]
SHELVES_HELD = [
    (1, "a", "0:0", "12:100", "update"),
    (1, "a2", "12:100", "e1:0:0", "update"),
    (1, "a3", "e1:0:0", "e1:12:50", "update"),
    (1, "a4", "e1:12:50", None, None),
    (2, "b", "0:0", "e1:0:0", "absent from snapshot"),
]

# --- Oracle ------------------------------------------------------------------------------------

SAMPLE = {"schema": "ROOT", "table": "SAMPLE", "database": "DB1", "log_file": ""}


def in_redo(key, field, scn, change="INSERT", rs_id="0x000001.00000001.0010", ssn=0, **more):
    payload = {"THIS_IS_MY_PK": key, "FIELD1": field, "FIELD2": "TLV"}
    place = {"scn": scn, "rs_id": rs_id, "ssn": ssn, "is_deleted": change == "DELETE"}
    more = {"source_timestamp": "2019-11-07T01:00:00"} | more
    method = more.pop("method", "oracle-cdc-logminer")
    return event(more.pop("topic", "SAMPLE.TBL"), payload, change, method, **SAMPLE | place | more)


PK = "1231535353"
SAMPLES = [
    [
        # the documented stream, in reverse: its rs_id alone would put the INSERT last
        in_redo(
            PK, None, 158691504732555, "DELETE", "0x006cf4.00056b26.0011",
            row_id="AAAGYPAATAAPIC5AAC", database="", tx_id=None,
            source_timestamp="2019-11-07T02:19:39",
        ),
        # rolled-back work: its inverse follows
        in_redo("2", "never", 100, tx_id="0A00"),
        in_redo("3", "before", 200),
        in_redo("3", "never", 210, "UPDATE-INSERT", tx_id="0B00"),
        in_redo("5", "ten", 300, "UPDATE-INSERT", ssn=10),
        in_redo("6", "b", 300, "UPDATE-INSERT", "0x000001.0000000a.0010"),
    ],
    [
        in_redo(
            PK, None, 15869150473224, "UPDATE", "0x006cf4.00056b26.0010",
            rowid="AAAGYPAATAAPIC5AAB", database=None, source_timestamp="2019-11-07T02:17:39",
        ),
        in_redo(
            PK, "foo", 15869116216871, "INSERT", "0x0073c9.000a4e4c.01d0", 67,
            row_id="AAAPwRAALAAMzMBABD", source_timestamp="2019-11-07T02:15:39",
        ),
        in_redo("2", "never", 101, "DELETE", method="oracle-supplementation", tx_id="0A00"),
        in_redo("3", "before", 220, "UPDATE-INSERT", method="oracle-supplementation"),
        event(
            "SAMPLE.TBL", {"THIS_IS_MY_PK": "4", "FIELD1": "dump", "FIELD2": "TLV"}, None,
            "oracle_dump", row_id="AAAPwRAALAAMzMBABE", source_timestamp=DAY, **SAMPLE,
        ),
        in_redo("5", "nine", 300, ssn=9),
        in_redo("6", "a", 300, "INSERT", "0x000001.00000009.0010", 5),
    ],
]  # fmt: skip
# without a key: equal rows, distinguished by their row ids
HEAP = [
    [
        in_redo("1", "x", 100, row_id="AAA1", topic="HEAP.TBL", primary_keys=[]),
        in_redo("1", "x", 100, row_id="AAA2", topic="HEAP.TBL", ssn=1),
        in_redo("1", "x", 101, rowid="AAA3", topic="HEAP.TBL"),
    ],
    [
        in_redo("1", "y", 200, "UPDATE-INSERT", row_id="AAA1", topic="HEAP.TBL"),
        in_redo("1", "x", 210, "DELETE", row_id="AAA2", topic="HEAP.TBL"),
    ],
]
HEAP_HELD = [
    ("AAA1", "x", "100", "200", "update"),
    ("AAA1", "y", "200", None, None),
    ("AAA2", "x", "100", "210", "delete"),
    ("AAA3", "x", "101", None, None),
]
SAMPLES_HELD = [
    (PK, "foo", "15869116216871", "15869150473224", "update"),
    (PK, None, "15869150473224", "158691504732555", "delete"),
    ("2", "never", "100", "101", "delete"),
    ("3", "before", "200", "210", "update"),
    ("3", "never", "210", "220", "update"),
    ("3", "before", "220", None, None),
    ("4", "dump", "0", None, None),
    ("5", "nine", "300", "300", "update"),
    ("5", "ten", "300", None, None),
    ("6", "a", "300", "300", "update"),
    ("6", "b", "300", None, None),
]

# --- sort_keys alone, and the key of a replication index ----------------------------------------


def by_keys(number, note, sort_keys, change="UPDATE-INSERT", **metadata):
    return event("by_keys", row(number, note), change, sort_keys=sort_keys, **metadata)


BY_KEYS = [
    [
        by_keys(1, "last", [1000, "bin.000010", 4]),  # numbers in texts are numbers
        by_keys(2, "last", [1000, 5]),
        by_keys(3, "last", [1000, "a"]),  # numbers come before texts
        by_keys(4, "last", [10_000, "a", 1]),
        # without sort_keys, the same fields order them: time, file, position
        by_keys(5, "last", NOT_SAID, log_file="bin.000012", log_position=7),
        by_keys(6, "nowhere", []),
        by_keys(7, "nowhere", [None, "a"]),
    ],
    [
        by_keys(1, "first", [1000, "bin.000009", 5]),
        by_keys(2, "first", [1000, 4, 9]),
        by_keys(3, "first", [1000, 99]),
        by_keys(4, "first", [9_999, "z", 2]),
        by_keys(5, "first", [DAY, "bin.000012", 6]),
    ],
]

LSN = "00000027:00000ac0:{:04x}"


def lot(number, note, place, index=("id",), **more):
    return event(
        "lots", row(number, note), "UPDATE-INSERT", "sqlserver-cdc",
        lsn=LSN.format(place), replication_index=list(index), is_deleted=False, **more,
    )  # fmt: skip


LOTS = [
    lot(1, "last", 16),
    lot(1, "first", 15),
    lot(2, "other key", 17, ["note"]),
    # before the others in the log, and made days later
    lot(3, "anew", 5, source_timestamp="2024-02-04T08:00:00"),
]

# --- without a key ----------------------------------------------------------------------------

SAME = in_log(1, "equal", 50, topic="bag", primary_keys=[])
BAG = [
    SAME,
    SAME | {"offset": next(_numbers)},  # delivered twice
    in_log(1, "equal", 50, topic="bag", primary_keys=[]),  # the other one
    in_log(2, "unnamed", 60, topic="bag", primary_keys=[], named=False),
]

TABLES = {
    "pallets": {"connector": "datastream_mysql", "topic": "pallets", "key": ["id"]},
    "shelves": {"connector": "datastream_mysql", "topic": "shelves", "key": ["id"]},
    "samples": {
        "connector": "datastream_oracle",
        "topic": "SAMPLE.TBL",
        "key": ["THIS_IS_MY_PK"],
        "columns": {"THIS_IS_MY_PK": "number(10)", "FIELD1": "nchar(5)", "FIELD2": "nchar(5)"},
        "source_fields": ["row_id"],
    },
    "heap": {
        "connector": "datastream_oracle",
        "topic": "HEAP.TBL",
        "key": "rowid",
        "columns": {"THIS_IS_MY_PK": "number(10)", "FIELD1": "nchar(5)", "FIELD2": "nchar(5)"},
    },
    "by_keys": {
        "connector": "datastream_mysql",
        "topic": "by_keys",
        "key": ["id"],
        "place_from": "sort_keys",
    },
    "lots": {"connector": "datastream_sqlserver", "topic": "lots", "key": ["id"]},
    "bag": {"connector": "datastream_mysql", "topic": "bag", "key": []},
}
# table → its events except refused ones
STAGED = {
    "pallets": PALLETS[0] + PALLETS[1],
    "shelves": SHELVES[0] + SHELVES[1],
    "samples": SAMPLES[0] + SAMPLES[1],
    "heap": HEAP[0] + HEAP[1],
    "by_keys": BY_KEYS[0][:5] + BY_KEYS[1],
    "lots": [*LOTS[:2], LOTS[3]],
    "bag": BAG[:3],
}


@pytest.fixture(scope="module")
def built(spark, tmp_path_factory):
    alone = ("by_keys", "lots")  # their current state is built from the change log
    project = Project(
        tmp_path_factory.mktemp("datastream_events") / "project",
        spark,
        "ds",
        {},
        {name: {"columns": COLUMNS} | contract for name, contract in TABLES.items()},
        schema="datastream_events",
        landing="datastream_events_landing.events",
        layers={name: ["stg"] for name in (*alone, "bag")},
        extra_models={
            f"cur_ds__{name}": f"{{{{ afterimage.current_state(ref('stg_ds__{name}')) }}}}\n"
            for name in alone
        },
        operator_events=[
            {"event": str(number), "source_name": "ds", "table_name": "shelves"} | told
            for number, told in enumerate(OPERATOR_EVENTS)
        ],
    )
    # positions of operator events belong to one system
    for name in TABLES.keys() - {"shelves"}:
        model = f"{{{{ afterimage.change_log(source('ds', '{name}')) }}}}\n"
        (project.folder / "models" / f"stg_ds__{name}.sql").write_text(model)
    try:
        project.run("seed")
        for part in (0, 1):
            tables = (PALLETS, SHELVES, SAMPLES, HEAP, BY_KEYS)
            project.land([record for events in tables for record in events[part]])
            if part:
                project.land([*LOTS, *BAG, *(record for record, _, _ in REFUSED)])
            project.run("run")
        yield project
    finally:
        drop(spark, project)


def place(position: str | None) -> str | None:
    """0000000012.000000000100 as 12:100, without its epoch; for Oracle the scn."""
    if position is None:
        return None
    parts = position.split(".")
    epoch = f"e{int(parts.pop(0)[1:])}:" if parts[0].startswith("e") else ""
    return epoch + ":".join(str(int(part)) for part in parts if len(part) in (10, 12))


def history(project, table, key="id", note="note", shown=place):
    ends = ("_cdc_position", "_cdc_end_position")
    return sorted(
        (
            (row[key], row[note], *(shown(row[end]) for end in ends), row["_cdc_end_reason"])
            for row in project.rows(f"hist_ds__{table}")
        ),
        key=str,
    )


def current(project, table, key="id", note="note"):
    return sorted((row[key], row[note]) for row in project.rows(f"cur_ds__{table}"))


@pytest.mark.shows(of="table", streams=streams.of_datastream_events)
@pytest.mark.parametrize(("table", "held"), [("pallets", PALLETS_HELD), ("shelves", SHELVES_HELD)])
def test_history_of_mysql(built, table, held, compared):
    assert history(built, table) == sorted(held, key=str)
    assert current(built, table) == sorted((r[0], r[1]) for r in held if r[3] is None)
    compared["versions of hist_ with documented events of Datastream"] += len(held)


@pytest.mark.shows(streams=partial(streams.of_datastream_events, "samples"))
def test_history_of_oracle(built, compared):
    def scn(position):
        return position and str(int(position.split(".")[0]))

    held = [(int(key), *rest) for key, *rest in SAMPLES_HELD]
    found = history(built, "samples", "THIS_IS_MY_PK", "FIELD1", scn)
    assert [(int(key), *rest) for key, *rest in found] == sorted(held, key=str)
    left = current(built, "samples", "THIS_IS_MY_PK", "FIELD1")
    assert [(int(key), field) for key, field in left] == sorted(
        (r[0], r[1]) for r in held if r[3] is None
    )
    compared["versions of hist_ with documented events of Datastream"] += len(held)


def test_rows_without_a_key_are_known_by_their_row_ids(built):
    def scn(position):
        return position and str(int(position.split(".")[0]))

    assert history(built, "heap", "_cdc_key", "FIELD1", scn) == HEAP_HELD
    assert current(built, "heap", "_cdc_key", "FIELD1") == [("AAA1", "y"), ("AAA3", "x")]


def test_both_spellings_of_a_rowid(built):
    rows = built.rows("stg_ds__samples", f"THIS_IS_MY_PK = {PK}")
    assert {row["_cdc_source_row_id"] for row in rows} == {
        "AAAPwRAALAAMzMBABD",
        "AAAGYPAATAAPIC5AAB",
        "AAAGYPAATAAPIC5AAC",
    }


def test_times_in_both_forms(built):
    """ISO text without a zone is UTC, as are milliseconds."""
    told = {
        row["note"]: (str(row["_cdc_source_ts"]), str(row["_cdc_processed_ts"]))
        for row in built.rows("stg_ds__pallets", "id = 8")
    }
    assert told == {
        "keys": ("2024-02-01 08:00:00", "2024-02-01 08:00:00"),
        "place": ("2024-02-01 08:00:00", "2024-02-01 08:00:05.120000"),
    }
    # nothing changed in 1970: the time it was read
    (old,) = built.rows("stg_ds__pallets", "note = 'old'")
    assert str(old["_cdc_source_ts"]) == "2024-02-01 08:00:00"
    (dumped,) = built.rows("stg_ds__samples", "THIS_IS_MY_PK = 4")
    assert str(dumped["_cdc_source_ts"]) == "2024-02-01 08:00:00"


@pytest.mark.shows(streams=partial(streams.of_datastream_events, "by_keys"))
def test_sort_keys_are_compared_element_by_element(built):
    assert current(built, "by_keys") == [(number, "last") for number in range(1, 6)]


@pytest.mark.shows(streams=partial(streams.of_datastream_events, "lots"))
def test_the_key_may_be_told_by_a_replication_index(built):
    assert current(built, "lots") == [(1, "last"), (3, "anew")]


@pytest.mark.shows(streams=partial(streams.of_datastream_events, "bag"))
def test_without_a_key_rows_stay_a_change_log(built):
    """Two equal rows of one statement are two, by uuid; no update would identify one of them."""
    assert [row["note"] for row in built.rows("stg_ds__bag")] == ["equal", "equal"]
    model = "{{ afterimage.history(ref('stg_ds__bag')) }}\n"
    (built.folder / "models" / "hist_ds__bag.sql").write_text(model)
    with pytest.raises(DbtFailed, match="has no key, and an update in datastream_json does not"):
        built.run("run", "--select", "hist_ds__bag")


def test_every_refusal_has_its_reason(built):
    found = {}
    for row in built.rows("dq_ds__quarantine"):
        found[row["topic"], row["offset"]] = (row["reason"], row["detail"])
    expected = {record["offset"]: (reason, words) for record, reason, words in REFUSED}
    told = {offset: of for (topic, offset), of in found.items() if topic == "pallets"}
    assert {o: reason for o, (reason, _) in told.items()} == {
        o: reason for o, (reason, _) in expected.items()
    }
    wrong = [
        (words, told[offset][1])
        for offset, (_, words) in expected.items()
        if words and words not in (told[offset][1] or "")
    ]
    assert not wrong
    assert built.counts()["bag", "refused", "wrong_envelope"] == 1
    elsewhere = sorted((t, *of) for (t, _), of in found.items() if t != "pallets")
    assert "no uuid, without which" in elsewhere[0][2]
    assert [(topic, reason) for topic, reason, _ in elsewhere] == [
        ("bag", "wrong_envelope"),
        ("by_keys", "missing_position"),
        ("by_keys", "missing_position"),
        ("lots", "wrong_envelope"),
    ]
    assert 'is ["note"], that of the contract ["id"]' in elsewhere[-1][2]


def test_each_record_is_counted_and_files_in_any_order_are_no_alarm(built):
    counts = built.counts()
    landed = len(PALLETS[0]) + len(PALLETS[1]) + len(REFUSED)
    assert counts["pallets", "landed", None] == landed
    assert counts["pallets", "duplicate", "redelivered"] == 1
    assert counts["pallets", "staged", None] == landed - 1 - len(REFUSED)
    odd = {kind: n for kind, n in counts.items() if kind[1] in ("alarm", "ambiguous", "pending")}
    assert odd == {
        ("lots", "alarm", "position_went_back"): 1,  # where the log restarted
        ("pallets", "alarm", "key_change_unpaired"): 1,
    }
