"""`afterimage land kafka` reads a running broker: each record once, nothing passed over."""

import shutil
import signal
import subprocess
import sys
import time

import pytest

# of the `live` extra
pytest.importorskip("confluent_kafka")

import confluent_kafka
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic

from afterimage.errors import UserError
from afterimage.land import kafka as landing
from afterimage.land.brokers import client_settings
from afterimage.land.table import COLUMNS
from tests.live.kafka import kafka
from tests.session import file_format_of
from tests.truth.captures import ROOT, captures

pytestmark = [pytest.mark.live, pytest.mark.spark]
SCHEMA = "live_land_kafka"


@pytest.fixture(scope="module")
def broker(kafka_programs, tmp_path_factory):
    with kafka(tmp_path_factory.mktemp("broker"), kafka_programs) as service:
        yield service.address


@pytest.fixture
def table(spark, request):
    name = f"{SCHEMA}.{request.node.name.split('[')[0]}"
    yield name
    spark.sql(f"drop table if exists {name}")


@pytest.fixture
def land(spark, broker, table, tmp_path):
    """Lands what a pattern matches; every call continues the one before."""

    def run(topics: str, **options) -> landing.LandedFromKafka:
        given = {
            "checkpoint": str(tmp_path / "checkpoint"),
            "file_format": file_format_of(spark),
        } | options
        return landing.land_topics(spark, broker, topics, table, **given)

    return run


def produce(broker: str, records: list[dict], **settings) -> None:
    """Sends records to their own partitions; their offsets follow from the order."""
    producer = confluent_kafka.Producer({"bootstrap.servers": broker} | settings)
    for record in records:
        producer.produce(
            record["topic"],
            key=record.get("key"),
            value=record.get("value"),
            partition=record.get("partition", 0),
            headers=list((record.get("headers") or {}).items()),
            timestamp=record.get("timestamp") or 0,
        )
        producer.poll(0)
    producer.flush()


def create(broker: str, *topics: str, partitions: int = 3) -> None:
    admin = AdminClient({"bootstrap.servers": broker})
    for future in admin.create_topics([NewTopic(name, partitions, 1) for name in topics]).values():
        future.result()


def test_a_capture_lands_as_it_was_sent(spark, broker, table, land, compared):
    records = captures()["shop"].records
    topics = sorted({record.topic for record in records})
    create(broker, *topics)
    sent = [
        {
            "topic": record.topic,
            "partition": record.partition,
            "key": record.key,
            "value": record.value,
            "headers": record.headers,
            "timestamp": record.timestamp,
        }
        for record in sorted(records, key=lambda r: (r.topic, r.partition, r.offset))
    ]
    produce(broker, sent)
    done = land(r"pg1\..*")
    assert (done.landed, done.present) == (len(sent), 0)
    assert {topic.name for topic in done.topics} == set(topics)
    assert sum(topic.offsets for topic in done.topics) == len(sent)
    assert all(topic.lag == 0 for topic in done.topics)
    found = {(row.topic, row.partition, row.offset): row for row in spark.table(table).collect()}
    assert len(found) == len(sent)
    for record in records:
        row = found[record.topic, record.partition, record.offset]
        assert (row.key, row.value) == (as_bytes(record.key), as_bytes(record.value))
        headers = {header.key: header.value for header in row.headers or ()}
        assert headers == {n: as_bytes(v) for n, v in (record.headers or {}).items()}
    compared["records of a running Kafka compared"] += len(found)
    assert land(r"pg1\..*").landed == 0


