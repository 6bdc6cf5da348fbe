"""What Debezium's real JDBC sink makes of a capture's records: kept as rows, one file per table.

    python -m tests.live.jdbc_sink shop-schema pg-inventory-with-schema

writes tests/captures/jdbc-sink/<capture>.json, which tests/docs/test_jdbc_sink_page.py compares
with the model of the sink. Each topic has one partition and a connector of its own, so that records
arrive in the captured order, and a task that fails stops no other table.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
from confluent_kafka import ConsumerGroupTopicPartitions, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from psycopg import sql

from tests.live.kafka import Connect, fetched, kafka
from tests.live.postgres import Postgres
from tests.live.service import ServiceError
from tests.oracle.records import Record
from tests.truth.captures import ROOT, Capture, captures

KEPT = ROOT / "tests" / "captures" / "jdbc-sink"
PLUGIN = "io.debezium:debezium-connector-jdbc:3.6.0.Final:tar.gz:plugin"
# as docs/how-to/coming-from-the-jdbc-sink.md has it; one record a statement, so that a task that
# stops has written all records before the one that stopped it
SETUP = {
    "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
    "insert.mode": "upsert",
    "delete.enabled": "true",
    "primary.key.mode": "record_key",
    "schema.evolution": "basic",
    "database.time_zone": "UTC",
    "batch.size": "1",
    "consumer.override.max.poll.records": "1",
    "consumer.override.auto.offset.reset": "earliest",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "true",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "true",
    # the embedded engine, which made the captures, writes headers with their schema
    "header.converter": "org.apache.kafka.connect.storage.StringConverter",
}
EXTENSIONS = ("citext", "hstore", "ltree")  # types that the source has too
# More runs of a table, with other options; `left.out` is column.exclude.list of the source.
QUOTED = {"quote.identifiers": "true"}
VARIANTS = {
    "shop.carts": [{"truncate.enabled": "true"}],
    "demo.orders": [{"truncate.enabled": "true"}],
    # what the sink cannot write to a PostgreSQL without PostGIS, one after the other
    "demo.all_types": [
        QUOTED,
        QUOTED | {"left.out": "pt"},
        QUOTED | {"left.out": "pt,na"},
        QUOTED | {"left.out": "pt,na,da"},
        QUOTED | {"left.out": "pt,na,da,n5030"},
        QUOTED | {"left.out": "pt,na,da,n5030,tm"},
    ],
}


def send(brokers: str, topic: str, records: list[Record], left_out: set[str]) -> None:
    """Send records to a topic of one partition, in their order, without some of their columns."""
    admin = AdminClient({"bootstrap.servers": brokers})
    admin.create_topics([NewTopic(topic, 1, 1)])[topic].result()
    producer = Producer({"bootstrap.servers": brokers})
    for record in records:
        value = without(record.value, left_out)
        headers = list((record.headers or {}).items())
        producer.produce(topic, key=record.key, value=value, partition=0, headers=headers)
        producer.poll(0)
    producer.flush()


def without(value: str | None, columns: set[str]) -> str | None:
    """A record's value without columns, as column.exclude.list leaves them out."""
    if value is None or not columns:
        return value
    body = json.loads(value)
    for part in body["schema"]["fields"]:
        if part["field"] in ("before", "after"):
            part["fields"] = [field for field in part["fields"] if field["field"] not in columns]
    for image in ("before", "after"):
        for column in columns & (body["payload"][image] or {}).keys():
            del body["payload"][image][column]
    return json.dumps(body, ensure_ascii=False)


def run_to_end(
    connect: Connect, brokers: str, name: str, topic: str, records: int
) -> dict[str, object]:
    """Wait until the connector has written all records, or stops: how many it has written, and
    why it stopped."""
    admin = AdminClient({"bootstrap.servers": brokers})
    place = ConsumerGroupTopicPartitions(f"connect-{name}", [TopicPartition(topic, 0)])
    end = time.monotonic() + 120
    while time.monotonic() < end:
        fault = connect.failure(name)
        group = admin.list_consumer_group_offsets([place])[place.group_id].result()
        done = max(group.topic_partitions[0].offset, 0)
        if fault or done >= records:
            return {"records": done, "stopped": fault}
        time.sleep(0.5)
    raise ServiceError(f"{name} has not written {records} records in time")


def rows_of(connection: psycopg.Connection, table: str) -> list[dict]:
    """Every row of a table of the target, each column as text."""
    names = [
        row[0]
        for row in connection.execute(
            "select column_name from information_schema.columns where table_name = %s "
            "order by ordinal_position",
            [table],
        )
    ]
    if not names:
        return []
    texts = sql.SQL(", ").join(sql.SQL("{}::text").format(sql.Identifier(n)) for n in names)
    found = connection.execute(sql.SQL("select {} from {}").format(texts, sql.Identifier(table)))
    rows = [dict(zip(names, row, strict=True)) for row in found]
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def written(capture: Capture, brokers: str, connect: Connect) -> Iterator[dict]:
    """For each table and variant: its options, how many records were written, why the sink stopped
    (null: it did not), and the rows then."""
    for name, table in capture.spec.tables.items():
        records = [record for record in capture.records if record.topic in table.topics]
        for number, options in enumerate([{}, *VARIANTS.get(name, [])]):
            topic = f"{table.topics[0]}.{number}"
            left_out = set(filter(None, options.get("left.out", "").split(",")))
            send(brokers, topic, records, left_out)
            with Postgres("target") as target, target.connect() as connection:
                for extension in EXTENSIONS:
                    connection.execute(f"create extension {extension}")
                where = {
                    "topics": topic,
                    "collection.name.format": "target",
                    "connection.url": f"jdbc:postgresql://127.0.0.1:{target.port}/target",
                    "connection.username": target.user,
                    "connection.password": target.password,
                }
                own = {k: v for k, v in options.items() if k != "left.out"}
                connect.add(topic, SETUP | own | where)
                end = run_to_end(connect, brokers, topic, topic, len(records))
                connect.remove(topic)
                rows = rows_of(connection, "target")
            print(f"{topic} {options}: {len(rows)} rows, {end}", flush=True)
            yield {"table": name, "options": options, **end, "rows": rows}


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="afterimage-sink-") as scratch:
        programs = fetched(Path(scratch), (PLUGIN,))
        with kafka(Path(scratch, "broker"), programs) as broker:
            connect = Connect(Path(scratch, "connect"), programs, broker.address)
            connect.start()
            try:
                for name in names:
                    runs = list(written(captures()[name], broker.address, connect))
                    made = {"sink": PLUGIN, "settings": SETUP, "runs": runs}
                    KEPT.mkdir(exist_ok=True)
                    text = json.dumps(made, ensure_ascii=False, indent=1)
                    (KEPT / f"{name}.json").write_text(text + "\n", encoding="utf-8")
            finally:
                connect.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
