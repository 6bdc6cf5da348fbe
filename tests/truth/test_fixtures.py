"""Events published by others give what the EXPECTED.md next to them shows: by the oracle, and by
the models in real dbt runs, in two deliveries, the second of which fits into the middle of the
first."""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from tests.coverage import streams
from tests.functional.capture_project import landing_records, table_contract
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.oracle.fold import fold
from tests.oracle.lsn import Db2Place, SqlServerPlace
from tests.oracle.postgres import ABSENT, UNKNOWN, decode
from tests.truth.captures import position_text
from tests.truth.compare import as_model_rows, compare_table
from tests.truth.fixtures import SERDE, Fixture, fixtures, folder, full_types

pytestmark = [
    pytest.mark.xdist_group("fixtures"),
    pytest.mark.shared,
]
ALL = fixtures() if folder().exists() else {}


@dataclass(frozen=True)
class Built:
    """The models' results for all fixtures. The quality views are queried once: each reads all
    change logs."""

    project: Project
    counts: dict[tuple, int]
    quarantine: list[dict]

    def rows(self, relation: str) -> list[dict]:
        return self.project.rows(relation)

    def staged(self, name: str) -> dict[int, dict]:
        """offset → row of the change log."""
        return {row["_cdc_offset"]: row for row in self.rows(f"stg_src__{name}")}

    def outcomes(self, name: str) -> dict[tuple, int]:
        """(outcome, kind) → records of one fixture, without landed and alarms: examples are not a
        stream, so their positions are unrelated."""
        return {
            (outcome, kind): number
            for (table, outcome, kind), number in self.counts.items()
            if table == name and outcome not in ("landed", "alarm")
        }

    def refused(self, name: str) -> dict[int, tuple]:
        """offset → (reason, detail)."""
        return {
            row["offset"]: (row["reason"], row["detail"])
            for row in self.quarantine
            if row["table_name"] == name
        }


@pytest.fixture(scope="module")
def built(spark, tmp_path_factory):
    """All fixtures in one project, because a dbt run costs more than its rows."""
    project = Project(
        tmp_path_factory.mktemp("fixtures") / "project",
        spark,
        "src",
        {},
        {name: table_contract(fixture.spec, fixture.table) for name, fixture in ALL.items()},
        schema="fixtures",
        landing="fixtures_landing.events",
        layers={name: list(fixture.layers) for name, fixture in ALL.items()},
    )
    try:
        for start in (0, 1):
            for fixture in ALL.values():
                project.land(landing_records(fixture.records[start::2]))
            project.run("run")
        yield Built(project, project.counts(), project.rows("dq_src__quarantine"))
    finally:
        drop(spark, project)


# --- Apache Flink: nine rows read, two created, four updates, one delete -----------------------

PRODUCTS = [
    ("101", "scooter", "Small 2-wheel scooter", "3.14"),
    ("102", "car battery", "12V car battery", "8.1"),
    (
        "103",
        "12-pack drill bits",
        "12-pack of drill bits with sizes ranging from #40 to #3",
        "0.8",
    ),
    ("104", "hammer", "12oz carpenter's hammer", "0.75"),
    ("105", "hammer", "14oz carpenter's hammer", "0.875"),
    ("106", "hammer", "18oz carpenter hammer", "1.0"),
    ("107", "rocks", "box of assorted rocks", "5.1"),
    ("108", "jacket", "water resistent black wind breaker", "0.1"),
    ("109", "spare tire", "24 inch spare tire", "22.2"),
    ("110", "jacket", "new water resistent white wind breaker", "0.5"),
]
# A delete that names no row leaves unknown that the row was deleted.
SCOOTER = ("111", "scooter", "Big 2-wheel scooter ", "5.17")


def spans(begun, updates: dict[str, list], deleted_at) -> dict[str, list[tuple]]:
    """id → [(from, to, why it ended)]: what is before `begun` was read by the snapshot."""
    found = {}
    for id_ in [*(str(number) for number in range(101, 110)), "110", "111"]:
        places = updates.get(id_, [begun])
        ends = [*places[1:], deleted_at if id_ == "111" else None]
        reasons = ["update"] * (len(places) - 1) + ["delete" if ends[-1] else None]
        found[id_] = list(zip(places, ends, reasons, strict=True))
    return found


