"""docs/reference/tests.md names the existing generic tests, with their arguments."""

import re

from afterimage.macros import MACROS
from tests.docs.markdown import ROOT, tables

PAGE = (ROOT / "docs" / "reference" / "tests.md").read_text(encoding="utf-8")


def test_the_page_names_every_test_and_its_arguments():
    there = {}
    for file in (MACROS / "tests").glob("*.sql"):
        for name, arguments in re.findall(r"{% test (\w+)\(model(.*?)\) %}", file.read_text()):
            there[name] = set(re.findall(r", (\w+)", arguments))
    told = {
        row["test"].strip("`"): set(re.findall(r"`(\w+)`", row["arguments"].split("(")[0]))
        for row in tables(PAGE)[0].rows
    }
    assert told == there
