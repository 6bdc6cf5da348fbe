"""Commands of ours wherever they are written, in pages, shell scripts and settings: a command or an
option that the command line does not have (any more) is found here."""

import re
import shlex
import subprocess

import click
import pytest

from afterimage.cli import main
from tests.docs.markdown import ROOT

CODE = re.compile(r"(?ms)^ *```(?:sh|console|bash)\n.*?^ *```$|`[^`\n]+`")
COMMAND = re.compile(r"(?m)(?:^ *\$? *|[`/@ ])afterimage (?P<rest>[a-z-][^`\n]*)")


def written() -> list[tuple[str, str]]:
    """Files, and the words after `afterimage` of each command in them. Left out are the changelog
    and the decisions: what they say was so then."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.sh", "*.yml", "Makefile", "macros/*.sql", "scripts/*.py"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    found = set()
    for name in listed.stdout.split():
        if name == "CHANGELOG.md" or name.startswith("docs/decisions/"):
            continue
        text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
        if not name.endswith((".sh", "Makefile")):
            text = "\n".join(CODE.findall(text))
        found |= {(name, each["rest"].strip()) for each in COMMAND.finditer(text)}
    return sorted(found)


def unknown(words: str) -> list[str]:
    """The words that are neither a command nor an option of the command before them."""
    command: click.Command = main
    missing = []
    for word in shlex.split(words, comments=True):
        if word in ("&&", "|", ">"):
            break
        options = {
            each for param in command.params for each in (*param.opts, *param.secondary_opts)
        }
        options.add("--help")
        if isinstance(command, click.Group) and not word.startswith("-"):
            if word not in command.commands:
                return [word]
            command = command.commands[word]
        elif word.startswith("--") and word.partition("=")[0] not in options:
            missing.append(word)
    return missing


@pytest.mark.parametrize(("place", "words"), written())
def test_the_command_line_has_it(place, words):
    assert unknown(words) == []


def test_every_command_is_written_somewhere():
    assert main.commands.keys() <= {words.split()[0] for _, words in written()}


def test_what_is_not_there_is_found():
    assert unknown("land events.jsonl --into landing.events") == ["events.jsonl"]
    assert unknown("land files events.jsonl --onto landing.events") == ["--onto"]
