"""Run dbt on a project within this process: an operation, or a parse."""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import click
from dbt.cli.main import dbtRunner, dbtRunnerResult
from dbt.contracts.graph.manifest import Manifest

from afterimage.errors import UserError
from afterimage.project import profiles_dir, project_root
from afterimage.session import jvm_output, refuse_second, shown_as_busy

INDENT = " " * 4  # of each line of an error that a macro raises


@contextlib.contextmanager
def working_in(folder: Path | None) -> Iterator[Path]:
    """Work in a dbt project: the given folder, else the one at or above the working directory.

    Out: the project's root, which is the working directory within the block.
    """
    if folder is not None and not (folder / "dbt_project.yml").is_file():
        raise UserError(f"no dbt_project.yml in {folder}: --project-dir names the project's root")
    root = folder.resolve() if folder is not None else project_root()
    with contextlib.chdir(root):
        yield root


def parse(target: str | None = None) -> Manifest:
    """The parsed project of the working directory.

    Errors: UserError with dbt's message.
    """
    with shown_as_busy("reading the project"):
        done = _invoke(["parse"], target)
    _answered(*done)
    return done[0].result


def contracts(manifest: Manifest) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The tables with a contract: node and contract, with the keys and settings of its source."""
    for node in manifest.sources.values():
        over = (node.source_meta or {}).get("cdc") or {}
        own = (getattr(node.config, "meta", None) or node.meta or {}).get("cdc")
        if own not in (None, over):  # else no table of changes
            settings = (over.get("settings") or {}) | (own.get("settings") or {})
            yield node, over | own | {"settings": settings}


def operation(
    name: str, target: str | None = None, *, queries: bool = True, **arguments: Any
) -> list[str]:
    """Run a macro of afterimage.

    In: its name and arguments; whether it queries the warehouse.
    Out: the lines it printed.
    Errors: UserError with dbt's message; for a catalog in use by another process.
    """
    if queries:
        refuse_second(target)
    command = ["run-operation", f"afterimage.{name}", "--args", json.dumps(arguments)]
    # the output of an embedded Spark while it starts is not part of the result
    with (
        shown_as_busy(name.replace("_", " ")),
        jvm_output(project_root() / "logs" / "spark.log"),
    ):
        done = _invoke(command, target)
    return _answered(*done)


def _answered(done: dbtRunnerResult, printed: list[str], said: dict[str, list[str]]) -> list[str]:
    """The printed lines; the package's warnings are passed on, and faults raised."""
    for warning in said["warnings"]:
        click.echo(warning, err=True)
    if not done.success:
        faults = said["faults"] or [
            str(done.exception or "dbt failed without a word; see logs/dbt.log")
        ]
        raise UserError("\n".join(dict.fromkeys(faults)))
    return printed


def _own_message(fault: str) -> str:
    """The package's own message without dbt's account of the macros that raised it."""
    _, is_own, text = fault.partition("[afterimage] ")
    if not is_own:
        return fault
    lines = takewhile(lambda line: not line.strip().startswith("> in macro "), text.splitlines())
    return "\n".join(line.removeprefix(INDENT) for line in lines).strip()


def _invoke(
    command: list[str], target: str | None
) -> tuple[dbtRunnerResult, list[str], dict[str, list[str]]]:
    printed: list[str] = []
    said: dict[str, list[str]] = {"warnings": [], "faults": []}

    def hear(event: Any) -> None:
        if event.info.name in ("PrintEvent", "FormattedPrint"):
            printed.append(event.data.msg)
        elif event.info.level == "warn" and "[afterimage]" in event.info.msg:
            said["warnings"].append(event.info.msg.strip())
        elif event.info.level == "error" and event.info.msg.strip():
            said["faults"].append(_own_message(event.info.msg.strip()))

    options = ["--project-dir", str(project_root()), "--profiles-dir", str(profiles_dir())]
    options += ["--target", target] if target else []
    # dbt writes the arguments of the process into its log and artifacts: they may name a person, or
    # hold the password of a database.
    arguments, sys.argv = sys.argv, ["afterimage"]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            done = dbtRunner(callbacks=[hear]).invoke(
                [*command, *options, "--quiet", "--no-use-colors"]
            )
    finally:
        sys.argv = arguments
    return done, printed, said
