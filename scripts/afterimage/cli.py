"""The command line: `afterimage COMMAND`. The module of the same name implements each command."""

import re
import signal
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import click
from rich.console import Console

# Commands import modules that need Spark or dbt themselves: these take seconds to load, and help
# and errors of options should appear at once.
from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.readers import READERS, WITHOUT_TOPIC, reader
from afterimage.table_formats import TABLE_FORMATS

target_option = click.option(
    "--target", "-t", help="Target in profiles.yml. Default: the profile's own."
)
remote_option = click.option(
    "--remote",
    metavar="sc://HOST:PORT",
    help="Spark Connect address of a cluster, instead of the target's session.",
)
project_option = click.option(
    "--project-dir",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Root of the dbt project. Default: the one at or above the working directory.",
)

NUMBER = click.IntRange(min=0)
PORT = click.IntRange(1, 65535)
into_option = click.option(
    "--into", "table", required=True, metavar="SCHEMA.TABLE", help="The landing table."
)
form_option = click.option(
    "--format",
    "form",
    type=click.Choice(sorted(READERS)),
    default="jsonl",
    show_default=True,
    help="Format of the files.",
)
file_format_option = click.option(
    "--file-format",
    type=click.Choice(TABLE_FORMATS),
    default="parquet",
    show_default=True,
    help="Table format when the table is created.",
)


def _spark(target: str | None, remote: str | None):
    """The session of a target or of a cluster."""
    from afterimage.session import remote_session, spark_session

    return remote_session(remote) if remote else spark_session(target)


class Commands(click.Group):
    """A wrong value of an option, such as a missing file, is reported without the usage."""

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except click.BadParameter as fault:
            if not isinstance(fault, click.MissingParameter):
                fault.ctx = None
            raise


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="afterimage")
def main() -> None:
    """Tools for the afterimage dbt package: scaffold, validate, land, retry, report, demo…"""


class FileOrAddress(click.Path):
    """A path that exists, or an address that Spark reads, such as s3a://bucket/folder."""

    def convert(self, value, param, ctx):
        """An address as it is; a path absolute, as a session may change the working directory."""
        if isinstance(value, str) and "://" in value:
            return value
        return super().convert(value, param, ctx).absolute()


@main.group()
def land() -> None:
    """Fill a landing table: from files, or from Kafka."""


@land.command("files")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILES...",
    type=FileOrAddress(exists=True, readable=True, path_type=Path),
)
@into_option
@form_option
@file_format_option
@click.option("--topic", help="Topic of the records, if the --format has none (console, avro).")
@target_option
@remote_option
def land_files(
    files: tuple[Path | str, ...],
    table: str,
    form: str,
    file_format: str,
    topic: str | None,
    target: str | None,
    remote: str | None,
) -> None:
    """Land delivered records from FILES, plain or gzipped, and from folders of them.

    Each record lands once, by topic, partition and offset, or by file and line where it has none:
    landing a file again adds nothing. A line that is not a record lands complete, with a null
    topic. Of a folder, only new and changed files are read. FILES may be addresses that Spark
    reads, such as s3a://bucket/folder.
    """
    reader(form, topic)  # report wrong options at once
    if topic and form not in WITHOUT_TOPIC:
        raise click.UsageError(f"--format {form} has the topic in its lines: leave --topic out")
    from afterimage.land.files import land as land_records

    done = land_records(
        _spark(target, remote),
        files,
        table,
        form=form,
        topic=topic,
        file_format=file_format,
        show_progress=Console().is_terminal,
    )
    for remark in done.remarks():
        click.echo(remark)
    click.echo(f"{table}: {done}")
    if done.is_stuck:
        raise UserError(
            "a file that is read again each time has not changed for an hour: see above"
        )


