"""Takes a made-up log whose models fail and leaves out records until none more can go.

    python -m tests.laws.shrink postgresql 1 [keyed 7] [--out FILE] [--alone]

Without a table and a log it looks for the shortest log that fails. The oracle gives the expected
result for any part of a log, so a part fails while models and oracle differ, at the end or at a
mark. The same dbt runs try many parts, each as its own log. The rest is written as a stream of
tests/truth/user_stream, with the oracle's tables as the expected ones; check them before you keep
it. Takes some minutes.

`--alone`: one part at a time, for a log that fails only without other logs.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations, groupby
from pathlib import Path
from random import Random

import yaml

from tests.functional.capture_project import project_of_spec, table_name
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.test_truth import exists_before
from tests.laws.many import Case, contract
from tests.laws.test_model_laws import CASES, by_log, living
from tests.oracle.fold import as_of, fold
from tests.oracle.postgres import UNKNOWN
from tests.oracle.records import record_from
from tests.oracle.spec import place_in_log
from tests.session import embedded_spark
from tests.truth.test_user_streams import differences
from tests.truth.user_streams import NOT_SENT

Part = list[tuple[int, int]]  # (run, position in the stream) of each record, in landing order
RECORDS_A_TRY = 15_000
STRIDE = 12  # what a writer varies by the number of a log repeats after so many
FEW = 9  # so few records that every selection of them can be tried at once


def main() -> None:
    """The command; see the module."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("connector")
    parser.add_argument("seed", type=int)
    parser.add_argument("table", nargs="?")
    parser.add_argument("log", type=int, nargs="?")
    parser.add_argument("--out", type=Path, default=Path("shrunk.yml"))
    parser.add_argument("--alone", action="store_true")
    wanted = parser.parse_args()
    case = next(
        (case.values[0] for case in CASES if has_seed(case.values[0], wanted)),
        Case(wanted.connector, wanted.seed),
    )
    with tempfile.TemporaryDirectory() as folder:
        spark = embedded_spark(Path(folder) / "warehouse")
        for name in [wanted.table] if wanted.table else case.kinds:
            logs = range(case.logs) if wanted.log is None else [wanted.log]
            tries = Tries(spark, Path(folder), case, name, wanted.alone)
            failing = tries.failing([(log, tries.landed(log)) for log in logs])
            if failing:
                log, landed = min(failing, key=lambda found: len(found[1]))
                for left in tries.shrunk(log, landed):
                    wanted.out.write_text(fixture(case, name, log, left), "utf-8")
                    told = f"of {len(landed)} records {len(left)} left: {wanted.out}"
                    print(f"{name} {log}: {told}", flush=True)
                return
            print(f"{name}: models and oracle agree")


def has_seed(case: Case, wanted) -> bool:
    return (case.connector, case.seed) == (wanted.connector, wanted.seed)


class Tries:
    """Models of one table over parts of logs, compared with the oracle over the same records."""

    def __init__(self, spark, folder: Path, case: Case, name: str, alone: bool):
        self.spark, self.folder, self.case, self.name = spark, folder, case, name
        self.alone, self.count = alone, 0
        self.spec = case.spec([name])
        self.table = self.spec.tables[f"made_up.{name}"]

    def landed(self, log: int) -> Part:
        """All of a log as its case delivers it."""
        places = list(range(len(self.case.database(self.name, log).stream)))
        parts = self.case.deliveries(self.name, log, places)
        return [(run, place) for run, part in enumerate(parts) for place in part]

    def shrunk(self, log: int, landed: Part) -> Iterator[Part]:
        """Shorter and shorter parts of the log that still fail."""
        yield landed
        no_truncate = [item for item in landed if not self.has_truncate(log, [item])]
        if no_truncate != landed and self.failing([(log, no_truncate)]):
            landed = no_truncate
        if self.goes_alone(log, landed):
            yield from smaller_one_by_one(landed, lambda part: self.failing([(log, part)]))
            return

        def failing(parts: list[Part]) -> list[Part]:
            return [part for _, part in self.failing([(log, part) for part in parts])]

        yield from smaller(landed, failing)

    def goes_alone(self, log: int, part: Part) -> bool:
        """A truncate ends the rows of the logs before it, so its log is tried alone."""
        return self.alone or self.has_truncate(log, part)

    def has_truncate(self, log: int, part: Part) -> bool:
        records = records_of(self.case, self.name, log, part)
        return any('"op": "t"' in (record["value"] or "") for _, record in records)

    def failing(self, tries: list[tuple[int, Part]]) -> list[tuple[int, Part]]:
        """The tries (log, part of it) whose models differ from the oracle."""
        alone = [one for one in tries if self.goes_alone(*one)]
        company = [one for one in tries if one not in alone]
        return [one for some in (*([one] for one in alone), company) for one in self._failing(some)]

    def _failing(self, tries: list[tuple[int, Part]]) -> list[tuple[int, Part]]:
        """The same for tries that run together, each as its own log."""
        if not tries:
            return []
        streams = [
            records_of(self.case, self.name, log, part, under(number, log))
            for number, (log, part) in enumerate(tries)
        ]
        try:
            return [tries[number] for number in self.differing(streams, [log for log, _ in tries])]
        except DbtFailed as error:
            if len(tries) == 1:
                print(error, file=sys.stderr)
                return tries
            middle = len(tries) // 2
            return self._failing(tries[:middle]) + self._failing(tries[middle:])

    def differing(self, streams: list[list[tuple[int, dict]]], logs: list[int]) -> list[int]:
        """Numbers of the streams, landed together, whose cur_, or hist_ as of a mark of their log,
        differs from the oracle's."""
        self.count += 1
        folder = f"try{self.count}"
        project = project_of_spec(self.spec, self.folder / folder, self.spark, schema=folder)
        try:
            for run in sorted({run for stream in streams for run, _ in stream}):
                project.land([r for stream in streams for part, r in stream if part == run])
                project.run("run")
            model = table_name(self.table.name)
            current = by_log(project.rows(f"cur_src__{model}"))
            history = by_log(project.rows(f"hist_src__{model}"))
        finally:
            drop(self.spark, project)
        found = []
        for number, stream in enumerate(streams):
            folded = fold([record_from(record) for _, record in stream], self.spec)
            versions = folded.versions[self.table.name]
            log = under(number, logs[number])
            faults = self.faults(folded.current[self.table.name], living(current[log]))
            for position, _ in self.case.database(self.name, logs[number], log).marks:
                shown = [row for row in history[log] if exists_before(row, position)]
                faults += self.faults(as_of(versions, place_in_log(position)), shown)
            if faults:
                found.append(number)
        sizes = f"{len(streams)} of at most {max(map(len, streams))} records"
        print(f"try {self.count}: {sizes}, {len(found)} fail", file=sys.stderr)
        return found

    def faults(self, expected: list[dict], got: list[dict]) -> list[str]:
        return differences(self.table, [plain(row) for row in expected], got)


