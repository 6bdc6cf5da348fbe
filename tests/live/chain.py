"""A living chain on loopback: a database, Debezium in Kafka Connect, Kafka, a landing table."""

import itertools
import random
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from afterimage.land.brokers import NoTopic
from afterimage.land.kafka import LandedFromKafka, land_topics
from tests.live.capture import ENGINE_PROPERTIES, read_mark
from tests.live.kafka import Connect, broker
from tests.live.mysql import Mysql
from tests.live.postgres import Postgres
from tests.live.service import Service
from tests.live.workload import Shop, Step, day
from tests.truth.captures import Mark, place_of

SLOT = "shop_slot"
KAFKA_HISTORY = "io.debezium.storage.kafka.history.KafkaSchemaHistory"


@dataclass
class Chain:
    """The servers, and what is done with them; `marks` are states of the database, by number."""

    folder: Path
    server: Postgres | Mysql
    sessions: dict
    broker: Service
    connect: Connect
    marks: dict[int, Mark] = field(default_factory=dict)

    @property
    def prefix(self) -> str:
        return self.server.connector()["topic.prefix"]

    def capture(self, name: str, **more: str) -> None:
        """Add a connector that reads a snapshot and then the log; more: settings that replace or
        add to the usual ones, `_` for each dot. A new name has no offsets; an old one goes on from
        them, with the server as it is now."""
        settings = {k: v for k, v in ENGINE_PROPERTIES.items() if not k.startswith("converter.")}
        settings |= self.server.connector() | {"name": name}
        if "schema.history.internal" in settings:
            settings["schema.history.internal"] = KAFKA_HISTORY
            settings["schema.history.internal.kafka.topic"] = f"history-{name}"
            settings["schema.history.internal.kafka.bootstrap.servers"] = self.broker.address
        settings |= {key.replace("_", "."): value for key, value in more.items()}
        self.connect.add(name, settings)
        self.connect.wait_until_running(name)

    def work(self, steps: list[Step], seconds: float = 0) -> None:
        """Execute steps, in about that time; the tables are read at each mark."""
        pauses = random.Random(len(steps))
        for step in steps:
            if step.kind == "mark":
                rows = read_mark(self.server, self.sessions["main"], step.mark)
                tables = {row["table"]: row["rows"] for row in rows}
                self.marks[step.mark] = Mark(step.mark, place_of(rows[0]), tables)
            self.sessions[step.session].execute(step.sql)
            time.sleep(pauses.random() * 2 * seconds / len(steps))

    def rows(self) -> dict[str, list[dict]]:
        """What the database holds now, by the table's full name."""
        tables = self.server.read_tables(self.sessions["main"])
        return {f"shop.{name}": rows for name, rows in tables.items()}

    def versions(self) -> dict[str, str]:
        kafka, debezium = self.connect.versions(self.server.connector()["connector.class"])
        database = self.server.version(self.sessions["main"])
        return {self.server.title: database, "Debezium": debezium, "Kafka": kafka}

    def land(self, spark, table: str) -> LandedFromKafka:
        """Land what Kafka has of the shop's topics."""
        checkpoint = str(self.folder / "checkpoint")
        try:
            topics = rf"{self.prefix}\..*"
            return land_topics(spark, self.broker.address, topics, table, checkpoint=checkpoint)
        except NoTopic:  # the connector makes its topics when it has something to write
            return LandedFromKafka()

    def land_until(self, spark, table: str, mark: int, seconds: float = 120) -> None:
        """Land until the row of a mark is there, and nothing comes after it."""
        row = f'%"after":{{"n":{mark},%'
        is_mark = f"topic = '{self.prefix}.shop.mark' and cast(value as string) like '{row}'"
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            landed = self.land(spark, table).landed
            if not landed and not spark.table(table).where(is_mark).isEmpty():
                return
            time.sleep(1)
        raise AssertionError(f"mark {mark} has not landed; {self.connect.log.read_text()[-3000:]}")


class Writer:
    """Writes days of the shop until it is ended, in a thread; the schema changes on the first."""

    def __init__(self, servers: Chain, shop: Shop, changes_a_second: float) -> None:
        self._sessions, self._shop, self._rate = servers.sessions, shop, changes_a_second
        self._goes_on, self._writes, self._ends = threading.Event(), threading.Lock(), False
        self._goes_on.set()

    def write(self, transactions_a_day: int = 120) -> None:
        for number in itertools.count():
            for operation in day(self._shop, transactions_a_day, changes_schema=number == 0):
                self._goes_on.wait()
                if self._ends:
                    return
                with self._writes:
                    for step in operation:
                        changed = self._sessions[step.session].execute(step.sql).rowcount
                        time.sleep(max(changed, 0) / self._rate)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing is written during the block, and no transaction is open."""
        self._goes_on.clear()
        with self._writes:
            yield
        self._goes_on.set()

    def end(self) -> None:
        self._ends = True
        self._goes_on.set()


@contextmanager
def chain(folder: Path, programs: Path, database: type = Postgres) -> Iterator[Chain]:
    """All servers during the block; no connector yet."""
    with ExitStack() as ends:
        server = ends.enter_context(database())
        sessions = {name: ends.enter_context(server.connect()) for name in ("main", "b")}
        kafka = broker(folder / "kafka", programs)
        ends.callback(kafka.stop)
        connect = Connect(folder / "connect", programs, kafka.address)
        ends.callback(connect.stop)
        connect.start()
        yield Chain(folder, server, sessions, kafka, connect)
