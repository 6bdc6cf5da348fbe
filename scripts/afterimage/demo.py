"""The demo: three deliveries of a small shop's changes, through every model, in one process."""

import contextlib
import io
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dbt.cli.main import dbtRunner, dbtRunnerResult
from pyspark.sql import SparkSession
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.java import use_java
from afterimage.land.files import Landed, land
from afterimage.project import profiles_dir, project_root
from afterimage.session import explain, refuse_second, spark_session

TABLE = "landing.shop_events"
DELIVERIES = ("first", "second", "third")
ACCOUNTING = "dq_shop__accounting"
LAYERS = {"stg": "change log", "hist": "history", "cur": "current", "dq": "quality"}


def run(fresh: bool = False, target: str | None = None) -> None:
    """Load the seeds; land and build three times, test, document; then print the results.

    In: whether to remove `.spark` and `target` first; the profile target.
    Errors: UserError naming the step that failed and what to do; its output has been printed. For
    a catalog in use by another process, before anything is removed.
    """
    root = project_root()
    console = Console(highlight=False)
    files = [root / "demo" / f"shop.{name}.jsonl.gz" for name in DELIVERIES]
    missing = [str(file.relative_to(root)) for file in files if not file.is_file()]
    if missing:
        raise UserError(f"the demo's events are missing: {', '.join(missing)} in {root}")
    console.print(f"Spark runs on {use_java()}")
    if fresh:
        refuse_second(target)
        for folder in (".spark", "target"):
            shutil.rmtree(root / folder, ignore_errors=True)
        console.print("Removed .spark and target: starting over.")

    options = ["--project-dir", str(root), "--profiles-dir", str(profiles_dir())]
    options += ["--target", target] if target else []
    started = time.monotonic()
    with contextlib.chdir(root):
        with _step(console, "Start Spark"):
            spark = spark_session(target)
        with _step(console, "Load the seeds: dbt seed"):
            _dbt(["seed", *options])
        landed = []
        for name, file in zip(DELIVERIES, files, strict=True):
            with _step(console, f"Land the {name} delivery, {file.name}") as said:
                landed.append(land(spark, [file], TABLE))
                said.append(str(landed[-1]))
            if name == DELIVERIES[-1]:
                step, command = "Build every model and run every test: dbt build", "build"
            else:
                step, command = "Build the models: dbt run", "run"
            with _step(console, step) as said:
                built = _dbt([command, *options])
                said.append(_counts(built))
        with _step(console, "Write the documentation: dbt docs generate --static"):
            _dbt(["docs", "generate", "--static", *options])
        _summary(console, spark, built, landed, root)
    console.print(f"Done in {time.monotonic() - started:.0f} s.")


@contextlib.contextmanager
def _step(console: Console, title: str) -> Iterator[list[str]]:
    """Prints a heading before the step, a spinner during it, its time and remarks after it."""
    console.print(f"[bold]{escape(title)}[/bold]")
    started = time.monotonic()
    said: list[str] = []
    try:
        with console.status("working"):
            yield said
    except UserError as error:
        raise UserError(f"{title}: {error.message}") from error
    except Exception as error:
        raise UserError(f"{title}: {explain(error)}") from error
    said.append(f"{time.monotonic() - started:.0f} s")
    console.print(f"  {escape('; '.join(said))}")


def _dbt(arguments: list[str]) -> dbtRunnerResult:
    """Run dbt in this process, quietly; print its output when it fails.

    Errors: UserError saying where to look.
    """
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        done = dbtRunner().invoke([*arguments, "--no-use-colors"])
    if not done.success:
        sys.stdout.write(output.getvalue())
        raise UserError(
            "failed; its output is above, its full log in logs/dbt.log, its SQL in target/run.\n"
            "Once corrected, `make demo` continues from here; `make demo FRESH=1` starts over."
        )
    return done


def _counts(done: dbtRunnerResult) -> str:
    """How many nodes of each kind ran.

    Errors: UserError when none ran, which dbt reports as success.
    """
    if not done.result.results:
        raise UserError("ran no model: the profile must be named afterimage, see dbt_project.yml")
    kinds = Counter(result.node.resource_type for result in done.result.results)
    return ", ".join(counted(number, kind) for kind, number in kinds.items())


def _summary(
    console: Console, spark: SparkSession, built: dbtRunnerResult, landed: list[Landed], root: Path
) -> None:
    console.rule("Results")
    if not any(part.landed for part in landed):
        console.print(
            "Nothing new: the three deliveries landed before; the models had nothing to do.\n"
        )
    nodes = [result.node for result in built.result.results]
    relations = {
        node.name: node.relation_name
        for node in nodes
        if node.resource_type == "model" and node.relation_name
    }
    console.print(_models(spark, relations))
    if ACCOUNTING in relations:
        for title, outcome in (("Ignored", "ignored"), ("Quarantined", "refused")):
            console.print(_accounting(spark, relations[ACCOUNTING], title, outcome))
    page = (root / "target" / "static_index.html").relative_to(root)
    console.print(
        f"Next:\n"
        f"  open {page} in a browser: every model, column and test\n"
        f"  read target/compiled/afterimage/models: the SQL behind each table\n"
        f"  make demo           again: nothing changes, all records are processed\n"
        f"  make demo FRESH=1   from an empty warehouse"
    )


def _models(spark: SparkSession, relations: dict[str, str]) -> Table:
    """Row counts of each model, by layer."""
    found = {"landing": [(TABLE, TABLE)]}
    for name, relation in sorted(relations.items()):
        layer = LAYERS.get(name.split("_")[0], "other")
        found.setdefault(layer, []).append((name, relation))
    table = Table("layer", "model")
    table.add_column("rows", justify="right")
    for layer in ("landing", *LAYERS.values(), "other"):
        for position, (name, relation) in enumerate(found.get(layer, [])):
            rows = spark.table(relation).count()
            table.add_row(layer if position == 0 else "", name, f"{rows:,}")
    return table


def _accounting(spark: SparkSession, relation: str, title: str, outcome: str) -> Table:
    """Records of one outcome by topic and kind; a row `none` when there are none."""
    rows = spark.sql(
        f"select topic, kind, sum(records) as records from {relation} "
        # no query parameter: the session extension of Delta does not pass them on
        f"where outcome = '{outcome}' group by topic, kind having sum(records) > 0 "
        "order by records desc, topic, kind limit 20"
    ).collect()
    table = Table("topic", "kind" if outcome == "ignored" else "reason", title=title)
    table.title_justify = "left"
    table.add_column("records", justify="right")
    for row in rows:
        table.add_row(escape(str(row["topic"])), escape(str(row["kind"])), f"{row['records']:,}")
    if not rows:
        table.add_row("none", "", "0")
    return table
