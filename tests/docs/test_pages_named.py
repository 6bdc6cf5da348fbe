"""Pages of the documentation that macros and commands name: by the path they have in a project that
installs the package, and existing."""

import ast
import re

import pytest

from afterimage.outcomes import DOCS, DOCS_INSTALLED
from tests.docs.markdown import ROOT

PAGE = re.compile(r"[\w/.-]*\bdocs/[\w/-]+\.(?:md|yml)")
COMMENT = re.compile(r"\{#.*?#\}|^ *--.*?$", re.DOTALL | re.MULTILINE)


def said_by_macros() -> list[tuple[str, str]]:
    texts = {path: COMMENT.sub("", path.read_text()) for path in ROOT.glob("macros/**/*.sql")}
    return [(path.name, page) for path, text in texts.items() for page in PAGE.findall(text)]


def said_by_commands() -> list[tuple[str, str]]:
    """From texts in the code, with the constant in its place; a text alone is a docstring."""
    found = []
    for path in ROOT.glob("scripts/afterimage/**/*.py"):
        tree = ast.parse(path.read_text())
        alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in alone:
                text = ast.unparse(node).replace("{DOCS_INSTALLED}", DOCS_INSTALLED)
                found += [(path.name, page) for page in PAGE.findall(text)]
    return found


SAID = sorted({*said_by_macros(), *said_by_commands()})


@pytest.mark.parametrize(("file", "page"), SAID)
def test_the_page_is_there(file, page):
    assert page.startswith(f"{DOCS_INSTALLED}/"), f"{file} names {page}"
    assert (DOCS / page.removeprefix(f"{DOCS_INSTALLED}/")).is_file()


def test_macros_and_commands_name_pages():
    assert len(said_by_macros()) > 5 and len(said_by_commands()) > 5