IN_POSTGRES = {
    "begun": 34078720,
    "updates": {
        "106": [34078720, 34131104],
        "107": [34078720, 34132200],
        "110": [34132560, 34133344],
        "111": [34133072, 34133584],
    },
}
IN_MYSQL = {
    "begun": (3, 154, 0),
    "updates": {
        "106": [(3, 154, 0), (3, 362, 0)],
        "107": [(3, 154, 0), (3, 717, 0)],
        "110": [(3, 1068, 0), (3, 1707, 0)],
        "111": [(3, 1394, 0), (3, 2090, 0)],
    },
}
# name → (rows at the end, spans of their versions)
FLINK = {
    "flink_postgres": (PRODUCTS, spans(**IN_POSTGRES, deleted_at=34133800)),
    "flink_mysql": (PRODUCTS, spans(**IN_MYSQL, deleted_at=(3, 2443, 0))),
    "no_before": ([*PRODUCTS, SCOOTER], spans(**IN_POSTGRES, deleted_at=None)),
    "no_before_keyed": (PRODUCTS, spans(**IN_POSTGRES, deleted_at=34133800)),
}


def expected_rows(fixture: Fixture, rows: list[tuple]) -> list[dict]:
    return [dict(zip(fixture.table.columns, row, strict=True)) for row in rows]


@pytest.fixture(params=FLINK)
def products(request):
    return ALL[request.param], *FLINK[request.param]


def test_spans_are_counted_as_expected_md_counts_them():
    versions = [version for lives in FLINK["flink_postgres"][1].values() for version in lives]
    assert len(versions) == 15
    assert sum(to is None for _, to, _ in versions) == 10


def test_products_by_the_oracle(products, compared):
    fixture, rows, expected_spans = products
    folded = fold(fixture.records, fixture.spec)
    current = as_model_rows(folded.current[fixture.name])
    assert compare_table(fixture.table, expected_rows(fixture, rows), current) == []
    found = {}
    for version in folded.versions[fixture.name]:
        span = (version.start.lsn, version.end and version.end.lsn, version.end_reason)
        found.setdefault(version.key[0], []).append(span)
    assert found == expected_spans
    compared["rows of the oracle with the fixtures' expected rows"] += len(rows)


@pytest.mark.slow
@pytest.mark.shows(of="products", streams=streams.of_fixture)
def test_products_by_the_models(products, built, compared):
    fixture, rows, expected_spans = products
    current = built.rows(f"cur_src__{fixture.name}")
    assert compare_table(fixture.table, expected_rows(fixture, rows), current) == []
    found = {}
    for row in sorted(built.rows(f"hist_src__{fixture.name}"), key=lambda r: r["_cdc_position"]):
        span = (row["_cdc_position"], row["_cdc_end_position"], row["_cdc_end_reason"])
        found.setdefault(str(row["id"]), []).append(span)
    assert found == {
        id_: [(position_text(a), b and position_text(b), why) for a, b, why in lives]
        for id_, lives in expected_spans.items()
    }
    compared["rows of cur_ with the fixtures' expected rows"] += len(current)
    compared["versions of hist_ with the fixtures' expected spans"] += sum(map(len, found.values()))


@pytest.mark.slow
def test_a_delete_that_names_no_row_is_refused_and_nothing_else(built):
    assert built.refused("no_before") == {15: ("missing_image", "no before, op: d")}
    assert built.outcomes("no_before") == {("staged", None): 15, ("refused", "missing_image"): 1}


@pytest.mark.slow
def test_a_delete_is_known_by_the_key_of_its_record(built):
    assert built.outcomes("no_before_keyed") == {("staged", None): 16}


# --- Apache Flink CDC: a row of all types ------------------------------------------------------

LATER = {"timestamp_c": "2020-07-17 18:33:22"}


@pytest.mark.parametrize("name", ["full_types", "full_types_placed", "full_types_numeric"])
def test_every_type_by_the_oracle(name, compared):
    fixture = ALL[name]
    read, updated = (decode(record, fixture.spec) for record in fixture.records)
    for image, expected in [
        (read.after, full_types()),
        (updated.before, full_types()),
        (updated.after, full_types() | LATER),
    ]:
        assert compare_table(fixture.table, [expected], as_model_rows([image])) == []
        compared["cells of the oracle with the row of all types"] += len(expected)


@pytest.mark.slow
@pytest.mark.shows(of="name", streams=streams.of_fixture)
@pytest.mark.parametrize("name", ["full_types", "full_types_placed", "full_types_numeric"])
def test_every_type_by_the_models(name, built, compared):
    """With a schema block that is partly wrong, and without one: the contract decides."""
    rows = built.staged(name)
    for offset, expected in enumerate([full_types(), full_types() | LATER]):
        assert compare_table(ALL[name].table, [expected], [rows[offset]]) == []
        compared["cells of stg_ with the row of all types"] += len(expected)
    assert built.outcomes(name) == {("staged", None): 2}


