"""What `make test` runs on Spark exists, and no other mark leaves any of it out."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
LISTED = yaml.safe_load((ROOT / "tests" / "protects.yml").read_text(encoding="utf-8"))
NAMES = [name for entry in LISTED for name in entry["tests"]]


@pytest.mark.parametrize("name", NAMES)
def test_each_test_is_there(name):
    path, _, test = name.partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    function = test.partition("[")[0]
    assert not function or re.search(rf"(?m)^def {function}\(", text)


def test_none_is_listed_twice():
    assert len(NAMES) == len(set(NAMES))


def test_every_promise_of_the_readme_is_protected():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    promised = readme.split("## What is promised")[1].split("\n## ")[0]
    laws = re.findall(r"(?m)^\| ([a-z ]+) \| ", promised)
    assert "truth" in laws
    said = " ".join(entry["protects"] for entry in LISTED)
    assert [law for law in laws if law != "law" and law not in said] == []
