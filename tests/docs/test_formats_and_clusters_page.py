"""docs/how-to/formats-and-clusters.md: its table of versions is what `make matrix` runs."""

import importlib.util
import re
import sys

from tests.docs.markdown import ROOT, sections, tables

PAGE = ROOT / "docs/how-to/formats-and-clusters.md"
SPEC = importlib.util.spec_from_file_location("matrix", ROOT / "scripts" / "ci" / "matrix.py")
matrix = sys.modules["matrix"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(matrix)
PACKAGES = {"Spark": "pyspark", "dbt-core": "dbt-core", "dbt-spark": "dbt-spark"}


def test_the_versions_are_those_of_the_matrix():
    text = PAGE.read_text(encoding="utf-8")
    [shown] = tables(sections(text)["Versions"])
    pinned = r"^([\w.-]+)==(\S+)"
    locked = dict(re.findall(pinned, (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    wanted = []
    for each in matrix.COMBINATIONS:
        own = dict(re.findall(pinned, "\n".join(each.packages), re.MULTILINE))
        if each.is_alone:  # not in the table
            assert f"dbt-databricks {own['dbt-databricks'].rpartition('.')[0]} " in text
            continue
        versions = {column: (locked | own)[name] for column, name in PACKAGES.items()}
        wanted.append({"combination": each.name, "Python": each.python} | versions)
    assert shown.rows == wanted
