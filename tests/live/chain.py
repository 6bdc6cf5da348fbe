"""A living chain on loopback: PostgreSQL, Debezium in Kafka Connect, Kafka, a landing table."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from afterimage.land.brokers import NoTopic
from afterimage.land.kafka import LandedFromKafka, land_topics
from tests.live.capture import ENGINE_PROPERTIES, read_mark
from tests.live.kafka import Connect, broker
from tests.live.postgres import Postgres
from tests.live.service import Service
from tests.live.workload import Step
from tests.truth.captures import Mark

SLOT = "shop_slot"


@dataclass
class Chain:
    """The servers, and what is done with them; `marks` are states of the database, by number."""

    folder: Path
    server: Postgres
    sessions: dict
    broker: Service
    connect: Connect
    marks: dict[int, Mark] = field(default_factory=dict)

    def capture(self, name: str) -> None:
        """Add a connector that reads a snapshot and then the log. A new name has no offsets."""
        settings = {k: v for k, v in ENGINE_PROPERTIES.items() if not k.startswith("converter.")}
        self.connect.add(name, settings | self.server.connector() | {"name": name})
        self.connect.wait_until_running(name)

    def work(self, steps: list[Step], seconds: float = 0) -> None:
        """Execute steps, in about that time; the tables are read at each mark."""
        pauses = random.Random(len(steps))
        for step in steps:
            if step.kind == "mark":
                rows = read_mark(self.server, self.sessions["main"], step.mark)
                tables = {row["table"]: row["rows"] for row in rows}
                self.marks[step.mark] = Mark(step.mark, rows[0]["lsn"], tables)
            self.sessions[step.session].execute(step.sql)
            time.sleep(pauses.random() * 2 * seconds / len(steps))

    def land(self, spark, table: str) -> LandedFromKafka:
        """Land what Kafka has of the shop's topics."""
        checkpoint = str(self.folder / "checkpoint")
        try:
            return land_topics(spark, self.broker.address, r"pg1\..*", table, checkpoint=checkpoint)
        except NoTopic:  # the connector makes its topics when it has something to write
            return LandedFromKafka()

    def land_until(self, spark, table: str, mark: int, seconds: float = 120) -> None:
        """Land until the row of a mark is there, and nothing comes after it."""
        row = f'%"after":{{"n":{mark},%'
        is_mark = f"topic = 'pg1.shop.mark' and cast(value as string) like '{row}'"
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            landed = self.land(spark, table).landed
            if not landed and not spark.table(table).where(is_mark).isEmpty():
                return
            time.sleep(1)
        raise AssertionError(f"mark {mark} has not landed; {self.connect.log.read_text()[-3000:]}")


@contextmanager
def chain(folder: Path, programs: Path) -> Iterator[Chain]:
    """All servers during the block; no connector yet."""
    with ExitStack() as ends:
        server = ends.enter_context(Postgres())
        sessions = {name: ends.enter_context(server.connect()) for name in ("main", "b")}
        kafka = broker(folder / "kafka", programs)
        ends.callback(kafka.stop)
        connect = Connect(folder / "connect", programs, kafka.address)
        ends.callback(connect.stop)
        connect.start()
        yield Chain(folder, server, sessions, kafka, connect)
