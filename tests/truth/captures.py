"""Captures on disk: where they are, their records, their truth, and what is out of reach."""

import json
import os
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import yaml

from tests.oracle.avro import decoded
from tests.oracle.lsn import Db2Place, SqlServerPlace
from tests.oracle.records import Record, read_binary_records, read_json_lines, read_records
from tests.oracle.shapes import enveloped
from tests.oracle.spec import Spec, Table, load_spec
from tests.truth.compare import canonical_key, compare_table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHARED_CAPTURES = (
    "pg-inventory",
    "pg-restart-duplicates",
    "pg-inventory-with-schema",
    "pg-null-kept",
    "pg-debezium23",
    "pg-time-microseconds",
    "pg-time-connect",
    "pg-time-isostring",
    "pg-outbox",
    "pg-resnapshot",
    "pg-incremental-snapshot",
    "pg-message-key",
    "pg-reselect",
    "pg-routed",
    "pg-via-root",
    "mariadb-inventory",
    "mysql9-full",
    "mysql9-killed",
    "mysql9-partialjson",
    "mysql9-schema",
    "pg-unwrap",
    "pg-unwrap-tombstone",
    "pg-cloudevents",
    "pg-cloudevents-plain",
    "pg-avro",
    "pg-avro-apicurio8",
    "pg-avro-headers",
)


@dataclass(frozen=True)
class Capture:
    """One capture folder with its spec; `former_spec` also has the columns dropped on the way."""

    name: str
    folder: Path

    @cached_property
    def records(self) -> list[Record]:
        read = read_binary_records if self.in_avro else read_records
        return read(self.folder / "events.jsonl.gz")

    @property
    def in_avro(self) -> bool:
        return "avro_schemas" in self.spec.contract

    @cached_property
    def schemas(self) -> list[dict]:
        """The registry's content, for a capture in Avro: id, subject and schema of each."""
        kind = self._declared["avro_ids"]
        return [
            {"id": entry[kind], "subject": entry["artifact"], "schema": entry["schema"]}
            for entry in json.loads((self.folder / "schemas.json").read_text(encoding="utf-8"))
        ]

    @cached_property
    def envelopes(self) -> list[Record]:
        """The records as the oracle reads them, in any form."""
        records = self.records
        if self.in_avro:
            schemas = {entry["id"]: entry["schema"] for entry in self.schemas}
            framing = self.spec.contract.get("avro_framing", "confluent")
            records = [decoded(record, schemas, framing) for record in records]
        return enveloped(records, self.spec)

    @cached_property
    def spec(self) -> Spec:
        return load_spec(HERE / f"{self.name}.yml")

    @cached_property
    def former_spec(self) -> Spec:
        return load_spec(HERE / f"{self.name}.yml", former=True)

    @cached_property
    def left_out(self) -> dict[str | int, str]:
        """table, or number of a mark → why it is not compared."""
        return self._declared.get("left_out") or {}

    @cached_property
    def _declared(self) -> dict:
        return yaml.safe_load((HERE / f"{self.name}.yml").read_text(encoding="utf-8"))

    @cached_property
    def final(self) -> dict[str, list[dict]]:
        """table → the rows the database held at the end."""
        return {
            path.name.removesuffix(".jsonl"): read_json_lines(path)
            for path in sorted((self.folder / "truth").glob("*.jsonl"))
            if path.name != "marks.jsonl" and path.name.removesuffix(".jsonl") not in self.left_out
        }

    @cached_property
    def marks(self) -> dict[int, "Mark"]:
        path = self.folder / "truth" / "marks.jsonl"
        found: dict[int, Mark] = {}
        for line in read_json_lines(path) if path.exists() else []:
            if line["table"] in self.left_out or line["mark"] in self.left_out:
                continue
            mark = found.setdefault(line["mark"], Mark(line["mark"], place_of(line), {}))
            mark.tables[line["table"]] = line["rows"]
        return found

    @cached_property
    def out_of_reach(self) -> list["OutOfReach"]:
        path = HERE / f"{self.name}.out_of_reach.yml"
        entries = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else []
        return [OutOfReach.read(entry) for entry in entries or []]

    def truth(self, at: int | str) -> dict[str, list[dict]]:
        """table → the database's rows at a mark's number, or at "final"."""
        return self.final if at == "final" else self.marks[at].tables

    def faults(self, table: Table, at: int | str, rows: list) -> list[str]:
        """The faults in the rows of a table, at a mark's number or at "final".

        `rows` are dicts or PySpark Rows as `compare_table` takes them. A difference in a cell that
        is listed as out of reach is no fault; a listed cell that is equal, or gone, is one. A row
        that only the model has (its delete is not in the stream) is listed as column `*`.
        """
        differences = compare_table(table, self.truth(at)[table.name], rows)
        differing = {(d.key, d.column): d for d in differences}
        faults = []
        for entry in self.out_of_reach:
            if (entry.table, entry.at) != (table.name, str(at)):
                continue
            if entry.column not in ("*", *table.columns):
                continue
            for key in entry.keys:
                column = None if entry.column == "*" else entry.column
                cell = canonical_key(table, dict(zip(table.key, key, strict=True))), column
                if differing.pop(cell, None) is None:
                    faults.append(
                        f"{table.name} {key} {entry.column}: listed as out of reach ("
                        f"{entry.reason}) but equal, gone or listed twice"
                    )
        return [
            str(difference)
            for difference in differences
            if (difference.key, difference.column) in differing
        ] + faults