@land.command("kafka")
@click.option(
    "--brokers",
    required=True,
    metavar="HOST:PORT",
    help="One broker or several, separated by commas.",
)
@click.option(
    "--topics",
    required=True,
    metavar="PATTERN",
    help=r"Regular expression of the topics' full names, as 'shop\.public\..*'.",
)
@into_option
@click.option(
    "--checkpoint",
    metavar="FOLDER",
    help="Keeps the offsets that were read. Default: .spark/checkpoints/TARGET/SCHEMA.TABLE.",
)
@click.option(
    "--consumer-config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Settings of the Kafka client, such as security.protocol, as its own tools take them.",
)
@click.option("--follow", is_flag=True, help="Go on reading until Ctrl-C, instead of to the end.")
@file_format_option
@target_option
def land_kafka(
    brokers: str,
    topics: str,
    table: str,
    checkpoint: str | None,
    consumer_config: Path | None,
    follow: bool,
    file_format: str,
    target: str | None,
) -> None:
    """Land the records of Kafka topics, from where the last run ended.

    The first run reads each topic from its beginning. Each record lands once, however a run ended.
    Topics and partitions that appear later are read too.
    """
    from afterimage.land.brokers import client_settings
    from afterimage.land.kafka import land_topics
    from afterimage.project import project_root
    from afterimage.session import spark_session, target_name

    # Before the session starts, which may change the working directory.
    if checkpoint is None:
        checkpoint = str(project_root() / ".spark" / "checkpoints" / target_name(target) / table)
    elif "://" not in checkpoint:
        checkpoint = str(Path(checkpoint).absolute())
    consumer_config = consumer_config and consumer_config.absolute()
    spark = spark_session(target, jars=["kafka"])
    settings = client_settings(spark, consumer_config) if consumer_config else {}
    for number in (signal.SIGINT, signal.SIGTERM):
        # Spark's own handler would use the connection that waits for the stream
        signal.signal(number, signal.default_int_handler)
    console = Console(stderr=True)
    with console.status("reading Kafka") as status:

        def say(done) -> None:
            status.update(f"{table}: {done}")
            if follow:
                click.echo(f"{table}: {done}")

        done = land_topics(
            spark,
            brokers,
            topics,
            table,
            checkpoint=checkpoint,
            consumer=settings,
            file_format=file_format,
            follow=follow,
            on_batch=say,
        )
    for topic in done.topics:
        click.echo(topic)
    click.echo(f"{table}: {done}")


@main.command()
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILES]...",
    type=click.Path(exists=True, readable=True, path_type=Path),
)
@click.option("--registry", metavar="URL", help="The API of a running registry, instead of FILES.")
@click.option(
    "--into", "table", required=True, metavar="SCHEMA.TABLE", help="The table of schemas."
)
@click.option(
    "--ids",
    type=click.Choice(["globalId", "contentId"]),
    help="Which of Apicurio's ids the frames contain. Default: globalId.",
)
@file_format_option
@target_option
@remote_option
def schemas(
    files: tuple[Path, ...],
    registry: str | None,
    table: str,
    ids: str | None,
    file_format: str,
    target: str | None,
    remote: str | None,
) -> None:
    """Load the schemas of Avro records into a table, from a registry or from FILES.

    FILES are folders or files: *.avsc named SUBJECT.ID.avsc, *.json and *.jsonl of a Confluent
    registry, *.zip of an Apicurio registry. Existing rows stay; new versions are added.
    """
    if bool(files) == bool(registry):
        raise click.UsageError("give either FILES or --registry")
    if not re.fullmatch(r"\w+\.\w+", table, re.ASCII):
        raise click.UsageError(
            f"--into {table} is not schema.table: names of letters, digits and _"
        )
    from afterimage.schemas import entries_of_files, entries_of_registry, keep, remarks

    passed = []
    found = list(
        entries_of_files([file.absolute() for file in files], ids, passed)
        if files
        else entries_of_registry(registry, ids, passed)
    )
    for remark in remarks(passed):
        click.echo(remark, err=True)
    if not found:
        raise click.ClickException("no schemas found to load" if passed else "no schemas found")
    added = keep(_spark(target, remote), found, table, file_format)
    click.echo(f"{table}: {counted(len(found), 'schema')} read, {added} of them new")


@main.command()
@click.option(
    "--home", is_flag=True, help='Print only the folder: JAVA_HOME="$(afterimage java --home)".'
)
def java(home: bool) -> None:
    """Print which Java Spark uses on this machine."""
    from afterimage.java import java_home

    found = java_home()
    click.echo(str(found.path) if home else str(found))


@main.command()
def jars() -> None:
    """Download the jars of Delta, Iceberg, Avro and Kafka into .jars, and check existing ones."""
    from afterimage.jars import JARS, fetch_jars, jars_folder

    fetched = fetch_jars(click.echo)
    click.echo(f"{jars_folder()}: {len(JARS)} jars in order, {len(fetched)} of them fetched now")


