"""The laws as generic dbt tests: on tables made by hand each finds exactly the rows that break it,
and gives the reason."""

import contextlib

import pytest
import yaml

from tests.functional.project import DbtFailed

AUDIT = "law_tests_dbt_test__audit"
PLACEHOLDER = "__debezium_unavailable_value"
BYTES = ", ".join(str(byte) for byte in PLACEHOLDER.encode())


def version(key, begins, ends, reason="update", current=None, copy="null", begun=None, note="x"):
    """A row of a history: from one position to another (None: open); each is also its second in
    time."""
    end = "null" if ends is None else f"'{ends:04d}'"
    until = "null" if ends is None else f"timestamp_seconds({ends})"
    return (
        f"('{key}', cast({copy} as bigint), '{begins:04d}', '{begins:04d}', {end}, "
        f"{'null' if ends is None else repr(reason)}, "
        f"timestamp_seconds({begins if begun is None else begun}), {until}, "
        f"{str(ends is None if current is None else current).lower()}, "
        f"'e{key}.{begins}', '{note}')"
    )


VERSION = (
    "_cdc_key, _cdc_copy, _cdc_order, _cdc_position, _cdc_end_position, _cdc_end_reason, "
    "valid_from, valid_to, is_current, _cdc_event_id, note"
)
SOUND = [
    version("sound", 100, 200),
    version("sound", 200, 200),  # of no length
    version("sound", 200, 300, "delete"),
    version("sound", 400, None),  # created again: a gap where the row did not exist
    version("twins", 100, 200, copy=1),  # equal rows: the update made another row
    version("twins", 100, None, copy=2),
]
HISTORY = [
    *SOUND,
    version("overlaps", 100, 250),
    version("overlaps", 200, None),
    version("two open", 100, None),
    version("two open", 200, None),
    version("backwards", 200, 100, "delete"),
    version("backwards in time", 100, 200, "delete", begun=300),
    version("open with an end", 100, 200, "delete", current=True),
    version("ended without", 100, None, current=False),
    version("gap", 100, 200),
    version("gap", 300, None),
]
BROKEN_VERSIONS = {
    ("overlaps", "0100", "overlaps the next version"),
    ("two open", "0100", "open, but a later version follows"),
    ("backwards", "0200", "ends before it begins"),
    ("backwards in time", "0100", "ends before it begins"),
    ("open with an end", "0100", "is_current and its end disagree"),
    ("ended without", "0100", "is_current and its end disagree"),
    ("gap", "0100", "ended by an update, and no version begins there"),
}

