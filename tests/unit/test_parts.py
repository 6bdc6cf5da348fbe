"""The parts of the suite: every test is in one of them, and CI reaches each in turn."""

import datetime
import importlib.util
import io
import sys
from pathlib import Path

import pytest
from rich.console import Console

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("parts", ROOT / "scripts" / "ci" / "parts.py")
parts = sys.modules["parts"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(parts)

PYTEST = [part for part in parts.PARTS if not part.command]


def test_names_differ():
    names = [part.name for part in parts.PARTS]
    assert len(names) == len(set(names))


def test_every_file_is_in_one_part_with_spark_and_in_the_quick_one():
    [quick] = [part for part in PYTEST if part.marks.startswith("not spark")]
    there = {
        str(path.relative_to(ROOT))
        for path in ROOT.glob("tests/*/test_*.py")
        if path.parent.name != "live"
    }
    assert there <= set(quick.paths)
    # shards are one part here
    of_spark = {tuple(part.paths) for part in PYTEST if part != quick}
    named = [path for paths in of_spark for path in paths]
    assert len(named) == len(set(named))
    without_spark = {"oracle", "mutants"}
    assert {Path(name).parts[1] for name in there - set(named)} == without_spark


def test_all_shards_of_a_part_are_there():
    for part in PYTEST:
        if part.shard:
            shards = part.shard.split("/")[1]
            names = {other.shard for other in PYTEST if other.paths == part.paths}
            assert names == {f"{n}/{shards}" for n in range(1, int(shards) + 1)}, part.name


def test_each_hour_begins_with_the_next_part():
    first = {parts.in_turn(hour)[0].name for hour in range(len(parts.PARTS))}
    assert first == {part.name for part in parts.PARTS}
    assert parts.in_turn(1) == [*parts.in_turn(0)[1:], parts.in_turn(0)[0]]


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The machine's own records stay untouched."""
    monkeypatch.setattr(parts, "OUT", tmp_path)
    monkeypatch.setattr(parts, "RAN", tmp_path / "ran.json")


@pytest.mark.parametrize(
    ("command", "outcome"), [("exit 0", "passed"), ("exit 3", "failed"), ("sleep 60", "cut off")]
)
def test_how_a_part_ends(kept, command, outcome):
    part = parts.Part("some", "something", 1, command=("bash", "-c", command))
    assert parts.run(part, resume=False, seconds=2).outcome == outcome


def test_a_part_whose_time_ends_starts_no_further_test(kept):
    part = parts.Part("some", "something", 1, ("tests/unit/test_placeholder.py",), marks="")
    ended = parts.run(part, resume=False, seconds=0.01)
    assert ended.outcome == "cut off"
    assert ended.found["tests"]["passed"] == 0 < ended.found["tests"]["skipped"]


def test_the_last_lines_name_what_was_left_out_and_when_it_last_ran(kept):
    names = [part.name for part in parts.PARTS]
    parts.remember(names[1])
    found = {"tests": {"passed": 7}, "compared": {"rows of cur_": 1234}}
    console = Console(record=True, width=160, file=io.StringIO())
    parts.report({names[0]: parts.Ended("passed", 90, found)}, console)
    lines = {line.split()[1]: line for line in console.export_text().splitlines() if "│" in line}
    assert "1.5" in lines[names[0]] and "1,234 rows of cur_" in lines[names[0]]
    assert f"last ran: {datetime.date.today()}" in lines[names[1]]
    assert "never on this machine" in lines[names[2]]


def test_parts_of_one_name_are_asked_for_together():
    laws = [part.name for part in parts.PARTS if part.family == "laws"]
    assert laws == ["laws-1", "laws-2", "laws-3"]
    assert [part.family for part in parts.PARTS if part.name == "types"] == ["types"]
