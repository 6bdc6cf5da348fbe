"""Many made-up databases of MongoDB in one topic, and so in one set of models; how these differ
from what the databases held.

    python -m tests.laws.many_documents change_streams 1 --log 7    # one log alone, its faults told

With `--steps` a log is shorter: of a log that fails, the fewest steps at which it still does.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random

from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.functional.test_truth import exists_before
from tests.laws.delivery import deliveries
from tests.laws.mongo import Mongo
from tests.laws.mongo_connector import MODES, Connector
from tests.oracle import bson
from tests.oracle.bson import identity, loose
from tests.oracle.mongodb import Folded, fold
from tests.oracle.records import record_from
from tests.session import embedded_spark

TOPIC = "t.made_up.things"
# paths in a generated document; `any` if a member had several types
COLUMNS = {
    "_id": "any",
    "name": "string",
    "n": "int",
    "big": "long",
    "price": "decimal",
    "at": "date",
    "ok": "bool",
    "any": "any",
    "where.city": "any",
    "where.geo": "any",
    "items": "array",
    "items.0.sku": "any",
    "by.0": "any",
}


@dataclass(frozen=True)
class Case:
    """So many logs of one capture mode, delivered in so many runs."""

    mode: str
    seed: int
    logs: int = 8
    runs: int = 3
    in_order: bool = False
    forms: str = "connector"
    only: int | None = None  # only this log
    steps: int = 30
    sharded: bool = False  # each replica set has its own log
    steps_back: float = 0  # how often a server's clock is set back

    def connector(self, log: int) -> Connector:
        random = Random(f"{self.mode} {self.seed} {log}")
        connector = Connector(
            Mongo(
                random,
                log=log,
                sets=2 if self.sharded else 1,
                tells_clock=log % 3 == 1,
                steps_back=self.steps_back,
            ),
            random,
            mode=self.mode,
            topic=TOPIC,
            metadata=log % 3 != 2,
            tombstones=log % 4 != 3,
            forms=self.forms,
            initial=log % 5 != 4,
            run_header=log % 7 != 3,
        )
        connector.work(self.steps)
        return connector

    def connectors(self) -> list[Connector]:
        logs = range(self.logs) if self.only is None else [self.only]
        return [self.connector(log) for log in logs]

    def deliveries(self, connector: Connector) -> list[list[dict]]:
        """Without metadata only the landing order shows which of several changes of one document in
        a transaction came first, so no later read may land before the first."""
        random = Random(f"{self.mode} {self.seed} {connector.database.log} lands")
        in_order = self.in_order or not connector.metadata
        return deliveries(connector.stream, random, self.runs, in_order)


def project_of(case: Case, folder: Path, spark) -> Project:
    shards = {"key_within": "physical_table"} if case.sharded else {}
    return Project(
        folder,
        spark,
        "src",
        {"connector": "mongodb", "topic_prefix": "t"},
        {"things": {"topic": TOPIC, "key": ["_id"], "columns": COLUMNS, **shards}},
        schema="made_up_documents",
        landing="made_up_documents_landing.events",
    )


def faults_of(case: Case, spark, folder: Path, compared: Counter) -> list[str]:
    """The differences, one per line."""
    connectors = case.connectors()
    project = project_of(case, folder, spark)
    try:
        parts = [case.deliveries(connector) for connector in connectors]
        for run in range(case.runs):
            project.land([record for landed in parts for record in landed[run]])
            project.run("run")
            compared["dbt runs over made-up documents"] += 1
        faults = [f"quarantine: {row}" for row in project.rows("dq_src__quarantine")][:5]
        faults += [str(c) for c in project.counts() if c[1] in ("pending", "alarm")]
        events = sum(folded(connector).events for connector in connectors)
        staged = len(project.rows("stg_src__things"))
        compared["changes staged of made-up documents"] += staged
        if staged != events:
            faults.append(f"of {events} changes {staged} are staged")
        current, history = project.rows("cur_src__things"), project.rows("hist_src__things")
        for connector in connectors:
            mine = [row for row in current if log_of(row, connector)]
            mine_ever = [row for row in history if log_of(row, connector)]
            found = differences(connector, mine, mine_ever, compared)
            if found:
                number = connector.database.log
                command = f"python -m tests.laws.many_documents {case.mode} {case.seed}"
                command += f" --runs {case.runs}" + " --sharded" * case.sharded
                faults.append(f"{command} --log {number}: {len(found)} faults")
                faults += found[:3]
        written = project.files()
        project.run("run")
        if project.files() != written:
            faults.append("a run with nothing new wrote something")
        return faults
    finally:
        drop(spark, project)


def folded(connector: Connector, lookups: bool = False) -> Folded:
    return fold([record_from(record) for record in connector.stream], lookups=lookups)


def log_of(row: dict, connector: Connector) -> bool:
    return id_of(row) in connector.database.ids


def id_of(row: dict) -> tuple:
    """From the key: columns of documents sort their members by name."""
    return identity(bson.read(re.sub(r"^t\.rs\d\.made_up\.\w+ ", "", row["_cdc_key"])))


def differences(connector: Connector, current: list, history: list, compared: Counter) -> list[str]:
    compared["made-up databases of documents"] += 1
    compared["records of made-up databases of documents"] += len(connector.stream)
    compared["rows of cur_ with made-up documents"] += len(current)
    held = {key: connector.shown(d) for key, d in connector.database.documents.items()}
    found = rows_against(connector, current, held, None)
    for places, rows in connector.marks:
        standing = []
        for row in history:
            place = places[connector.database.home[id_of(row)].name]
            position = "{:018d}.{:010d}".format(*place.pair)
            if exists_before(row, position):
                standing.append(row)
        compared["marks of made-up documents"] += 1
        compared["rows of hist_ as of a mark with made-up documents"] += len(standing)
        held = {key: connector.shown(document) for key, document in rows.items()}
        found += [f"at {places}: {f}" for f in rows_against(connector, standing, held, places)]
    return found


def rows_against(connector: Connector, rows: list[dict], held: dict, places) -> list[str]:
    """Faults of rows; `places` of a mark, None at the end, where nothing is approximate."""
    by_id = {id_of(row): row for row in rows}
    found = [f"several rows of {len(rows) - len(by_id)} ids"] if len(by_id) < len(rows) else []
    found += [f"missing: {key}" for key in held.keys() - by_id.keys()]
    found += [f"not there: {key}" for key in by_id.keys() - held.keys()]
    for key in held.keys() & by_id.keys():
        row = by_id[key]
        document = bson.read_document(row["_cdc_document"])
        expected = held[key]
        unknown = json.loads(row["_cdc_unknown"] or "[]")
        if "_cdc_document" in unknown:
            if not connector.late:
                found.append(f"{key}: unknown, though it was read in the beginning")
            elif not is_part(loose(document), loose(expected)):
                found.append(f"{key}: held {expected}, told of it {document}")
            found += [f"{key}: {fault}" for fault in cell_faults(expected, row, unknown)]
            continue
        if places is not None and row["_cdc_approximate"]:
            states = later_states(connector, key, places)
            expected = next((s for s in states if loose(s) == loose(document)), expected)
        if loose(document) != loose(expected):
            found.append(f"{key}: held {expected}, told {document}")
        found += [f"{key}: {fault}" for fault in cell_faults(expected, row)]
    return found


def later_states(connector: Connector, key: tuple, places: dict) -> list[dict]:
    """States of the document around a mark, and the oracle's result for changes sent without the
    document on top of one that was looked up later: that state never existed."""
    place = places[connector.database.home[key].name]
    mine = [told for told in connector.database.told if told[2] == key and told[3] is not None]
    before = [told for told in mine if told[1].pair < place.pair][-1:]
    after = [told for told in mine if told[1].pair >= place.pair]
    versions = folded(connector, lookups=True).versions
    made = [v.document for v in versions if identity(v.id) == key and v.approximate]
    shown = [connector.shown(document) for *_, document in before + after]
    return shown + [document for document in made if document is not None]


# --- declared paths -----------------------------------------------------------------------------


def is_part(told, held) -> bool:
    """Whether the document contains all that is known of it; an array's indexes may be unknown."""
    if isinstance(told, dict) and isinstance(held, dict):
        return all(name in held and is_part(told[name], held[name]) for name in told)
    if isinstance(told, dict) and isinstance(held, list):
        return all(is_part(value, value_at(held, place)) for place, value in told.items())
    return told == held