MODELS = {
    "hist_hand": f"select * from values {', '.join(HISTORY)} as rows({VERSION})",
    "hist_open": "select * from values "
    "('1', cast(null as bigint), true, 'e1', 'a'), ('2', null, true, 'e2', 'b'), "
    "('3', null, true, 'e3', null), ('4', null, false, 'e4', 'd'), ('5', null, true, 'e5', 'e'), "
    "('6', 1, true, 'e6', 'f'), ('6', 2, true, 'e6', 'f'), ('7', null, true, 'e7', null) "
    "as rows(_cdc_key, _cdc_copy, is_current, _cdc_event_id, note)",
    "cur_hand": "select * from values "
    "('1', cast(null as bigint), 'e1', 'a'), ('3', null, 'e3', 'x'), ('4', null, 'e4', 'd'), "
    "('5', null, 'e9', 'e'), ('6', 1, 'e6', 'f'), ('7', null, 'e7', null) "
    "as rows(_cdc_key, _cdc_copy, _cdc_event_id, note)",
    "stg_hand": "select *, timestamp_seconds(0) as _cdc_landed_ts from values "
    "('1', '01', 'a'), ('1', '02', 'b'), ('2', '01', 'c'), ('3', '01', 'd'), ('3', '01', 'e'), "
    "('4', '01', 'f'), ('5', '01', 'f') as rows(_cdc_key, _cdc_order, _cdc_event_id)",
    "stg_read": "select *, timestamp_seconds(0) as _cdc_landed_ts, _cdc_position as _cdc_order, "
    "'e' as _cdc_event_id from values "
    "('emptied', cast(null as string), 'c', 'none', '040', 's.a'), "
    "(cast(null as string), null, 't', 'none', '050', 's.a'), "
    "('read', null, 'r', 'initial', '100', 's.a'), ('read', null, 'r', 'initial', '900', 's.a'), "
    "('unread', null, 'r', 'initial', '100', 's.a'), "
    "('changed', null, 'c', 'none', '200', 's.a'), ('changed', null, 'u', 'none', '500', 's.a'), "
    "('gone', null, 'c', 'none', '200', 's.a'), ('gone', null, 'd', 'none', '500', 's.a'), "
    "('moved', null, 'c', 'none', '200', 's.a'), ('there', 'moved', 'u', 'none', '600', 's.a'), "
    "('there', null, 'r', 'initial', '900', 's.a'), ('later', null, 'c', 'none', '950', 's.a'), "
    "('again', null, 'r', 'incremental', '990', 's.a'), "
    "('s.b 1', null, 'r', 'initial', '300', 's.b'), ('s.b 2', null, 'c', 'none', '200', 's.b') "
    "as rows(_cdc_key, _cdc_previous_key, _cdc_op, _cdc_snapshot, _cdc_position, "
    "_cdc_source_table)",
    "dq_hand": "select * from values "
    "('landed', null, 9), ('staged', null, 4), ('ignored', 'tombstone', 1), ('pending', null, 2), "
    "('alarm', 'position_went_back', 1), ('ignored', 'unknown_topic', 1) "
    "as rows(outcome, kind, records)",
    "dq_too_many": "select 'pending' as outcome, cast(null as string) as kind, -1 as records",
    "dq_runs": "select 's' as source_name, * from values "
    "('a', 'staged', null, 3), ('a', 'staged', null, 2), ('a', 'refused', 'broken_json', 1), "
    "('a', 'refused', 'broken_json', -1), ('b', 'ignored', 'tombstone', 1) "
    "as rows(table_name, outcome, kind, records)",
    "dq_now": "select 's' as source_name, * from values "
    "('a', 'staged', null, 5), ('a', 'landed', null, 9), ('b', 'ignored', 'message', 1), "
    "(null, 'refused', 'unreadable_line', 4) as rows(table_name, outcome, kind, records)",
    "cur_placeholder": f"""
        select key as _cdc_key, '1' as _cdc_position, text, as_bytes, texts, byte_arrays, ints, ids,
            numbers, transform(ints, day -> date_add(date'1970-01-01', day)) as days
        from values ('sound', 'x', cast('x' as binary), array('x', '{PLACEHOLDER}'),
                array(cast('x' as binary)), array(1), array('x'), array(1L)),
            ('left', '{PLACEHOLDER}', cast('{PLACEHOLDER}' as binary), array('{PLACEHOLDER}'),
                array(cast('{PLACEHOLDER}' as binary)), array({BYTES}),
                array('b68a35a7-17ad-35b3-af2a-ae46edb4545a'),
                cast(array({BYTES}) as array<bigint>)),
            ('left encoded', base64(cast('{PLACEHOLDER}' as binary)), null, null, null, null, null,
                null)
        as rows(key, text, as_bytes, texts, byte_arrays, ints, ids, numbers)""",
    "cur_placeholder_in_hex": """
        select key as _cdc_key, '1' as _cdc_position, text, as_bytes, ints
        from values ('as PostgreSQL has it', '\ufffd\ufffd', X'C3FF', array(-61, -1)),
            ('as Oracle has it', 'hex:C3FF', cast('hex:C3FF' as binary), null),
            ('sound', 'hex', X'C3', array(195, 255))
        as rows(key, text, as_bytes, ints)""",
}
TESTS = {
    "hist_hand": {"afterimage.cdc_intervals": {"name": "intervals"}},
    "cur_hand": {
        "afterimage.cdc_agreement": {
            "name": "agreement",
            "arguments": {"history": "ref('hist_open')"},
        }
    },
    "stg_hand": {"afterimage.cdc_order_unique": {"name": "order_unique"}},
    "stg_read": {"afterimage.cdc_no_row_unread": {"name": "unread"}},
    "dq_hand": {"afterimage.cdc_conservation": {"name": "conservation"}},
    "dq_too_many": {"afterimage.cdc_conservation": {"name": "counted_twice"}},
    "dq_runs": {
        "afterimage.cdc_runs_add_up": {
            "name": "runs",
            "arguments": {"accounting": "ref('dq_now')"},
        }
    },
    "cur_placeholder": {"afterimage.cdc_no_placeholder_left": {"name": "placeholder"}},
    "cur_placeholder_in_hex": {
        "afterimage.cdc_no_placeholder_left": {
            "name": "placeholder_in_hex",
            "arguments": {"placeholder": "hex:C3FF"},
        }
    },
}


