"""`freshness`: a quiet table whose connector sends heartbeats is not silent, and dbt can measure by
it."""

import json
import time

import pytest
import yaml

from tests.functional.project import DbtFailed

MODEL = """{{ afterimage.freshness([ref('stg_src__busy'), ref('stg_src__quiet')],
    [source('src', 'busy')]) }}
"""


def change(table: str, offset: int, at: int) -> dict:
    source = {"lsn": 100 + offset, "txId": 1, "snapshot": "false", "name": "p", "ts_ms": at}
    source |= {"schema": "s", "table": table}
    value = {"before": None, "after": {"id": offset}, "source": source, "op": "c", "ts_ms": at + 40}
    record = {"topic": f"p.s.{table}", "partition": 0, "offset": offset, "timestamp": at + 100}
    return record | {"value": value}


def beat(offset: int, at: int, value: dict | str | None = None, topic="__debezium-heartbeat.p"):
    """As Debezium writes them: {"ts_ms": …}, newer ones with ts_us and ts_ns too."""
    record = {"topic": topic, "partition": 0, "offset": offset}
    record |= {"timestamp": at + 10, "key": {"serverName": "p"}}
    return record | {"value": {"ts_ms": at} if value is None else value}


@pytest.mark.shows("postgresql", "any", "heartbeat")
def test_a_quiet_table(make_project):
    columns = {"key": ["id"], "columns": {"id": "int"}}
    project = make_project(
        "freshness",
        source="src",
        source_contract={"connector": "postgresql", "topic_prefix": "p"},
        tables={name: {"topic": f"p.s.{name}"} | columns for name in ("busy", "quiet")},
        layers={key: ["stg"] for key in ("busy", "quiet")},
        extra_models={"freshness": MODEL},
    )
    tests = [
        {"afterimage.cdc_connector_alive": {"name": "alive", "arguments": {"hours": 2}}},
    ]
    (project.folder / "models" / "tests.yml").write_text(
        yaml.safe_dump({"models": [{"name": "freshness", "data_tests": tests}]})
    )
    query = "select max(heard_at) from freshness.freshness where table_name = 'quiet'"
    freshness = {"error_after": {"count": 2, "period": "hour"}}
    (project.folder / "models" / "heard.yml").write_text(
        yaml.safe_dump(
            {
                "sources": [
                    {
                        "name": "heard",
                        "schema": "freshness_landing",
                        "tables": [
                            {
                                "name": "quiet",
                                "identifier": "events",
                                "config": {"freshness": freshness, "loaded_at_query": query},
                            }
                        ],
                    }
                ]
            }
        )
    )
    now = int(time.time() * 1000)
    project.land([change("busy", 0, now - 60_000), change("quiet", 0, now - 86_400_000)])
    project.run("run", "--exclude", "dq_*")
    with pytest.raises(DbtFailed, match="alive"):
        project.run("test", "--select", "alive")
    with pytest.raises(DbtFailed):
        project.run("source", "freshness", "--select", "source:heard")

    project.land(
        [
            beat(0, now - 90_000),
            beat(1, now - 30_000, json.dumps({"ts_ms": now - 30_000, "ts_us": 1, "ts_ns": 2})),
            beat(2, now, "no heartbeat"),
            beat(3, now, json.dumps({"ts_ms": 2**63 - 1})),  # in no year that a timestamp has
        ]
    )
    project.run("run", "--exclude", "dq_*")
    told = {row["table_name"]: row for row in project.rows("freshness")}
    assert {name: ms(row["seen_until"]) for name, row in told.items()} == {
        "busy": now - 30_000,
        "quiet": now - 30_000,
    }
    assert ms(told["quiet"]["newest_event_at"]) == now - 86_400_000
    assert ms(told["quiet"]["newest_change_of_connector_at"]) == now - 60_000
    assert {(row["lag_ms"], row["landing_lag_ms"]) for row in told.values()} == {(40, 60)}
    assert {row["unreadable_heartbeats"] for row in told.values()} == {2}
    project.run("test", "--select", "alive")
    project.run("source", "freshness", "--select", "source:heard")

    # two connectors, one of which has topic.heartbeat.prefix=beats and is silent
    project.tables["quiet"] |= {"topic": "q.p.quiet", "topic_prefix": "q.p"}
    project.source_contract |= {"side_topics": {"beats.q.p": "heartbeat"}}
    project.write()
    project.land([beat(0, now - 80_000_000, topic="beats.q.p")])
    project.run("run", "--exclude", "dq_*")
    told = {row["table_name"]: row for row in project.rows("freshness")}
    assert {name: (row["connector"], ms(row["heartbeat_at"])) for name, row in told.items()} == {
        "busy": ("p", now - 30_000),
        "quiet": ("q.p", now - 80_000_000),
    }
    with pytest.raises(DbtFailed, match="alive"):
        project.run("test", "--select", "alive")
    # whose they are is unknowable
    project.source_contract |= {"side_topics": {"heartbeats": "heartbeat"}}
    project.write()
    with pytest.raises(DbtFailed, match="topic heartbeats has heartbeats of an unknown connector"):
        project.run("run", "--select", "freshness")
    # with one connector there is no doubt
    project.tables["quiet"] |= {"topic": "p.s.quiet", "topic_prefix": "p"}
    project.write()
    project.land([beat(0, now - 20_000, topic="heartbeats")])
    project.run("run", "--select", "freshness")
    assert {ms(row["heartbeat_at"]) for row in project.rows("freshness")} == {now - 20_000}


def ms(moment) -> int:
    from datetime import UTC

    return round(moment.replace(tzinfo=UTC).timestamp() * 1000)