@main.command()
@click.option(
    "--fresh", is_flag=True, help="Remove .spark and target first: every table in them is lost."
)
@target_option
def demo(fresh: bool, target: str | None) -> None:
    """Land the captured changes of a shop in three parts and build all models after each."""
    from afterimage.demo import run

    run(fresh=fresh, target=target)


@main.command()
@project_option
@target_option
def validate(project_dir: Path | None, target: str | None) -> None:
    """Check every contract of the project; print all faults at once, and unconfirmed guesses."""
    from afterimage.invoke import operation, working_in
    from afterimage.scaffold.questions import open_questions

    with working_in(project_dir) as root:
        operation("validate_contracts", target, queries=False)
        questions = open_questions(root)
    click.echo("All contracts are valid.")
    if questions:
        click.echo(
            f"Unconfirmed: {counted(len(questions), 'guess', 'guesses')} of scaffold. Compare with "
            "the database (`afterimage scaffold --database … --ddl …` answers most), then delete "
            "the comment:"
        )
        click.echo("\n".join(questions))


@main.command()
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILES]...",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
)
@click.option("--topic", "topics", multiple=True, help="A topic; may be given several times.")
@click.option("--all-topics", is_flag=True, help="Every topic of the sample that contains changes.")
@click.option(
    "--landing",
    default="landing.events",
    show_default=True,
    metavar="SCHEMA.TABLE",
    help="The landing table; without FILES, the sample comes from it.",
)
@click.option("--source", help="Name of the dbt source. Default: the database's name.")
@form_option
@click.option(
    "--connector",
    metavar="NAME",
    help="The connector, for rows without envelopes that do not name it.",
)
@click.option(
    "--database",
    metavar="URL",
    help="The database itself, for types, keys and comments: postgresql://user@host/db, or any "
    "SQLAlchemy URL.",
)
@click.option(
    "--ddl",
    "scripts",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="A script that creates its tables (pg_dump --schema-only, mysqldump --no-data), or an "
    "export of information_schema.columns (*.csv). Several allowed.",
)
@click.option(
    "--schemas",
    "registries",
    multiple=True,
    metavar="URL|PATH",
    help="For Avro records: a registry, or files and folders as for `afterimage schemas`. "
    "Several allowed.",
)
@click.option(
    "--connector-config",
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="The connector's configuration (*.json, *.properties), for settings of the contract.",
)
@click.option("--force", is_flag=True, help="Overwrite models and contracts that differ.")
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; show which lines of existing files would change (of each file the first "
    "100), and exit 1 when something would.",
)
@project_option
@target_option
def scaffold(
    files: tuple[Path, ...],
    topics: tuple[str, ...],
    all_topics: bool,
    landing: str,
    source: str | None,
    form: str,
    connector: str | None,
    database: str | None,
    scripts: tuple[Path, ...],
    registries: tuple[str, ...],
    connector_config: Path | None,
    force: bool,
    check: bool,
    project_dir: Path | None,
    target: str | None,
) -> None:
    """Write contracts and models for topics, from a sample of their records.

    The sample is FILES, as for `afterimage land files`, or the landing table itself. The database,
    its DDL and the connector's configuration take precedence over the sample.
    """
    from afterimage.invoke import working_in
    from afterimage.scaffold import records_of_files, records_of_table, topics_of_table
    from afterimage.scaffold import scaffold as write
    from afterimage.scaffold.catalog.schema_changes import with_schema_changes
    from afterimage.scaffold.connector_config import read_connector_config
    from afterimage.session import shown_as_busy

    if bool(topics) == all_topics:
        raise click.UsageError("give either --topic (once or more) or --all-topics")
    paths = [file.absolute() for file in files]
    config = read_connector_config(connector_config) if connector_config else None
    given = [script.absolute() for script in scripts]
    known = []
    if registries:
        from afterimage.schemas import entries_of

        known = [entry for place in registries for entry in entries_of(place)]
    topics_there = None
    with working_in(project_dir) as root:
        if paths:
            records = records_of_files(paths, form, topics[0] if len(topics) == 1 else None)
        else:
            from afterimage.warehouse import warehouse

            ask, wanted = warehouse(target), sorted(with_schema_changes(topics))
            records = records_of_table(ask, landing, wanted)
            topics_there = partial(topics_of_table, ask, landing)
        with shown_as_busy("reading records"):
            said = write(
                root,
                records,
                landing,
                topics=topics,
                topics_there=topics_there,
                source=source,
                connector=connector,
                database=database,
                scripts=given,
                schemas=known,
                config=config,
                force=force,
                check=check,
            )
        click.echo("\n".join(said))
        if check and said.changed:
            raise SystemExit(1)