@pytest.fixture(scope="module")
def ran(spark, tmp_path_factory):
    """Test -> its failing rows, as dbt stores them; and what the run said."""
    from tests.functional.conftest import drop
    from tests.functional.project import Project

    config = "{{ config(materialized='table') }}\n"
    project = Project(
        tmp_path_factory.mktemp("law_tests"),
        spark,
        "s",
        {"connector": "postgresql"},
        {"t": {"topic": "t.p.t", "key": ["id"], "columns": {"id": "int"}}},
        schema="law_tests",
        landing="law_tests_landing.events",
        extra_models={name: config + sql for name, sql in MODELS.items()},
    )
    declared = [{"name": name, "data_tests": [test]} for name, test in TESTS.items()]
    path = project.folder / "models" / "laws.yml"
    path.write_text(yaml.safe_dump({"models": declared}), encoding="utf-8")
    project.run("run", "--select", *MODELS)
    with contextlib.suppress(DbtFailed):
        project.run("test", "--store-failures", "--select", *MODELS)
    said = project.said
    names = [settings["name"] for test in TESTS.values() for settings in test.values()]
    yield {name: project.rows(f"{AUDIT}.{name}") for name in names}, said
    drop(spark, project)
    spark.sql(f"drop database if exists {AUDIT} cascade")


@pytest.fixture
def failures(ran):
    return ran[0]


def test_the_end_of_a_run_names_what_failed(ran):
    said = ran[1]
    assert [line for line in said if line.startswith("cdc_agreement found something in ")]
    assert said[-1].startswith("which records, and what to do: afterimage report; ")


def told(rows: list[dict], *columns: str) -> set[tuple]:
    found = [tuple(row[column] for column in columns) for row in rows]
    assert len(found) == len(set(found))
    return set(found)


def test_intervals(failures):
    found = told(failures["intervals"], "_cdc_key", "_cdc_position", "failure_reason")
    assert found == BROKEN_VERSIONS


def test_agreement(failures):
    assert told(failures["agreement"], "_cdc_key", "_cdc_copy", "failure_reason") == {
        ("2", None, "open in history, missing in the current state"),
        ("3", None, "current state and history show different versions"),  # NULL is not 'x'
        ("4", None, "in the current state, not open in history"),
        ("5", None, "current state and history show different versions"),
        ("6", 2, "open in history, missing in the current state"),
    }


def test_order_unique(failures):
    assert told(failures["order_unique"], "place", "changes", "failure_reason") == {
        ("01", 2, "two changes of one key at one place"),
        ("f", 2, "one change staged more than once"),
    }


def test_no_row_unread(failures):
    assert told(failures["unread"], "_cdc_key", "position", "read_at") == {
        ("unread", "100", "900"),
        ("changed", "500", "900"),
        ("s.b 2", "200", "300"),  # a table with its own log
    }


def test_conservation(failures):
    reasons = {row["kind"]: row["failure_reason"] for row in failures["conservation"]}
    assert reasons.keys() == {None, "position_went_back", "unknown_topic"}
    assert reasons[None] == "landed, but no run has read it yet"
    assert reasons["position_went_back"].startswith("alarm position_went_back: ")
    assert reasons["unknown_topic"] == "no table of the contract declares this topic"
    assert told(failures["counted_twice"], "failure_reason") == {
        ("counted more often than landed",)
    }


def test_runs_add_up(failures):
    assert told(failures["runs"], "table_name", "kind", "records_by_run", "records_now") == {
        ("b", "tombstone", 1, 0),
        ("b", "message", 0, 1),
    }


def test_placeholder_in_every_form(failures):
    assert told(failures["placeholder"], "_cdc_key", "failing_column") == {
        *(("left", column) for column in ("text", "as_bytes", "texts", "byte_arrays")),
        *(("left", column) for column in ("ints", "ids", "numbers", "days")),
        ("left encoded", "text"),
    }
    assert told(failures["placeholder_in_hex"], "_cdc_key", "failing_column") == {
        *(("as PostgreSQL has it", column) for column in ("text", "as_bytes", "ints")),
        *(("as Oracle has it", column) for column in ("text", "as_bytes")),
    }