def under(number: int, log: int) -> int:
    """The number under which a log is tried, by its ordinal among the tries."""
    return number * STRIDE + log % STRIDE


def records_of(
    case: Case, name: str, log: int, part: Part, number: int | None = None
) -> list[tuple[int, dict]]:
    """(run, record) of a part of a log, under the number of a log."""
    stream = case.database(name, log, under(0, log) if number is None else number).stream
    return [(run, stream[place]) for run, place in part]


def plain(row: dict) -> dict:
    """The oracle's row as a user stream expects it."""
    return {column: NOT_SENT if value is UNKNOWN else value for column, value in row.items()}


# --- shorter and shorter ------------------------------------------------------------------------


def smaller(part: Part, failing) -> Iterator[Part]:
    """Ever shorter parts that still fail, by `failing` (parts -> those that fail), round by
    round."""
    random, spare = Random(0), part
    while failed := failing(fewer(part, spare, random)):
        # what could be removed singly may be removable together: the next round tries more at once
        spare = [item for item in part if [other for other in part if other != item] in failed]
        part = min(failed, key=size)
        spare = [item for item in spare if item in part]
        yield part


def smaller_one_by_one(part: Part, fails) -> Iterator[Part]:
    """The same if a try takes one part: leaves out ever shorter stretches (delta debugging)."""
    length = len(part) // 2
    while length:
        at = 0
        while at < len(part):
            rest = part[:at] + part[at + length :]
            if rest and fails(rest):
                part = rest
                yield part
            else:
                at += length
        length //= 2


def size(part: Part) -> tuple[int, int]:
    return len(part), len({run for run, _ in part})


def fewer(part: Part, spare: Part, random: Random) -> list[Part]:
    """Parts with fewer records, or fewer runs: all there are, or as many as fit one try."""
    runs = sorted({run for run, _ in part})
    found = [[(run - (run >= later), place) for run, place in part] for later in runs[1:]]
    if len(part) <= FEW:
        found += [list(some) for n in range(1, len(part)) for some in combinations(part, n)]
        return found
    length = len(part) // 2
    while length > 1:
        found += [part[:at] + part[at + length :] for at in range(0, len(part), length)]
        found += [part[at : at + length] for at in range(0, len(part), length)]
        length //= 2
    for share in (0.5, 0.7, 0.9, 0.95, 1.0) * 8:
        gone = {item for item in spare if random.random() < share}
        found.append([item for item in part if item not in gone])
    alone = [[other for other in part if other != item] for item in part]
    fit = RECORDS_A_TRY // len(part) - len(alone)
    found = [some for some in found if some and some != part]
    return alone + (random.sample(found, fit) if 0 < fit < len(found) else found)


# --- the resulting stream -----------------------------------------------------------------------


def fixture(case: Case, name: str, log: int, part: Part) -> str:
    """The YAML of tests/truth/user_stream."""
    landed = records_of(case, name, log, part)
    spec, table = case.spec([name]), f"made_up.{name}"
    folded = fold([record_from(record) for _, record in landed], spec)
    expected = {"current": [in_yaml(row) for row in folded.current[table]]}
    if case.connector == "postgresql" and spec.tables[table].key:
        expected["history"] = [
            {
                "row": {c: v for c, v in version.values.items() if v is not UNKNOWN},
                "from": version.start.lsn,
                "to": version.end and version.end.lsn,
                "ended_by": version.end_reason,
            }
            for version in folded.versions[table]
        ]
    document = {
        "title": f"Shrunk from a made-up database ({case.connector}, seed {case.seed}, log {log})",
        "contract": contract(case.connector, {table: case.database(name, log).declared}),
        "runs": [len(list(some)) for _, some in groupby(landed, key=lambda item: item[0])],
        "records": [
            record | {"value": record["value"] and json.loads(record["value"])}
            for _, record in landed
        ],
        "expected": {table: expected},
    }
    return yaml.dump(document, Dumper=_Indented, sort_keys=False, allow_unicode=True, width=100)


def in_yaml(row: dict) -> dict:
    return {c: {"not_sent": True} if value is UNKNOWN else value for c, value in row.items()}


class _Indented(yaml.SafeDumper):
    """Lists are indented more than their keys, as in the project's YAML."""

    def increase_indent(self, flow=False, indentless=False):
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data):
        return True


if __name__ == "__main__":
    main()
