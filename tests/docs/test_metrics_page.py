"""docs/reference/metrics.md: the metrics it calls available are those of the metrics model, and no
others; no metric in the connectors' documentation is left out."""

import re

import pytest

from afterimage.macros import MACROS, Macros
from tests.docs.markdown import ROOT, tables
from tests.truth.captures import shared_folder

PAGE = (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
ROWS = tables(PAGE)[0].rows
MODEL = (MACROS / "control" / "metrics.sql").read_text(encoding="utf-8")
CONNECTORS = Macros()


def test_what_is_reported_is_made():
    made = set(re.findall(r"^ +'([A-Z][A-Za-z]+)',? (?:as metric|\S.*)$", MODEL, re.MULTILINE))
    made |= set(re.findall(r"'([A-Z][A-Za-z]+)' as metric", MODEL))
    for name in CONNECTORS.connectors():
        contract = {"connector": name, "replica_identity": "full", "format": "debezium_json"}
        made |= set(CONNECTORS.connector(contract).get("position_metrics", []))
    reported = {row["metric"].strip("`") for row in ROWS if row["reported"] == "yes"}
    assert made == reported


def test_each_has_a_word_on_it():
    assert {row["reported"] for row in ROWS} == {"yes", "no"}
    assert all(row["by what, or why not"] for row in ROWS)
    places = [(row["metric"], row["of"]) for row in ROWS]
    assert len(places) == len(set(places))


@pytest.mark.shared
def test_no_metric_of_the_documents_is_left_out():
    folder = shared_folder("seeds")
    [document] = folder.glob("001_*.txt")
    lines = document.read_text(encoding="utf-8").splitlines()
    kinds = r"(?:string|long|int|boolean|Map<.*>|BigInteger)(?:\[\])?"
    named = {
        name.strip()
        for name, kind in zip(lines, lines[2:], strict=False)
        if re.fullmatch(r"[A-Z][A-Za-z]+", name.strip()) and re.fullmatch(kinds, kind.strip())
    }
    assert len(named) > 80
    assert named - {row["metric"].strip("`") for row in ROWS} == set()