@dataclass(frozen=True)
class Mark:
    """The state of the tables before anything from `lsn` on was written: PostgreSQL's lsn, or
    (number of the file, position, row) of a binary log."""

    number: int
    lsn: int | tuple
    tables: dict[str, list[dict]]

    @property
    def position(self) -> str:
        """The same in the form of `_cdc_position`."""
        return position_text(self.lsn)


def position_text(lsn: int | tuple) -> str:
    """A position in the log, as a `Mark` has it → as `_cdc_position` has it."""
    if isinstance(lsn, int):
        return f"{lsn:020d}"
    if isinstance(lsn, SqlServerPlace | Db2Place):
        return lsn.text
    file, place, row = lsn
    return f"{file:010d}.{place:012d}.{row:010d}"


def place_of(line: dict) -> int | tuple:
    """The position of a mark. A binary log's is where the last event ended: the rows of a snapshot
    taken there (row 0) are before it. No change begins there, because a GTID event does."""
    if "lsn" in line:
        return line["lsn"]
    return int(line["file"].rpartition(".")[2]), line["pos"], 1


@dataclass(frozen=True)
class OutOfReach:
    """Cells of one column, or full rows (`*`), at one point, that the stream does not carry."""

    table: str
    column: str
    at: str  # "final" or a mark's number, as text
    keys: tuple[tuple, ...]  # the database's texts
    reason: str
    evidence: str

    @classmethod
    def read(cls, entry: dict) -> "OutOfReach":
        """Reads one item of the YAML list; a key of one column may be written without brackets."""
        missing = {"table", "column", "mark", "keys", "reason", "evidence"} - entry.keys()
        if missing:
            raise ValueError(f"out of reach entry lacks {sorted(missing)}: {entry}")
        keys = (key if isinstance(key, list) else [key] for key in entry["keys"])
        return cls(
            table=entry["table"],
            column=entry["column"],
            at=str(entry["mark"]),
            keys=tuple(tuple(str(part) for part in key) for key in keys),
            reason=entry["reason"],
            evidence=entry["evidence"],
        )


def shared_folder(kind: str = "captures") -> Path:
    """The folder of shared captures or fixtures: AFTERIMAGE_SHARED, else next to the repository."""
    return Path(os.environ.get("AFTERIMAGE_SHARED") or ROOT.parent / "shared") / kind


@cache
def captures() -> dict[str, Capture]:
    """Every capture that has a spec here, whether on disk or not."""
    found = {name: Capture(name, shared_folder() / name) for name in SHARED_CAPTURES}
    for folder in sorted((ROOT / "tests" / "captures").glob("*")):
        if (HERE / f"{folder.name}.yml").exists():
            found[folder.name] = Capture(folder.name, folder)
    return found
