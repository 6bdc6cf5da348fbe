"""docs/concepts/compared.md: its measurements are those of the benchmark's page, and each tool has
its evidence."""

import re

import pytest

from tests.docs.markdown import ROOT, sections, tables

PAGE = (ROOT / "docs/concepts/compared.md").read_text(encoding="utf-8")
PARTS = sections(PAGE)
BENCHMARK = (ROOT / "docs/benchmark.md").read_text(encoding="utf-8")
MEASURED = tables(PARTS["Measured"])[0].rows
STEPS = {"first load": "First load", "increment": "Increment"}
TOOLS = tables(PARTS["What each does with changes"])[0].rows


def measured(step: str) -> dict[str, dict[str, str]]:
    """Contestant → its row of the benchmark."""
    [table] = tables(sections(BENCHMARK)[STEPS[step]])
    return {row[""].replace("**", ""): row for row in table.rows}


@pytest.mark.parametrize("row", MEASURED, ids=lambda row: row["run"])
def test_numbers_are_those_of_the_benchmark(row):
    name = row["run"].removesuffix(" (Parquet)")
    formats = ["parquet"] if name != row["run"] else ["delta", "iceberg"]
    for step in STEPS:
        theirs, ours = measured(step)[name], measured(step)[f"afterimage, {row['beside ours']}"]
        parts = [
            float(theirs[column].split()[0]) / float(ours[column].split()[0])
            for column in (f"{file_format}, of floor" for file_format in formats)
        ]
        assert row[step] == ", ".join(f"{part:.2f}" for part in parts), step
        assert ours["wrong rows"] == "0"
    wrong = ", ".join(measured(step)[name]["wrong rows"] for step in STEPS)
    assert row["wrong rows: first load, then"] == wrong


def test_every_contestant_is_there():
    others = {name for name in measured("increment") if not name.startswith("afterimage")}
    assert others == {row["run"].removesuffix(" (Parquet)") for row in MEASURED}


def test_versions_are_those_of_the_benchmark():
    [said] = re.findall(r"Run on ([\d-]+) with (.*?)\.\n", PARTS["Measured"], re.DOTALL)
    [line] = re.findall(r"(?m)^Measured on ([\d-]+), two cores.*: (.*)$", BENCHMARK)
    assert said[0] == line[0]
    versions = re.findall(r"\d+\.\d+(?:\.\d+)?", said[1])
    assert len(versions) == 5 and all(version in line[1] for version in versions)


def test_each_tool_says_how_it_is_known():
    known = re.compile(r"run\b|tried\b|read \(\[(\d+)\]\)")
    found = [known.match(row["known by"]) for row in TOOLS]
    assert all(found)
    cited = sorted(int(match[1]) for match in found if match[1])
    assert cited == [int(number) for number in re.findall(r"(?m)^\[(\d+)\]: https://", PAGE)]
