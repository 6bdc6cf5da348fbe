"""The command line: `afterimage COMMAND`. Each command's work is in the module of its name."""

from pathlib import Path

import click
from rich.console import Console

# Modules that need Spark or dbt are imported inside the commands: they take seconds to load, and
# help and wrong options should answer at once.
from afterimage.readers import READERS

target_option = click.option(
    "--target", "-t", help="Target in profiles.yml. Default: the profile's own."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="afterimage")
def main() -> None:
    """What goes with the afterimage dbt project: land files, look for Java, run the demo."""


@main.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILES...",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
)
@click.option("--into", "table", required=True, metavar="SCHEMA.TABLE", help="The landing table.")
@click.option(
    "--format",
    "form",
    type=click.Choice(sorted(READERS)),
    default="jsonl",
    show_default=True,
    help="Form of the files.",
)
@click.option(
    "--file-format",
    type=click.Choice(["parquet", "delta", "iceberg"]),
    default="parquet",
    show_default=True,
    help="Format of the table when it is made.",
)
@target_option
def land(
    files: tuple[Path, ...], table: str, form: str, file_format: str, target: str | None
) -> None:
    """Land delivered records from FILES, plain or gzipped.

    Each record lands once, by topic, partition and offset: landing a file again adds nothing. A
    line that is no record lands whole, with a null topic.
    """
    from afterimage.land import land as land_files
    from afterimage.session import spark_session

    # Before the session, which takes a while and might change the working directory.
    paths = [file.absolute() for file in files]
    console = Console()
    with console.status("starting Spark"):
        spark = spark_session(target)
    done = land_files(
        spark, paths, table, form=form, file_format=file_format, show_progress=console.is_terminal
    )
    for remark in done.remarks():
        click.echo(remark)
    click.echo(f"{table}: {done}")


@main.command()
@click.option(
    "--home", is_flag=True, help='Only the folder: JAVA_HOME="$(afterimage java --home)".'
)
def java(home: bool) -> None:
    """Say which Java Spark runs on here."""
    from afterimage.java import java_home

    found = java_home()
    click.echo(str(found.path) if home else str(found))


@main.command()
@click.option(
    "--fresh", is_flag=True, help="First remove .spark and target: every table kept there is lost."
)
@target_option
def demo(fresh: bool, target: str | None) -> None:
    """Land the shop's captured changes in three parts and build all models after each."""
    from afterimage.demo import run

    run(fresh=fresh, target=target)
