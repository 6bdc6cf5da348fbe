"""Takes a made-up database whose models fail and leaves out records until none more can go.

    python -m tests.laws.shrink postgresql 4 [--table made_up.keyed] [--out FILE]

Of any part of a stream the oracle tells what it means, so a part counts as failing while models and
oracle differ. What is left is written as a stream of tests/truth/user_stream, with the oracle's
rows as what is expected; look at them before you keep it. Takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from random import Random

import yaml

from tests.functional.capture_project import project_of_spec, table_name
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.laws.delivery import deliveries
from tests.laws.test_model_laws import CASES, RUNS, made_up, spec_of
from tests.oracle.fold import fold
from tests.oracle.postgres import UNKNOWN
from tests.oracle.records import record_from
from tests.session import embedded_spark
from tests.truth.test_user_streams import differences


def main() -> None:
    """The command; see the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("connector")
    parser.add_argument("seed", type=int)
    parser.add_argument("--table")
    parser.add_argument("--out", type=Path, default=Path("shrunk.yml"))
    wanted = parser.parse_args()
    in_order = {case.values[:2]: case.values[2] for case in CASES}.get(
        (wanted.connector, wanted.seed), False
    )
    databases = made_up(wanted.connector, wanted.seed)
    with tempfile.TemporaryDirectory() as folder:
        spark = embedded_spark(Path(folder) / "warehouse")
        random = Random(wanted.seed)
        for name, database in databases.items():
            parts = deliveries(database.stream, random, RUNS, in_order)
            if wanted.table not in (None, name):
                continue
            trial = Trial(spark, Path(folder), spec_of({name: database}, wanted.connector), name)
            landed = [(run, record) for run, part in enumerate(parts) for record in part]
            if trial.fails(landed):
                shrunk = smallest(landed, trial.fails)
                wanted.out.write_text(fixture(trial.spec, database, shrunk, wanted), "utf-8")
                print(f"{name}: {len(landed)} records, {len(shrunk)} left: {wanted.out}")
                return
            print(f"{name}: models and oracle agree")


class Trial:
    """Models of one table over some deliveries, against the oracle over the same records."""

    def __init__(self, spark, folder: Path, spec, name: str):
        self.spark, self.folder, self.spec, self.name, self.tries = spark, folder, spec, name, 0

    def fails(self, landed: list[tuple[int, dict]]) -> bool:
        """Whether cur_ or hist_ differ from the oracle, or dbt fails."""
        self.tries += 1
        print(f"try {self.tries}: {len(landed)} records", file=sys.stderr)
        project = project_of_spec(
            self.spec, self.folder / f"try{self.tries}", self.spark, f"try{self.tries}"
        )
        try:
            for run in range(RUNS):
                project.land([record for part, record in landed if part == run])
                project.run("run")
            return self.differs(project, [record_from(record) for _, record in landed])
        except DbtFailed as error:
            print(error, file=sys.stderr)
            return True
        finally:
            drop(self.spark, project)

    def differs(self, project, records) -> bool:
        folded, table = fold(records, self.spec), self.spec.tables[self.name]
        current = project.rows(f"cur_src__{table_name(self.name)}")
        history = project.rows(f"hist_src__{table_name(self.name)}")
        versions = [version.values for version in folded.versions[self.name]]
        expected = [plain(row) for row in folded.current[self.name]]
        return bool(differences(table, expected, current) or len(history) != len(versions))


def plain(row: dict) -> dict:
    """The oracle's row without what it does not know, which is then not compared."""
    return {column: value for column, value in row.items() if value is not UNKNOWN}


def smallest(items: list, fails) -> list:
    """Leaves out ever smaller runs of items as long as the rest fails (delta debugging)."""
    size = len(items) // 2
    while size:
        start = 0
        while start < len(items):
            rest = items[:start] + items[start + size :]
            if rest and fails(rest):
                items = rest
            else:
                start += size
        size //= 2
    return items


def fixture(spec, database, landed: list[tuple[int, dict]], wanted) -> str:
    """The YAML of tests/truth/user_stream."""
    records = [record for _, record in landed]
    folded = fold([record_from(record) for record in records], spec)
    name = next(iter(spec.tables))
    document = {
        "title": f"Shrunk from a made-up database ({wanted.connector}, seed {wanted.seed})",
        "contract": {
            "connector": wanted.connector,
            "settings": {"decimal_handling_mode": "string"},
            "tables": {name: database.declared},
        },
        "records": [record | {"value": json.loads(record["value"])} for record in records],
        "expected": {name: {"current": [plain(row) for row in folded.current[name]]}},
    }
    return yaml.dump(document, Dumper=_Indented, sort_keys=False, allow_unicode=True)


class _Indented(yaml.SafeDumper):
    """Lists stand further in than their keys, as the project's YAML has them."""

    def increase_indent(self, flow=False, indentless=False):
        return super().increase_indent(flow, False)


if __name__ == "__main__":
    main()