def as_bytes(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def numbered(topic: str, first: int, last: int, partition: int = 0) -> list[dict]:
    return [
        {"topic": topic, "partition": partition, "key": str(n), "value": f"v{n}"}
        for n in range(first, last + 1)
    ]


def values(spark, table: str) -> list[str]:
    return sorted(row.value.decode() for row in spark.table(table).select("value").collect())


def test_new_topics_and_partitions_are_read(spark, broker, table, land):
    create(broker, "grow.a", partitions=1)
    produce(broker, numbered("grow.a", 1, 3))
    assert land("grow[.].*").landed == 3
    admin = AdminClient({"bootstrap.servers": broker})
    admin.create_partitions([NewPartitions("grow.a", 2)])["grow.a"].result()
    create(broker, "grow.b", partitions=1)
    time.sleep(1)
    produce(broker, numbered("grow.a", 4, 5, 1) + numbered("grow.b", 6, 7))
    done = land("grow[.].*")
    assert (done.landed, len(done.topics)) == (4, 2)
    assert values(spark, table) == [f"v{n}" for n in range(1, 8)]


def test_a_batch_that_a_killed_run_wrote_is_not_written_again(spark, broker, table, land, tmp_path):
    create(broker, "killed", partitions=2)
    produce(broker, numbered("killed", 1, 4) + numbered("killed", 5, 9, 1))
    land("killed")
    # what a kill between the write and the note of its end leaves
    for commit in (tmp_path / "checkpoint" / "commits").iterdir():
        commit.unlink()
    produce(broker, numbered("killed", 10, 12))
    done = land("killed")
    assert (done.landed, done.present) == (3, 9)
    assert len(values(spark, table)) == 12


def test_records_of_an_aborted_transaction_do_not_land(spark, broker, table, land):
    create(broker, "transactions", partitions=1)
    settings = {"bootstrap.servers": broker, "transactional.id": "t", "linger.ms": 0}
    producer = confluent_kafka.Producer(settings)
    producer.init_transactions()
    for commit in (True, False, True):
        producer.begin_transaction()
        producer.produce("transactions", value="committed" if commit else "aborted")
        producer.flush()
        producer.commit_transaction() if commit else producer.abort_transaction()
    done = land("transactions")
    assert values(spark, table) == ["committed", "committed"]
    assert [topic.lag for topic in done.topics] == [0]


def test_records_that_kafka_deleted_unread_stop_the_run(spark, broker, table, land, tmp_path):
    create(broker, "expired", partitions=1)
    produce(broker, numbered("expired", 1, 3))
    land("expired")
    produce(broker, numbered("expired", 4, 8))
    place = confluent_kafka.TopicPartition("expired", 0, 6)
    admin = AdminClient({"bootstrap.servers": broker})
    admin.delete_records([place])[place].result()
    with pytest.raises(UserError, match=r"(?s)Kafka no longer has .*new folder as --checkpoint"):
        land("expired")
    assert values(spark, table) == ["v1", "v2", "v3"]
    land("expired", checkpoint=str(tmp_path / "another"))
    assert values(spark, table) == ["v1", "v2", "v3", "v7", "v8"]


def test_a_recreated_topic_has_other_records_at_the_same_offsets(
    spark, broker, table, land, tmp_path
):
    admin = AdminClient({"bootstrap.servers": broker})
    create(broker, "again", partitions=1)
    produce(broker, numbered("again", 1, 5))
    land("again")
    admin.delete_topics(["again"])["again"].result()
    time.sleep(2)
    create(broker, "again", partitions=1)
    produce(broker, numbered("again", 6, 7))
    with pytest.raises(UserError, match="recreated"):
        land("again")
    done = land("again", checkpoint=str(tmp_path / "another"))
    assert (done.landed, done.present) == (2, 0)
    assert values(spark, table) == [f"v{n}" for n in range(1, 8)]


def test_it_follows_until_it_is_stopped(spark, broker, table, land, monkeypatch):
    monkeypatch.setattr(landing, "FOLLOW_EVERY", "1 second")
    create(broker, "followed", partitions=1)
    produce(broker, numbered("followed", 1, 2))
    seen = []

    def on_batch(done) -> None:
        seen.append(done.landed)
        if done.landed == 2:
            produce(broker, numbered("followed", 3, 3))
        else:
            raise KeyboardInterrupt

    done = land("followed", follow=True, on_batch=on_batch)
    assert (done.landed, seen) == (3, [2, 3])
    assert values(spark, table) == ["v1", "v2", "v3"]


def test_wrong_input(spark, broker, table, land, tmp_path):
    with pytest.raises(UserError, match=r"has no topic that nothing[.][*] matches"):
        land("nothing.*")
    create(broker, "dropped", partitions=1)
    produce(broker, numbered("dropped", 1, 1))
    land("dropped")
    spark.sql(f"drop table {table}")
    with pytest.raises(UserError, match=r"is not the table that .* belongs to, or was dropped"):
        land("dropped")
    with pytest.raises(UserError, match=r"no broker of 127.0.0.1:1 answered"):
        landing.land_topics(spark, "127.0.0.1:1", "t", table, checkpoint=str(tmp_path / "c"))
    with pytest.raises(UserError, match=r"--topics \(: no regular expression: Unclosed group"):
        land("(")


def test_a_checkpoint_keeps_its_topics(spark, broker, table, land, tmp_path):
    """Another pattern, or a new topic whose first records are gone, would ruin it for good."""
    create(broker, "kept.a", "kept.b", partitions=1)
    produce(broker, numbered("kept.a", 1, 2) + numbered("kept.b", 3, 6))
    assert land("kept[.]a").landed == 2
    with pytest.raises(UserError, match=r"has read kept.a, which Kafka no longer has, or kept"):
        land("kept[.]b")
    place = confluent_kafka.TopicPartition("kept.b", 0, 1)
    admin = AdminClient({"bootstrap.servers": broker})
    admin.delete_records([place])[place].result()
    with pytest.raises(UserError, match=r"kept.b: new to .* no longer has the first records"):
        land("kept.*")
    [a, b] = land("kept.*", checkpoint=str(tmp_path / "another")).topics
    assert (a.offsets, b.offsets, a.lag, b.lag) == (2, 3, 0, 0)
    produce(broker, numbered("kept.a", 7, 7))
    assert land("kept[.]a").landed == 1
    assert values(spark, table) == ["v1", "v2", "v4", "v5", "v6", "v7"]


def test_counts_over_several_batches(broker, table, land, monkeypatch):
    monkeypatch.setattr(landing, "BATCH_OFFSETS", 2)
    create(broker, "counted", partitions=1)
    produce(broker, numbered("counted", 1, 5))
    done = land("counted")
    assert (done.landed, done.batches) == (5, 3)
    assert [(topic.offsets, topic.lag) for topic in done.topics] == [(5, 0)]


def test_columns_go_by_name(spark, broker, table, land):
    """A table partitioned by topic has that column last."""
    spark.sql(f"create schema if not exists {SCHEMA}")
    columns = ", ".join(f"`{name}` {kind}" for name, kind in reversed(COLUMNS.items()))
    file_format = file_format_of(spark)
    spark.sql(f"create table {table} ({columns}) using {file_format} partitioned by (topic)")
    create(broker, "named", partitions=1)
    assert land("named").landed == 0
    produce(broker, numbered("named", 1, 1))
    land("named")
    [row] = spark.table(table).collect()
    assert (row.topic, row.key, row.value, row.offset) == ("named", b"1", b"v1", 0)


def test_settings_of_the_client(spark, tmp_path):
    file = tmp_path / "client.properties"
    file.write_text(
        "# how Kafka's tools read it\nsecurity.protocol: SASL_SSL\nauto.offset.reset=latest\n"
        'sasl.jaas.config=a.B required \\\n    password="x=y";\n'
    )
    assert client_settings(spark, file) == {
        "security.protocol": "SASL_SSL",
        "sasl.jaas.config": 'a.B required password="x=y";',
    }
    file.write_text("bootstrap.servers=other:9092\n")
    with pytest.raises(UserError, match=r"name the brokers by --brokers"):
        client_settings(spark, file)


def test_the_command(broker, tmp_path):
    """In a project of its own, with the session that a user gets."""
    create(broker, "shop.carts", partitions=1)
    produce(broker, numbered("shop.carts", 1, 3))
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: afterimage\n")
    shutil.copytree(ROOT / "profiles", tmp_path / "profiles")
    (tmp_path / ".jars").symlink_to(ROOT / ".jars")
    command = [sys.executable, "-c", "from afterimage.cli import main; main()", "land", "kafka"]
    command += ["--brokers", broker, "--topics", "shop[.].*", "--into", "landing.events"]
    said = []
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        said.append(done.stdout.splitlines())
    assert said == [
        [
            "shop.carts: partitions 1, offsets read 3, lag 0",
            "landing.events: landed 3, already there 0",
        ],
        [
            "shop.carts: partitions 1, offsets read 0, lag 0",
            "landing.events: landed 0, already there 0",
        ],
    ]
    wrong = tmp_path / "client.properties"
    wrong.write_text("security.protocol=NONE\n")
    with_it = [*command, "--consumer-config", "client.properties"]
    refused = subprocess.run(with_it, cwd=tmp_path, capture_output=True, text=True)
    assert refused.returncode == 1 and "security.protocol" in refused.stderr
    wrong.write_text("security.protocol=PLAINTEXT\n")
    assert subprocess.run(with_it, cwd=tmp_path, capture_output=True).returncode == 0
    for number in (signal.SIGINT, signal.SIGTERM):
        service = subprocess.Popen([*command, "--follow"], cwd=tmp_path, stdout=subprocess.PIPE)
        produce(broker, numbered("shop.carts", 4, 4))
        assert service.stdout.readline() == b"landing.events: landed 1, already there 0\n"
        service.send_signal(number)
        said = service.communicate(timeout=60)[0].decode().splitlines()
        assert service.returncode == 0
        assert said[-1] == "landing.events: landed 1, already there 0"