@pytest.mark.slow
def test_the_row_of_all_types_has_two_versions(built):
    table = ALL["full_types"].table
    expected = full_types() | LATER
    assert compare_table(table, [expected], built.rows("cur_src__full_types")) == []
    history = sorted(built.rows("hist_src__full_types"), key=lambda row: row["_cdc_position"])
    assert compare_table(table, [full_types()], history[:1]) == []
    assert compare_table(table, [expected], history[1:]) == []
    assert [(row["_cdc_position"], row["_cdc_end_position"]) for row in history] == [
        (position_text((3, 1532, 0)), position_text((3, 1816, 0))),
        (position_text((3, 1816, 0)), None),
    ]


@pytest.mark.slow
def test_columns_that_are_not_declared_survive(built):
    """Those that the wrong schema block omits, and all others."""
    for row in built.staged("full_types_undeclared").values():
        extra = json.loads(row["_cdc_extra"])
        assert set(extra) == set(full_types()) - {"id", "timestamp_c"}
        assert extra["decimal_un_z_c"] == "EtaJ"
        assert extra["int_un_z_c"] == 4294967295
        assert extra["varchar_len0_c"] == ""


@pytest.mark.slow
def test_an_event_without_source_has_no_place_and_is_refused(built):
    """Only arrival could order it, and arrival proves nothing."""
    for reason, detail in built.refused("full_types_bare").values():
        said, fields = detail.split(" among its fields ")
        assert (reason, said) == ("wrong_envelope", "no source")
        assert {"op", "before", "after"} <= set(json.loads(fields))
    assert built.outcomes("full_types_bare") == {("refused", "wrong_envelope"): 4}


@pytest.mark.slow
def test_decimals_as_json_numbers_are_refused_not_misread(built):
    """From a converter whose decimal.format is NUMERIC, which the contract does not declare."""
    found = built.refused("full_types_numbers")
    assert {reason for reason, _ in found.values()} == {"value_does_not_fit"}
    assert len(found) == 2
    for _, detail in found.values():
        assert "decimal_c" in detail and "123.4567" in detail and "decimal(8,4)" in detail
        assert "big_decimal_c" in detail and "decimal(65,1)" in detail


@pytest.mark.slow
def test_digits_that_are_base64_too_are_not_misread(built):
    """Four digits are the base64 of three bytes: {"n": 1234} would come out as -2658824."""
    assert built.staged("digits_for_base64") == {}


@pytest.mark.slow
def test_base64_where_numbers_are_expected_is_refused(built):
    """The contract declares NUMERIC, the converter writes BASE64: some of it would pass as a
    number."""
    found = built.refused("full_types_base64")
    assert {reason for reason, _ in found.values()} == {"value_does_not_fit"}
    assert len(found) == 2


# --- Debezium: examples, each by itself -------------------------------------------------------

ANNE = {
    "first_name": "Anne",
    "last_name": "Kretchmar",
    "email": "annek@noanswer.org",
}
ANNE_MARIE = ANNE | {"first_name": "Anne Marie"}
NOBODY = dict.fromkeys(ANNE)
JOHN = {"first_name": "john", "last_name": "doe", "email": "john.doe@example.org"}
NOON = {"created_at": "2011-01-11T16:40:30.123456789+00:00"}
MORNING = {"created_at": "2011-01-11T11:40:30.123456789-05:00"}


def capitals(row: dict) -> dict:
    """The same with column names as in Oracle and Db2."""
    return {name.upper(): value for name, value in row.items()}