@main.command("model-yaml")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a YAML has drifted.")
@project_option
@target_option
def model_yaml(check: bool, project_dir: Path | None, target: str | None) -> None:
    """Write the YAML of every change log, history and current table from the contracts."""
    from afterimage.invoke import working_in
    from afterimage.model_yaml import drifted_models, write_models

    with working_in(project_dir) as root:
        if not check:
            for line in write_models(root, target):
                click.echo(line)
        elif drifted := drifted_models(root, target):
            for name, path in drifted:
                click.echo(f"{name}: {path} has drifted from the contract")
            click.echo("`afterimage model-yaml` rewrites them.")
            raise SystemExit(1)
        else:
            click.echo("The YAML of every model matches its contract.")


@main.command()
@click.argument("models", nargs=-1, metavar="[MODEL]...")
@project_option
@target_option
def retry(models: tuple[str, ...], project_dir: Path | None, target: str | None) -> None:
    """Let the next run retry refused records, of the given MODELs or of every change log."""
    from afterimage.invoke import operation, working_in

    with working_in(project_dir):
        for line in operation("retry", target, models=list(models)):
            click.echo(line)


@main.command()
@click.option("--table", "tables", multiple=True, metavar="SOURCE.TABLE", help="Several allowed.")
@project_option
@target_option
def drift(tables: tuple[str, ...], project_dir: Path | None, target: str | None) -> None:
    """Print the columns of the newest landed records that contracts do not declare."""
    from afterimage.drift import declared
    from afterimage.drift import drift as lines_of
    from afterimage.invoke import parse, working_in
    from afterimage.scaffold import records_of_table
    from afterimage.warehouse import warehouse

    with working_in(project_dir):
        contracts = declared(parse(target), tables)
        ask = warehouse(target)
        for contract in contracts:
            for line in lines_of(
                contract, records_of_table(ask, contract.landing, contract.topics)
            ):
                click.echo(line)


@main.command()
@click.option(
    "--newest",
    type=NUMBER,
    default=10,
    show_default=True,
    help="Rows of each quarantine, and incomplete transactions, to show.",
)
@click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="SOURCE.TABLE=KEY",
    help="Show a row version by version; for several key columns KEY is JSON. Several allowed.",
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write the report as one self-contained HTML file.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the printed report.",
)
@project_option
@target_option
def report(
    newest: int,
    keys: tuple[str, ...],
    html: Path | None,
    form: str,
    project_dir: Path | None,
    target: str | None,
) -> None:
    """Show the outcomes of landed records, from the project's quality models."""
    from afterimage.invoke import working_in
    from afterimage.report import gather, page, show

    file = html.absolute() if html else None
    with working_in(project_dir):
        found = gather(target, newest, keys)
    if file:
        file.write_text(page(found), encoding="utf-8")
        counts = [*found.first.items(), ("refused", found.refused)]
        said = ", ".join(f"{name}: {number:,}" for name, number in counts if number)
        click.echo(f"wrote {html} ({said or 'no alarm, nothing refused'})")
    elif form == "json":
        click.echo(found.as_json())
    else:
        show(found, Console(highlight=False))


INSTANT = click.DateTime(
    ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d"]
)


