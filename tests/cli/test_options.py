"""Every command and every option of the command line is used by a test.

A test uses an option in a string that begins with its command, as "report --format json", or in a
file whose strings are the words of the command and the option. Tests of pages do not count: they
hold what a page names.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from afterimage.cli import main

TESTS = Path(__file__).parents[1]
CALLED = re.compile(r"afterimage\.cli|\"afterimage\"")  # in its process, or in one of its own


def commands(group: click.Group = main, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Each command with its words, such as `land files`."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield before + name, command


COMMANDS = dict(commands())
OPTIONS = [
    f"{words} {max(option.opts, key=len)}"
    for words, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
]


def strings(text: str) -> list[str]:
    """The strings of a module, without its docstrings."""
    nodes = list(ast.walk(ast.parse(text)))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def used(text: str) -> set[str]:
    """The commands that a module uses, each alone and with each of its options."""
    given = strings(text)
    own = {string.partition("=")[0] for string in given}
    found = set()
    for command in COMMANDS:
        lines = [string.split() for string in given if f"{string} ".startswith(f"{command} ")]
        words = {word.partition("=")[0] for line in lines for word in line}
        if set(command.split()) <= own:
            words |= own
        if words:
            found |= {command, *(f"{command} {word}" for word in words)}
    return found


@cache
def used_by_tests() -> set[str]:
    texts = [
        file.read_text(encoding="utf-8")
        for file in TESTS.rglob("*.py")
        if file != Path(__file__) and TESTS / "docs" not in file.parents
    ]
    return set().union(*(used(text) for text in texts if CALLED.search(text)))


@pytest.mark.parametrize("command_or_option", [*COMMANDS, *OPTIONS])
def test_a_test_uses_it(command_or_option):
    is_used = command_or_option in used_by_tests()
    assert is_used, "no test uses it: write one that shows what goes in and what comes out"


def test_what_no_test_uses_is_found():
    apart = used('def f():\n    "demo --fresh"  # --fresh\n    run(["demo", "--target=ci"])\n')
    assert "demo --target" in apart and "demo --fresh" not in apart
    line = used('run("demo --fresh".split())\nassert said == "drift: use --table"\n')
    assert "demo --fresh" in line and "demo --table" not in line and "drift" not in line
    assert "land files" not in used('run(["land", "kafka"])\n')