def cell_faults(document: dict, row: dict, unknown: Container[str] = ()) -> list[str]:
    found = []
    for path, kind in COLUMNS.items():
        column = path.replace(".", "_")
        expected, got = value_at(document, path), row[column]
        if column in unknown:
            if got is not None:
                found.append(f"column {path}: unknown, and told {got!r}")
        elif not same_cell(kind, expected, got):
            found.append(f"column {path}: held {expected!r}, told {got!r}")
    return found


def value_at(document, path: str):
    """The value at a path; None if there is none."""
    inner = document
    for step in path.split("."):
        if isinstance(inner, dict):
            inner = inner.get(step)
        elif isinstance(inner, list) and step.isdigit() and int(step) < len(inner):
            inner = inner[int(step)]
        else:
            return None
    return inner


def same_cell(kind: str, expected, got) -> bool:
    if expected is None or got is None:
        # a path may hold null, which JSON text shows
        return expected is None and got in (None, "null")
    match kind:
        case "string":
            return got == expected
        case "int" | "long":
            return int(got) == expected.value
        case "decimal":
            return Decimal(str(got)) == Decimal(expected.text)
        case "bool":
            return got is expected
        case "date":
            return milliseconds(got) == expected.millis
    return loose(bson.read(got)) == loose(expected)


def milliseconds(moment: datetime) -> int:
    passed = moment.replace(tzinfo=moment.tzinfo or UTC) - bson.EPOCH
    return passed // timedelta(milliseconds=1)


def main() -> None:
    """The command; see the module."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("seed", type=int)
    parser.add_argument("--log", type=int)
    parser.add_argument("--logs", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--forms", default="connector")
    parser.add_argument("--in-order", action="store_true")
    parser.add_argument("--sharded", action="store_true")
    wanted = parser.parse_args()
    case = Case(
        wanted.mode, wanted.seed, wanted.logs, wanted.runs, wanted.in_order, wanted.forms,
        wanted.log, wanted.steps, wanted.sharded,
    )  # fmt: skip
    compared: Counter = Counter()
    with tempfile.TemporaryDirectory() as folder:
        spark = embedded_spark(Path(folder) / "warehouse")
        for fault in faults_of(case, spark, Path(folder) / "project", compared):
            print(fault)
    print(dict(compared))


if __name__ == "__main__":
    main()
