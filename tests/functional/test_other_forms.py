"""Forms that no contract can name yet: each record is refused with a reason, none is misread, and a
Kafka tombstone is still a tombstone."""

import base64
import gzip
import json
from collections import Counter

import pytest

from tests.truth.captures import shared_folder

# capture → topic, and the results for its records.
FORMS = {
    "pg-cloudevents": ("pg_cloudevents.demo.customers", "wrong_envelope"),
    "pg-cloudevents-plain": ("pg_cloudevents_plain.demo.customers", "wrong_envelope"),
    "pg-unwrap": ("pg_unwrap.demo.customers", "wrong_envelope"),
    "pg-unwrap-tombstone": ("pg_unwrap_tombstone.demo.customers", "wrong_envelope"),
    "pg-outbox": ("outbox.event.order", "wrong_envelope"),
    "pg-avro": ("pgavro.public.customers", "not_utf8"),
    "pg-avro-apicurio8": ("pgavroapicurio8.public.customers", "not_utf8"),
    "pg-avro-headers": ("pgavroheaders.public.customers", "not_utf8"),
}


def records(capture: str, topic: str) -> list[dict]:
    """The records of a capture on a topic; Avro has its values in base64."""
    text = gzip.decompress((shared_folder() / capture / "events.jsonl.gz").read_bytes())
    found = [json.loads(line) for line in text.split(b"\n") if line]
    found = [record for record in found if record["topic"] == topic]
    for record in found:
        record.pop("headers")
        if "avro" in capture:
            record.pop("key")
            value = record["value"]
            record["value"] = value and base64.b64decode(value)
    return found


@pytest.mark.shared
def test_each_record_is_refused_or_a_tombstone(make_project):
    tables = {
        capture.replace("-", "_"): {"topic": topic, "key": ["id"], "columns": {"id": "int"}}
        for capture, (topic, _) in FORMS.items()
    }
    project = make_project(
        "other_forms",
        source_contract={"connector": "postgresql"},
        tables=tables,
        layers={name: ["stg"] for name in tables},
    )
    expected = {}
    for capture, (topic, reason) in FORMS.items():
        landed = records(capture, topic)
        project.land(landed)
        kinds = Counter(
            ("ignored", "tombstone")
            # ExtractNewRecordState without settings: a delete is the text null
            if record["value"] in (None, "null")
            else ("refused", reason)
            for record in landed
        )
        name = capture.replace("-", "_")
        expected |= {(name, "landed", None): len(landed)}
        expected |= {(name, *kind): number for kind, number in kinds.items()}
    project.run("run")
    assert project.counts() == expected


def test_topics_around_the_data_are_counted_as_what_they_are(make_project):
    """By the prefix if they have their usual names, else by side_topics."""
    project = make_project(
        "around",
        source_contract={
            "connector": "postgresql",
            "topic_prefix": "t",
            "side_topics": {"alive": "heartbeats by another name", "t-signal": "signals"},
        },
        tables={"keyed": {"topic": "t.p.keyed", "key": ["id"], "columns": {"id": "int"}}},
        layers={"keyed": ["stg"]},
    )
    topics = {
        "t.transaction": "transaction",
        "t.message": "message",
        "__debezium-heartbeat.t": "heartbeat",
        "t": "schema change",
        "alive": "heartbeats by another name",
        "t-signal": "signals",
        "t_transaction": "unknown_topic",  # another topic.delimiter
    }
    project.land([{"topic": t, "partition": 0, "offset": 0, "value": "{}"} for t in topics])
    project.run("run")
    assert project.counts() == {(None, "unrouted", kind): 1 for kind in topics.values()}
