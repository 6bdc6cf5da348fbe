"""The bench of a checkout: each format in its own process, then one table of all results.

scripts/bench, outside the installed package, defines what is measured and how.
"""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from afterimage.errors import UserError

SCRIPTS = Path(__file__).resolve().parents[1]


def run(
    events: int,
    increment: int,
    formats: list[str],
    alone: bool,
    resume: bool,
    factors: bool = False,
    tables: int = 0,
) -> None:
    """Measure the floor, the models and the contestants on each format; print the figures and write
    `target/bench/results.json`.

    In: changes in the base and in each increment; formats; alone: no contestants; resume: keep the
    results of formats already measured with the same numbers; factors: also measure workloads that
    vary one factor, on a tenth of the base and the first format; tables: also measure so many
    small tables on each format.
    Errors: UserError outside a checkout, for a format that failed, and when our rows differ from
    the generator's own account or between formats.
    """
    if not (SCRIPTS / "bench" / "run.py").is_file():
        raise UserError("bench needs a checkout: clone the repository and `pip install -e .`")
    console = Console(highlight=False)
    out = SCRIPTS.parent / "target" / "bench"
    out.mkdir(parents=True, exist_ok=True)
    results, rows = [], {}
    for form in formats:
        console.print(f"[bold]{form}[/bold]")
        more = ["--alone"] if alone else []
        _measure("bench.run", form, events, increment, form, out, more, resume)
        results += json.loads((out / f"{form}.json").read_text())
        rows[form] = json.loads((out / f"{form}.rows.json").read_text())
    if factors:
        console.print("[bold]one factor at a time[/bold]")
        more = ["--resume"] if resume else []
        _measure("bench.factors", formats[0], events // 10, increment, "factors", out, more, resume)
        results += json.loads((out / "factors.json").read_text())
    for form in formats if tables else []:
        console.print(f"[bold]{tables} small tables on {form}[/bold]")
        more, name = ["--tables", str(tables)], f"many-{form}"
        _measure("bench.many", form, events, increment, name, out, more, resume)
        results += json.loads((out / f"{name}.json").read_text())
    (out / "results.json").write_text(json.dumps(results, indent=1))
    console.print(table(results))
    different = [form for form in formats if rows[form] != rows[formats[0]]]
    if different:
        raise UserError(
            f"the rows of {', '.join(different)} differ from those of {formats[0]}: "
            f"see {out.relative_to(SCRIPTS.parent)}/*.rows.json"
        )
    if len(formats) > 1:
        console.print("History and current state hold the same rows on every format.")


def table(results: list[dict]) -> Table:
    """The measurements as a table, a rule between formats."""
    shown = Table("format", "what", "step")
    for name in ("events", "CPU s", "wall s", "of floor", "wrong rows"):
        shown.add_column(name, justify="right")
    for number, line in enumerate(results):
        following = results[number + 1 : number + 2]
        shown.add_row(
            line["format"],
            " with ".join(filter(None, [line["contestant"], line.get("factor"), _tables_of(line)])),
            line["step"],
            f"{line['batch_events']:,}",
            f"{line['cpu_s']:.1f}",
            f"{line['wall_s']:.1f}",
            "" if line["floor_ratio"] is None else f"{line['floor_ratio']:.2f}",
            "" if line.get("wrong_rows") is None else f"{line['wrong_rows']:,}",
            end_section=not following or following[0]["format"] != line["format"],
        )
    return shown


def _tables_of(line: dict) -> str:
    """The number of tables of a measurement; empty for one."""
    return f"{line['tables']} tables" if line.get("tables") else ""


def _measure(
    module: str,
    form: str,
    events: int,
    increment: int,
    name: str,
    out: Path,
    more: list[str],
    resume: bool,
) -> None:
    """Runs a module of the bench in its own process: the catalog can only be set before Spark
    starts. It writes <name>.json; <name>.done.json holds the arguments."""
    options = ["--format", form, "--events", str(events), "--increment", str(increment), *more]
    done = out / f"{name}.done.json"
    if resume and done.is_file() and json.loads(done.read_text()) == options:
        return
    done.unlink(missing_ok=True)
    command = [sys.executable, "-m", module, *options, "--out", str(out)]
    path = os.pathsep.join(filter(None, [str(SCRIPTS), os.environ.get("PYTHONPATH")]))
    # sessions use the checkout's own targets
    own = {"PYTHONPATH": path, "DBT_PROFILES_DIR": str(SCRIPTS.parent / "profiles")}
    with contextlib.chdir(SCRIPTS.parent):
        ended = subprocess.run(command, env=os.environ | own, check=False)
    if ended.returncode:
        raise UserError(
            f"the bench on {form} failed; its output is above, Spark's in "
            f"{out.relative_to(SCRIPTS.parent) / name}/spark.log"
        )
    done.write_text(json.dumps(options))