# fixture → offset → (op, key, values of the event's row, position, snapshot, transaction, source.ts
# in µs). An offset that is not listed is not a row change.
EVENTS = {
    "docs_postgresql": {
        0: ("c", "1", ANNE, 24023128, True, "555", 1559033904863123),
        1: ("u", "1", ANNE_MARIE, 24023128, False, "556", 1559033904863769),
        2: ("d", "1", NOBODY, 46523128, False, "556", 1559033904863852),
        3: ("t", None, NOBODY, 46523128, False, "556", 1559033904863112),
        7: ("c", "1", NOBODY, 26717576, False, "745", 1723115415640161),
        8: ("c", "1", ANNE | NOON, 24023128, True, "555", 1559033904863000),
        9: ("c", "1", ANNE | MORNING, 24023128, True, "555", 1559033904863752),
    },
    "docs_mysql": {
        # the source has 0, which is no time: the time when the connector processed it
        0: ("c", "1004", ANNE, (3, 154, 0), False, None, 1465491411815437),
        1: ("u", "1004", ANNE_MARIE, (3, 484, 0), False, None, 1465581029100000),
        2: ("d", "1004", ANNE_MARIE, (3, 805, 0), False, None, 1465581902300000),
        3: ("t", None, NOBODY, (3, 484, 0), False, None, 1465581029100000),
        # from a connector that sent only seconds, and null for no snapshot
        4: ("d", "1004", ANNE_MARIE, (3, 725, 0), False, None, 1486501558315901),
        5: ("u", "1004", ANNE_MARIE, (3, 364, 0), False, None, 1486501486308910),
        6: ("r", "1004", ANNE, (3, 154, 0), True, None, 1486500577691547),
    },
    "docs_sqlserver": {
        0: (
            "c",
            "1005",
            JOHN,
            SqlServerPlace(0x27000007580005, 0x27000007580003, 1),
            False,
            "00000027:00000758:0005",
            1559729468470000,
        ),
        1: (
            "u",
            "1005",
            JOHN | {"email": "noreply@example.org"},
            SqlServerPlace(0x2700000AC00007, 0x2700000AC00002, 2),
            False,
            "00000027:00000ac0:0007",
            1559729995937000,
        ),
    },
    "fragment_sqlserver": {
        1: (
            "c",
            "2",
            {"aa": "1"},
            SqlServerPlace(0x2500000D080025, 0, 0),
            False,
            "00000025:00000d08:0025",
            1580390884335172,
        )
    },
    "docs_oracle": {
        0: ("c", "1004", capitals(ANNE), 2122185, False, "6.28.807", 1520085154000000),
        1: (
            "u",
            "1004",
            capitals(ANNE | {"email": "anne@example.com"}),
            2125544,
            False,
            "6.9.809",
            1520085811000000,
        ),
        2: (
            "d",
            "1004",
            capitals(ANNE | {"email": "anne@example.com"}),
            2122184,
            False,
            "6.28.807",
            1520085153000000,
        ),
        3: ("t", None, capitals(NOBODY), 13234397, False, "02000a0037030000", 1638974535000000),
    },
    "fragment_oracle": {1: ("c", "2", {"aa": "1"}, 2122185, False, "5.6.641", 1580390884335741)},
    "docs_db2": {
        0: (
            "c",
            "1005",
            capitals(JOHN),
            Db2Place(0x27000007580000000000000005, 0x27000007580000000000000003),
            False,
            "00000027:00000758:0005",
            1559729468470476,
        ),
        1: (
            "u",
            "1005",
            capitals(JOHN | {"email": "noreply@example.org"}),
            Db2Place(0x2700000AC00000000000000007, 0x2700000AC00000000000000002),
            False,
            "00000027:00000ac0:0007",
            1559729995937497,
        ),
    },
    "fragment_db2": {
        1: (
            "c",
            "2",
            {"aa": "1"},
            Db2Place(0x2500000D080000000000000025, 0),
            False,
            "00000025:00000d08:0025",
            1580390884335875,
        )
    },
    "fragment_postgresql": {1: ("c", "2", {"aa": "1"}, 53195832, False, "571", 1580390884335451)},
    "fragment_mysql": {
        1: (
            "c",
            "2",
            {"aa": "1"},
            (1, 10, 0),
            False,
            "0e4d5dcd-a33b-11ea-80f1-02010a22a99e:10",
            1580390884335472,
        )
    },
    "serde": {
        0: ("u", "1004", ANNE, (3, 154, 0), False, None, 1465491411815000),
        2: ("c", "1004", ANNE, (3, 154, 0), False, None, 1465491411815000),
    },
}
EVENTS["docs_mariadb"] = {offset: EVENTS["docs_mysql"][offset] for offset in range(4)}
# fixture → (outcome, kind) → records
OUTCOMES = {
    # the documentation gives several examples the same position
    "docs_postgresql": {
        ("staged", None): 7,
        ("ignored", "message"): 3,
        ("ambiguous", "order_by_landing"): 3,
        # its update carries a before image, which only REPLICA IDENTITY FULL sends
        ("contradiction", "replica_identity"): 1,
    },
    "docs_mysql": {("staged", None): 7},
    "docs_mariadb": {("staged", None): 4},
    "docs_sqlserver": {("staged", None): 2},
    "docs_oracle": {("staged", None): 4},
    "docs_db2": {("staged", None): 2},
    "fragment_sqlserver": {("staged", None): 1, ("refused", "missing_position"): 1},
    "fragment_oracle": {("staged", None): 1, ("refused", "missing_position"): 1},
    "fragment_db2": {("staged", None): 1, ("refused", "missing_position"): 1},
    "fragment_postgresql": {("staged", None): 1, ("refused", "missing_position"): 1},
    "fragment_mysql": {("staged", None): 1, ("refused", "missing_position"): 1},
    "serde": {
        ("staged", None): 2,
        ("duplicate", "redelivered"): 2,
        ("refused", "wrong_envelope"): 1,
        ("ambiguous", "order_by_landing"): 2,
    },
}


