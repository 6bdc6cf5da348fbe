"""`logical_decoding_messages`: the documentation's two forms, the form in a real log, and invalid
ones."""

import base64
from datetime import datetime

import pytest

from tests.functional.capture_project import landing_records
from tests.functional.project import DbtFailed
from tests.truth.captures import captures

MODEL = """{{ config(materialized='table') }}
{{ afterimage.logical_decoding_messages([ref('stg_src__a')], [source('src', 'a')]) }}
"""


def message(offset: int, content: object = "Zm9v", op: str = "m", **source) -> dict:
    """As the documentation shows one; `source` of a transactional message has a txId."""
    told = {"connector": "postgresql", "ts_ms": 1559033904863, "schema": "", "table": ""}
    value = {"source": told | {"lsn": 46523128 + offset} | source, "op": op}
    value |= {"ts_ms": 1559033904961, "message": {"prefix": "foo", "content": content}}
    place = {"topic": "p.message", "partition": 0, "offset": offset}
    return place | {"key": {"prefix": "foo"}, "value": value}


def of_source(make_project, prefix: str, **contract):
    return make_project(
        f"messages_of_{prefix}",
        source="src",
        source_contract={"connector": "postgresql", "topic_prefix": prefix} | contract,
        tables={"a": {"topic": f"{prefix}.s.a", "key": ["id"], "columns": {"id": "int"}}},
        layers={"a": ["stg"]},
        extra_models={"messages": MODEL},
    )


def test_every_form(make_project):
    project = of_source(make_project, "p")
    with_schema = message(1)
    with_schema["value"] = {"schema": {"type": "struct"}, "payload": with_schema["value"]}
    project.land(
        [
            message(0, txId=556),
            with_schema,
            message(2, base64.b64encode(b"\xff\x00").decode()),
            message(3, "Zm9v!"),
            message(4, {"who": "ann"}),
            message(5, op="c"),
            # redelivered, after a restart
            message(6, lsn=46523128, txId=556),
            message(7) | {"value": None},
            message(8) | {"value": '{"op":'},
        ]
    )
    project.run("run", "--exclude", "dq_*")
    found = {row["offset"]: row for row in project.rows("messages")}
    first = found[0]
    assert (first["prefix"], first["content"], first["content_text"]) == ("foo", b"foo", "foo")
    assert (first["is_transactional"], first["transaction_id"]) == (True, "556")
    assert (first["position"], first["emitted_at"]) == (
        "00000000000046523128",
        datetime(2019, 5, 28, 8, 58, 24, 863000),
    )
    assert (found[1]["content_text"], found[1]["is_transactional"]) == ("foo", False)
    assert (found[2]["content"], found[2]["content_text"]) == (b"\xff\x00", None)
    assert (found[4]["content"], found[4]["content_text"]) == (None, '{"who":"ann"}')
    assert [offset for offset, row in found.items() if row["is_repeat"]] == [6]
    assert {offset: row["fault"] for offset, row in found.items() if row["fault"]} == {
        3: "content is not as binary_handling_mode has it",
        5: "no message",
        7: "no value",
        8: "broken JSON",
    }


def test_of_a_capture(make_project):
    """The capture's source.sql writes one; its transaction changes no row."""
    capture = captures()["shop"]
    project = of_source(make_project, "pg1")
    project.land(landing_records([r for r in capture.records if r.topic == "pg1.message"]))
    project.run("run", "--exclude", "dq_*")
    [found] = project.rows("messages")
    assert (found["prefix"], found["content_text"]) == ("shop.note", "a message in the log")
    assert (found["is_transactional"], found["fault"]) == (True, None)


def test_other_connectors_have_none(make_project):
    project = of_source(make_project, "my", connector="mysql")
    with pytest.raises(DbtFailed, match="only PostgreSQL has them"):
        project.run("run", "--select", "messages")
