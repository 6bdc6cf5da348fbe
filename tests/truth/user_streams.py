"""Streams written by users: one YAML file of contract, records and expected tables."""

import os
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.oracle.records import Record, record_from
from tests.oracle.shapes import enveloped
from tests.oracle.spec import Spec, build_spec

# What a file writes as {not_sent: true}: the source never sent the value.
NOT_SENT = "<not sent>"
EXAMPLES = Path(__file__).resolve().parent / "user_stream" / "examples"


@dataclass(frozen=True)
class UserStream:
    """`expected`: table → {"current": [row], "history": [{"row", "from", "to", "ended_by"}]},
    values as the database's text or None; "history" only if the file has it. `runs`: how many
    records land before each run of the models, if the file declares it."""

    title: str
    contract: dict
    records: list[Record]
    expected: dict[str, dict]
    runs: list[int] | None = None

    @property
    def spec(self) -> Spec:
        return build_spec(self.contract)

    @property
    def envelopes(self) -> list[Record]:
        """The records as the oracle reads them, in any form."""
        return enveloped(self.records, self.spec)


def user_stream_paths() -> list[Path]:
    """The examples here and those of AFTERIMAGE_USER_STREAMS: files or folders."""
    places = [EXAMPLES]
    places += [
        Path(p) for p in os.environ.get("AFTERIMAGE_USER_STREAMS", "").split(os.pathsep) if p
    ]
    return [
        path
        for place in places
        for path in (sorted(place.glob("*.yml")) if place.is_dir() else [place])
    ]


def is_slow(path: Path) -> bool:
    """Whether a stream goes through the models in `make test-all` only (`slow: true`)."""
    return bool(yaml.safe_load(path.read_text(encoding="utf-8")).get("slow"))


def load_user_stream(path: str | Path) -> UserStream:
    """Reads one file; the error names a missing part or an unknown table."""
    document = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    missing = {"contract", "records", "expected"} - document.keys()
    if missing:
        raise ValueError(f"{path}: lacks {', '.join(sorted(missing))}")
    unknown = document["expected"].keys() - document["contract"]["tables"].keys()
    if unknown:
        raise ValueError(f"{path}: expects tables the contract lacks: {', '.join(sorted(unknown))}")
    runs = document.get("runs")
    if runs and sum(runs) != len(document["records"]):
        raise ValueError(
            f"{path}: runs are of {sum(runs)} records, {len(document['records'])} there"
        )
    return UserStream(
        title=document.get("title", Path(path).stem),
        contract=document["contract"],
        records=[record_from(record) for record in document["records"]],
        expected={name: _expected(tables) for name, tables in document["expected"].items()},
        runs=runs,
    )


def _expected(tables: dict) -> dict:
    found = {"current": [_texts(row) for row in tables["current"]]}
    if "history" in tables:
        found["history"] = [
            version | {"row": _texts(version["row"])} for version in tables["history"]
        ]
    return found


def _texts(row: dict) -> dict:
    """The database's text of a value written unquoted in YAML."""
    return {
        column: NOT_SENT
        if value == {"not_sent": True}
        else value
        if value is None or isinstance(value, str)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
        for column, value in row.items()
    }