@pytest.fixture(params=EVENTS)
def examples(request):
    return ALL[request.param], EVENTS[request.param]


def test_examples_by_the_oracle(examples, compared):
    fixture, events = examples
    for offset, expected in events.items():
        event = decode(fixture.records[offset], fixture.spec)
        op, key, values, place, snapshot, tx, _ = expected
        image = (event.before if op == "d" else event.after) or {}
        unknown = (UNKNOWN, ABSENT)
        known = {c: None if image.get(c) in unknown else image.get(c) for c in values}
        assert (event.op, event.key, event.lsn) == (op, key and (key,), place)
        assert (known, event.snapshot, event.tx) == (values, snapshot, tx)
        compared["example events by the oracle"] += 1


def test_a_message_is_no_event_to_the_oracle():
    fixture = ALL["docs_postgresql"]
    messages = [record for record in fixture.records if '"op": "m"' in record.value]
    assert len(messages) == 3
    assert [decode(record, fixture.spec) for record in messages] == [None] * 3


def test_the_last_commit_is_read_from_a_sequence():
    first = ALL["docs_postgresql"].records[0]
    assert decode(first, ALL["docs_postgresql"].spec).committed_after == 24023119


@pytest.mark.slow
@pytest.mark.shows(of="examples", streams=streams.of_fixture)
def test_examples_by_the_models(examples, built, compared):
    fixture, events = examples
    rows = built.staged(fixture.name)
    assert rows.keys() == events.keys()
    for offset, (op, key, values, place, snapshot, tx, source_us) in events.items():
        row = rows[offset]
        assert (row["_cdc_op"], row["_cdc_key"]) == (op, key)
        assert {column: row[column] for column in values} == values
        assert row["_cdc_position"] == position_text(place)
        assert row["_cdc_snapshot"] == ("initial" if snapshot else "none")
        assert row["_cdc_tx_id"] == tx
        assert row["_cdc_source_ts"] == instant(source_us)
        compared["example events by the models"] += 1
    assert built.outcomes(fixture.name) == OUTCOMES[fixture.name]


def instant(micros: int | None) -> datetime | None:
    if micros is None:
        return None
    seconds, rest = divmod(micros, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest, tzinfo=None)


@pytest.mark.slow
def test_times_and_order_in_a_transaction_may_be_text(built):
    for name, micros in [
        ("fragment_postgresql", 1580390884335451),
        ("fragment_mysql", 1580390884335472),
        ("fragment_sqlserver", 1580390884335172),
        ("fragment_oracle", 1580390884335741),
        ("fragment_db2", 1580390884335875),
    ]:
        row = built.staged(name)[1]
        assert row["_cdc_processed_ts"] == instant(micros)
        assert row["_cdc_tx_order"] == 1
        assert built.refused(name) == {0: ("missing_position", "{}")}


@pytest.mark.slow
def test_an_unknown_property_is_no_column_and_no_fault(built):
    row = built.staged("serde")[SERDE.index("unknown-property")]
    assert json.loads(row["_cdc_extra"]) == {"middle_name": "L"}
    [(place, (reason, detail))] = built.refused("serde").items()
    assert (place, reason) == (SERDE.index("unwrapped"), "wrong_envelope")
    assert detail.startswith("no op among its fields")


@pytest.mark.slow
def test_nothing_waits_and_nothing_else_was_refused(built):
    counts = built.counts
    assert not [count for count in counts if count[1] in ("pending", "unrouted")]
    by_table = Counter()
    for (table, outcome, _), number in counts.items():
        if outcome not in ("alarm", "ambiguous", "contradiction"):
            by_table[table, outcome == "landed"] += number
    for name, fixture in ALL.items():
        assert by_table[name, True] == by_table[name, False] == len(fixture.records)
