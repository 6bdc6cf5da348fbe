"""docs/concepts/compared.md: its measurements are those of the benchmark's page, each tool and each
feature has its evidence."""

import re

import pytest

from tests.docs.markdown import ROOT, sections, tables

PAGE = (ROOT / "docs/concepts/compared.md").read_text(encoding="utf-8")
PARTS = sections(PAGE)
BENCHMARK = (ROOT / "docs/benchmark.md").read_text(encoding="utf-8")
MEASURED = tables(PARTS["Measured"])[0].rows
STEPS = {"first load": "First load", "increment": "Increment"}
OTHER_TOOLS = tables(PARTS["What each does with changes"])[0].rows
CLOSE_TOOLS, FEATURES = (table.rows for table in tables(PARTS["Features and their evidence"]))
# number → where it leads
SOURCES = re.findall(r"(?m)^\[(\d+)\]: (\S+)$", PAGE)
NOT_FOUND, NOT_APPLICABLE = "?", "\N{EN DASH}"


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


def cited(text: str) -> list[str]:
    """The numbers of the sources that a text cites."""
    return re.findall(r"\[(\d+)\](?!:)", text)


@pytest.mark.parametrize("row", OTHER_TOOLS + CLOSE_TOOLS, ids=lambda row: row["tool"])
def test_each_tool_says_how_it_is_known(row):
    assert re.match(r"run\b|tried\b|read \(\[\d+\](, \[\d+\])*\)", row["known by"])


@pytest.mark.parametrize("row", FEATURES, ids=lambda row: row["feature"])
def test_each_feature_of_ours_is_shown_by_a_test(row):
    said = re.match(r"(yes|in part|no)\b", row["afterimage"])
    assert said
    shown = re.findall(r"\]\(\.\./\.\./(tests/\S+/test_\w+\.py)\)", row["afterimage"])
    assert shown or said[1] == "no"
    assert [test for test in shown if not (ROOT / test).is_file()] == []


@pytest.mark.parametrize("row", FEATURES, ids=lambda row: row["feature"])
def test_each_claim_about_another_tool_has_a_source(row):
    numbers = {number for number, _ in SOURCES}
    for tool, cell in list(row.items())[2:]:
        for claim in cell.split(";"):
            open_ones = claim.strip().endswith(NOT_FOUND) or cell.startswith(NOT_APPLICABLE)
            assert open_ones or cited(claim), f"{tool}: {claim.strip()}"
            assert set(cited(claim)) <= numbers, f"{tool}: {claim.strip()}"


def test_sources_are_numbered_from_one_and_all_are_cited():
    numbers = [number for number, _ in SOURCES]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert sorted(set(cited(PAGE)), key=int) == numbers


@pytest.mark.parametrize("source", [link for _, link in SOURCES])
def test_sources_are_public_or_pages_of_ours(source):
    page = ROOT / "docs/concepts" / source
    assert source.startswith("https://") or (page.suffix == ".md" and page.is_file())
