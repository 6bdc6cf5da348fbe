"""Events of an outbox from captures, compared with the statements the database ran and the rows it
held: routed (pg-outbox), and the table itself under several settings, from envelopes and from its
change log."""

import json
import re
from dataclasses import replace

import pytest

from tests.coverage import streams
from tests.functional.capture_project import landing_records
from tests.functional.outbox_project import (
    counts_of,
    events_of,
    models_of,
    refused_of,
    value_of,
)
from tests.oracle.outbox import Outbox, read_all
from tests.oracle.records import Record, read_json_lines
from tests.truth.captures import captures, shared_folder

PLACEMENT = "type:header:eventType,aggregateid:envelope:order_ref"
INSERT = re.compile(
    r"^insert into demo.outbox values \((?:'([^']*)'|gen_random_uuid\(\)),"
    r"'(\w+)','(\w+)','(\w+)',(?:null|'([^']*)')",
    re.M,
)
COLUMNS = {
    "id": "uuid",
    "aggregatetype": "text",
    "aggregateid": "text",
    "type": "text",
    "payload": "jsonb",
    "created": "timestamptz",
}
# capture -> settings of its contract
RAW = {
    "pg-inventory-with-schema": {},
    "pg-time-isostring": {
        "time_precision_mode": "isostring",
        "decimal_handling_mode": "string",
        "binary_handling_mode": "hex",
    },
    "pg-time-connect": {"time_precision_mode": "connect", "decimal_handling_mode": "double"},
    "pg-time-microseconds": {"time_precision_mode": "microseconds"},
}
TYPED = (
    "{{ afterimage.outbox_payload(ref('o_events'),"
    " {'order_no': 'bigint', 'total': 'decimal(12,2)'}, aggregate_type='order') }}\n"
)


def capture(name: str):
    return captures()[name]


def statements(name: str) -> list[tuple]:
    """What the application wrote, one (type of aggregate, its id, type, payload) per row."""
    text = (shared_folder() / name / "source.sql").read_text(encoding="utf-8")
    return [match.groups()[1:] for match in INSERT.finditer(text)]


def rows_left(name: str) -> dict[str, dict]:
    """The rows that the database held at the end, by id."""
    rows = read_json_lines(shared_folder() / name / "truth" / "demo.outbox.jsonl")
    return {row["id"]: row for row in rows}


def compare(written: list[tuple], left: dict[str, dict], found: dict, without_null: bool) -> None:
    """Each row written is one event, and each that still exists has its id."""

    def shown(payload):
        value = value_of(payload)
        if without_null and value is not None:
            value = {name: v for name, v in value.items() if v is not None}
        return json.dumps(value, sort_keys=True)

    events = [(e.aggregate_type, e.aggregate_id, e.type, e.payload) for e in found.values()]
    assert sorted((*w[:3], shown(w[3])) for w in written) == sorted(
        (*e[:3], json.dumps(value_of(e[3]), sort_keys=True)) for e in events
    )
    for id_, row in left.items():
        event = found[id_]
        told = (row["aggregatetype"], row["aggregateid"], row["type"], shown(row["payload"]))
        assert (
            event.aggregate_type,
            event.aggregate_id,
            event.type,
            json.dumps(value_of(event.payload), sort_keys=True),
        ) == told


@pytest.mark.shared
@pytest.mark.shows("postgresql", "any", "outbox event")
def test_routed_events_are_what_the_application_wrote(make_project, compared):
    """Two runs with overlapping records. The router left out null members, as
    table.json.payload.null.behavior is `ignore`; one row was deleted, and no record shows it."""
    routed = capture("pg-outbox")
    records = [r for r in routed.records if r.topic.startswith("outbox.event.")]
    project = make_project(
        "outbox_capture",
        source_contract={},
        tables={},
        outboxes={"o": {"fields_additional_placement": PLACEMENT}},
        extra_models=models_of("o")
        | {"orders": TYPED, "state": "{{ afterimage.outbox_state(ref('o_events')) }}\n"},
    )
    project.land(landing_records(routed.records[:12]))
    project.run("run")
    project.land(landing_records(routed.records[5:]))
    project.run("run")
    found = events_of(project, "o")
    compare(statements("pg-outbox"), rows_left("pg-outbox"), found, without_null=True)
    assert found == read_all(records, Outbox(placement=PLACEMENT))[0]
    assert counts_of(project, "o") == {("landed", None): 24, ("event", None): 24}
    assert refused_of(project, "o") == {}
    [empty] = [event for event in found.values() if event.kind == "empty"]
    assert (empty.aggregate_type, empty.aggregate_id) == ("customer", "127")
    rows = project.rows("o_events")
    assert {row["_cdc_offset"] for row in rows if row["aggregate_type"] == "order"} == {*range(23)}
    assert {row["headers"]["__debezium.context.connectorName"] for row in rows} == {"postgresql"}
    orders = {row["_cdc_aggregate_id"]: row for row in project.rows("orders")}
    assert {key: row["order_no"] for key, row in orders.items()} == {
        key: int(key) for key in orders
    }
    assert {str(row["total"]) for row in orders.values()} == {"12.50", "None"}
    assert {row["_cdc_misfits"] for row in orders.values()} == {None}
    state = {row["aggregate_id"]: row for row in project.rows("state")}
    assert (state["127"]["is_empty"], state["127"]["events"]) == (True, 1)
    compared["events of a routed outbox with the database"] += len(found)