@main.command()
@click.argument("table", metavar="SOURCE.TABLE")
@click.option("--database", metavar="URL", help="SQLAlchemy URL of the source's database.")
@click.option(
    "--database-table", metavar="SCHEMA.TABLE", help="Its table. Default: as the topic names it."
)
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The rows of the source as .csv, .jsonl or .parquet.",
)
@click.option("--rows", metavar="SCHEMA.TABLE", help="Table of the warehouse with those rows.")
@click.option(
    "--taken-at",
    type=INSTANT,
    help="When the file or table was read from the source, in UTC: compares with that time.",
)
@click.option("--taken-until", type=INSTANT, help="When reading it ended. Default: the same.")
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="How much earlier or later the source may have been read than its clock says.",
)
@click.option(
    "--reached",
    type=INSTANT,
    help="All changes up to then are staged, in UTC. Default: the newest change of the history.",
)
@click.option(
    "--exclude", multiple=True, metavar="COLUMN", help="Column not to compare. Several allowed."
)
@click.option(
    "--narrow",
    is_flag=True,
    help="For large tables: compare hashes, and read only rows whose hashes differ.",
)
@click.option(
    "--samples", type=NUMBER, default=10, show_default=True, help="Rows of each status to show."
)
@click.option(
    "--close",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="SEED.CSV",
    help="Print the operator events that end the rows which only the model has.",
)
@click.option("--write", is_flag=True, help="With --close: append these events to the seed.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the printed result.",
)
@project_option
@target_option
def reconcile(
    table: str,
    database: str | None,
    database_table: str | None,
    file: Path | None,
    rows: str | None,
    taken_at: datetime | None,
    taken_until: datetime | None,
    margin: float,
    reached: datetime | None,
    exclude: tuple[str, ...],
    narrow: bool,
    samples: int,
    close: Path | None,
    write: bool,
    form: str,
    project_dir: Path | None,
    target: str | None,
) -> None:
    """Compare a table with its source; exit with code 1 if they differ.

    Rows are identical, modified, added (only the source has them), removed (only the model has
    them), unknown (no record carried the value) or pending (the history ends before the source was
    read).
    """
    if sum(map(bool, (database, file, rows))) != 1:
        raise click.UsageError("give the source as one of --database, --file and --rows")
    if database and taken_at:
        raise click.UsageError("--database has a clock: leave --taken-at out")
    if taken_until and not taken_at:
        raise click.UsageError("--taken-until belongs to --taken-at")
    if taken_at and taken_until and taken_until < taken_at:
        raise click.UsageError("--taken-until is earlier than --taken-at")
    if reached and not (database or taken_at):
        raise click.UsageError("--reached needs --taken-at: rows are compared with the newest")
    if database_table and not database:
        raise click.UsageError("--database-table belongs to --database")
    if narrow and not database:
        raise click.UsageError("--narrow belongs to --database")
    if write and not close:
        raise click.UsageError("--write belongs to --close")
    if close and form == "json":
        raise click.UsageError("--close prints lines of CSV: leave --format out")
    if close and not (database or taken_at):
        raise click.UsageError("--close needs --taken-at: rows may be newer than the source's")
    from afterimage.invoke import working_in
    from afterimage.reconcile import Taken, closings
    from afterimage.reconcile import reconcile as compare

    file = file.absolute() if file else None
    close = close.absolute() if close else None
    with working_in(project_dir):
        found = compare(
            target,
            table,
            database=database,
            database_table=database_table,
            file=file,
            rows=rows,
            taken=Taken(taken_at, taken_until or taken_at),
            margin=timedelta(seconds=margin),
            reached=reached,
            exclude=exclude,
            samples=samples,
            narrow=narrow,
        )
        if form == "json":
            click.echo(found.as_json())
        else:
            found.show(Console(highlight=False, markup=False))
        for line in closings(found, close, write) if close else ():
            click.echo(line)
    if found.differs:
        raise SystemExit(1)


@main.command()
@click.argument("table", metavar="SOURCE.TABLE")
@click.option("--key", "keys", multiple=True, help="Row to erase, as in _cdc_key. Several allowed.")
@click.option(
    "--keys-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with one such key per line.",
)
@click.option("--reason", help="Kept as the note of the operator events. Names no person.")
@click.option(
    "--landing", metavar="SCHEMA.TABLE", help="Also empty the landed records in this table."
)
@click.option(
    "--seed",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("seeds/operator_events.csv"),
    show_default=True,
    help="Seed of operator events, from the project's root.",
)
@click.option("--write", is_flag=True, help="Erase. Without it, only count.")
@click.option("--clean", is_flag=True, help="After `dbt build`: remove files that hold values.")
@click.option(
    "--keep-hours",
    type=NUMBER,
    default=168,
    show_default=True,
    help="With --clean: how far back readers of Delta and Iceberg can time travel.",
)
@project_option
@target_option
def erase(
    table: str,
    keys: tuple[str, ...],
    keys_file: Path | None,
    reason: str | None,
    landing: str | None,
    seed: Path,
    write: bool,
    clean: bool,
    keep_hours: int,
    project_dir: Path | None,
    target: str | None,
) -> None:
    """Erase the values of rows from a table's models and, if named, from landing.

    Without a key, of the rows that the seed of operator events names. Counts what it would rewrite;
    --write does it.
    """
    if keys_file:
        keys += tuple(filter(None, keys_file.read_text(encoding="utf-8").splitlines()))
    if clean and (keys or keys_file or write or landing):
        raise click.UsageError("--clean stands alone: erase and run `dbt build` first")
    if keys_file and not keys:
        raise click.UsageError(f"{keys_file} has no key")
    if keys and not reason:
        raise click.UsageError("--key needs --reason: the event of each row keeps it")
    from afterimage import erase as erasing
    from afterimage.invoke import working_in

    with working_in(project_dir):
        if clean:
            lines = erasing.clean(target, table, keep_hours)
        else:
            lines = erasing.erase(
                target, table, keys, reason, seed=seed, landing=landing, write=write
            )
        for line in lines:
            click.echo(line)


@main.command()
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    help="Changes in the base.",
)
@click.option(
    "--increment",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Changes in each increment.",
)
@click.option(
    "--formats",
    default="parquet",
    show_default=True,
    metavar="NAMES",
    help=f"{', '.join(TABLE_FORMATS)}: one or several, separated by commas.",
)
@click.option("--alone", is_flag=True, help="Only the models and the floor, no contestants.")
@click.option("--resume", is_flag=True, help="Skip formats already measured with the same numbers.")
@click.option(
    "--factors", is_flag=True, help="Also measure workloads that vary one factor, a tenth as large."
)
@click.option(
    "--tables",
    type=NUMBER,
    default=0,
    help="Also measure so many small tables, each run in a new process.",
)
def bench(
    events: int,
    increment: int,
    formats: str,
    alone: bool,
    resume: bool,
    factors: bool,
    tables: int,
) -> None:
    """Measure the models on generated changes, next to common alternatives.

    The unit is the floor: a bare parse and write of the same records. Every result is compared
    with the generator's own account, so a fast but wrong result shows as wrong.
    """
    from afterimage.bench import run

    names = [name.strip() for name in formats.split(",")]
    unknown = sorted(set(names) - set(TABLE_FORMATS))
    if unknown:
        raise click.UsageError(f"no such format: {', '.join(unknown)}")
    run(events, increment, names, alone, resume, factors, tables)


@main.group()
def server() -> None:
    """A Spark Thrift server on this machine, for `dbt --target thrift`."""


@server.command("start")
@click.option("--port", type=PORT, default=10000, show_default=True, help="Port on 127.0.0.1.")
@click.option(
    "--workers",
    type=NUMBER,
    default=0,
    show_default=True,
    help="Workers of one core and 1 GB, under a master of their own; 0: no workers.",
)
@click.option("--connect", type=PORT, metavar="PORT", help="Also serve Spark Connect on this port.")
@project_option
@target_option
def server_start(
    port: int, workers: int, connect: int | None, project_dir: Path | None, target: str | None
) -> None:
    """Start the server with the catalog, table format and jars of an embedded target."""
    from afterimage.invoke import working_in
    from afterimage.server import HOST, start

    console = Console(highlight=False)
    with working_in(project_dir), console.status("starting Spark"):
        running = start(target, port, workers, connect)
    for part in running:
        click.echo(f"{part.name}: process {part.process}, {HOST}:{part.port}")
    if connect:
        click.echo(f"Spark Connect: --remote sc://{HOST}:{connect}")
    click.echo("`afterimage server stop` ends them.")


@server.command("stop")
@project_option
def server_stop(project_dir: Path | None) -> None:
    """Stop what `start` started."""
    from afterimage.invoke import working_in
    from afterimage.server import stop

    with working_in(project_dir):
        ended = stop()
    click.echo("\n".join(f"{part.name}: ended" for part in ended) or "No server is running.")