@pytest.mark.shows(of="name", streams=streams.of_capture)
@pytest.mark.parametrize(
    "name", [*[*RAW][:2], *(pytest.param(name, marks=pytest.mark.slow) for name in [*RAW][2:])]
)
def test_rows_of_the_table_are_the_events(name, make_project, compared):
    """Without the router: from the landed envelopes, and from the table's change log, where each
    has its position and transaction. Deletes are no events."""
    raw = capture(name)
    topic = next(r.topic for r in raw.records if r.topic.endswith(".demo.outbox"))
    records = [r for r in raw.records if r.topic == topic]
    project = make_project(
        f"outbox_rows_{name.replace('-', '_')}",
        source_contract={"connector": "postgresql", "settings": RAW[name]},
        tables={"t": {"topic": topic, "key": ["id"], "columns": COLUMNS}},
        layers={"t": ["stg"]},
        outboxes={
            "o": {
                "captured": "rows",
                "topic": topic,
                "fields_additional_placement": "created:header",
                "field_event_timestamp": "created",
            },
            "t": {"captured": "rows", "field_event_timestamp": "created"},
        },
        extra_models=models_of("o") | models_of("t", "ref('stg_s__t')"),
    )
    project.land(landing_records(raw.records))
    project.run("run")
    expected, refused, _ = read_all(records, Outbox(captured="rows"))
    assert refused == {}
    bodies = [json.loads(r.value or "null") for r in records]
    ignored = sum(not body or body.get("payload", body)["op"] == "d" for body in bodies)
    for outbox in "ot":
        found = events_of(project, outbox)
        compare(statements(name), rows_left(name), found, without_null=False)
        assert {id_: (e.payload, e.kind) for id_, e in found.items()} == {
            id_: (e.payload, e.kind) for id_, e in expected.items()
        }
        assert refused_of(project, outbox) == {}
        compared["events of a captured outbox with the database"] += len(found)
    counts = counts_of(project, "o")
    assert counts.pop(("landed", None)) == len(records)
    assert counts.pop(("event", None)) == len(expected)
    assert sum(counts.values()) == ignored > 0
    assert {outcome for outcome, _ in counts} == {"ignored"}
    rows = {row["event_id"]: row for row in project.rows("t_events")}
    assert all(row["_cdc_position"] for row in rows.values())
    assert all(row["_cdc_tx_id"] for row in rows.values() if row["event_ts"].year > 2024)
    first = rows["00000000-0000-4000-8000-000000000001"]
    assert first["event_ts"].isoformat() == "2024-01-01T00:00:00"
    times = {row["event_id"]: row["event_ts"] for row in project.rows("o_events")}
    assert times == {id_: row["event_ts"] for id_, row in rows.items()}
    assert all("created" in event.placed[0] for event in events_of(project, "o").values())
    before = {outbox: events_of(project, outbox) for outbox in "ot"}
    written = next(r for r in reversed(records) if r.value and r.value.count('"op":"c"') == 1)
    project.land(landing_records([updated(written)]))
    project.run("run")
    for outbox in "ot":
        assert refused_of(project, outbox) == {updated(written).coordinate: "outbox_update"}
        assert events_of(project, outbox) == before[outbox]


def updated(record: Record) -> Record:
    """An insert repeated later in the log as an update: an outbox is never updated."""
    body = json.loads(record.value)
    envelope = body.get("payload", body)
    lsn = envelope["source"]["lsn"] + 1_000_000
    envelope["source"] |= {"lsn": lsn, "sequence": json.dumps([str(lsn), str(lsn)])}
    envelope |= {"op": "u", "transaction": None}
    return replace(record, offset=record.offset + 1_000_000, value=json.dumps(body))
