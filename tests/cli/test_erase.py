"""`afterimage erase`: what it prints, and the mistakes that it reports."""

import csv
import json

import pytest
from click.testing import CliRunner
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed, Project

from afterimage import erase
from afterimage.cli import main
from afterimage.erase import keyed_hash

# the quality models also read a table that has not run
MODELS = ("--select", "stg_s__people", "hist_s__people", "cur_s__people")
KEYED = {"key": ["id"], "columns": {"id": "int", "note": "text"}}


def change(table, offset, row):
    source = {"lsn": 100 + offset, "txId": offset, "ts_ms": 1700000000000}
    return {
        "topic": f"t.p.{table}",
        "partition": 0,
        "offset": offset,
        "timestamp": 1700000000000 + offset,
        "key": {"id": row["id"]},
        "value": {"op": "c", "source": source, "before": None, "after": row},
    }


def command(project, *arguments):
    done = CliRunner().invoke(
        main, ["erase", *map(str, arguments), "--project-dir", str(project.folder)]
    )
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    made = Project(
        tmp_path_factory.mktemp("erase") / "consumer",
        spark,
        "s",
        {"connector": "postgresql", "topic_prefix": "t"},
        {
            "people": {"topic": "t.p.people", **KEYED},
            "later": {"topic": "t.p.later", **KEYED},
            "bag": {
                "topic": "t.p.bag",
                "key": [],
                "replica_identity": "full",
                "columns": {"id": "int"},
            },
        },
        schema="erase_command",
        landing="erase_command_landing.events",
        operator_events=[],
    )
    made.land([change("people", number, {"id": number, "note": "n"}) for number in range(4)])
    made.land([change("bag", 0, {"id": 1})])
    made.run("seed")
    made.run("run", "--exclude", "stg_s__later+")
    yield made
    drop(spark, made)


USAGE = [
    (["s.people", "--key", "1"], "--key needs --reason"),
    (["s.people", "--clean", "--write"], "--clean stands alone"),
    (["s.people", "--keys-file", "{empty}", "--reason", "r"], "has no key"),
]
FAULTS = [
    (["s.persons"], "no model of s.persons. The project has: s.bag, s.later, s.people"),
    (["s.bag"], "s.bag has no key"),
    (["s.later"], "stg_s__later has not run yet"),
    (["s.people", "--key", "77", "--reason", "r"], "no values of 77"),
    (["s.people", "--landing", "erase_command.hist_s__people"], "it is a view"),
    (["s.people", "--landing", "erase_command.nothing"], "there is no such table"),
    (["s.people", "--landing", "nothing"], "name it as schema.table"),
]


@pytest.mark.parametrize(("arguments", "said"), USAGE + FAULTS, ids=[s for _, s in USAGE + FAULTS])
def test_faults(project, tmp_path, arguments, said):
    (tmp_path / "empty").touch()
    before = project.files()
    done = command(project, *(text.format(empty=tmp_path / "empty") for text in arguments))
    assert done.exit_code in (1, 2)
    assert said in " ".join(done.output.split())
    written = {path for path, _ in project.files() - before}
    assert not [path for path in written if "__secret" not in path]


def test_a_log_without_operator_events(project):
    model = project.folder / "models" / "stg_s__people.sql"
    text = model.read_text()
    try:
        model.write_text(text.replace(", operator_events=ref('operator_events')", ""))
        done = command(project, "s.people", "--key", "1", "--reason", "r")
    finally:
        model.write_text(text)
    assert done.exit_code == 1
    assert "does not read seeds/operator_events.csv" in " ".join(done.output.split())


def test_another_run_is_going_on(project, spark):
    lock = f"{project.schema}.stg_s__people__batch"
    spark.sql(
        f"create table {lock} (_cdc_key string) "
        "tblproperties ('afterimage.owner' = 'x of y UTC by z')"
    )
    try:
        done = command(project, "s.people", "--key", "3", "--reason", "r", "--write")
    finally:
        spark.sql(f"drop table {lock}")
    assert done.exit_code == 1 and "another run is writing it" in " ".join(done.output.split())
    (project.folder / "seeds" / "operator_events.csv").unlink()
    project.write()


def test_a_file_of_keys_and_a_clean_too_early(project, tmp_path):
    """A second time there is nothing to erase; a lost secret is not replaced."""
    keys = tmp_path / "keys.txt"
    keys.write_text("1\n2\n\n")
    arguments = ("s.people", "--keys-file", keys, "--reason", "request 7", "--write")
    done = command(project, *arguments)
    assert done.exit_code == 0, done.output
    assert "operator_events.csv: 2 events added" in done.output
    assert "stg_s__people: 2 changes rewritten" in done.output
    assert "backups" in done.output and "Landing still holds the records" in done.output
    with (project.folder / "seeds" / "operator_events.csv").open(newline="") as file:
        project.operator_events = list(csv.DictReader(file))
    [[secret]] = project.spark.sql(
        "select secret from erase_command.stg_s__people__secret"
    ).collect()
    assert [event["row_key"] for event in project.operator_events] == [
        keyed_hash("1", secret),
        keyed_hash("2", secret),
    ]
    assert {event["note"] for event in project.operator_events} == {"request 7"}

    early = command(project, "s.people", "--clean")
    assert early.exit_code == 1 and "was made before the rows were erased" in " ".join(
        early.output.split()
    )
    project.run("seed")
    project.run("run", *MODELS)
    assert command(project, "s.people", "--clean").exit_code == 0
    again = command(project, *arguments)
    assert again.exit_code == 1 and "no values of 1, 2" in " ".join(again.output.split())
    rest = command(project, "s.people", "--write")
    assert rest.exit_code == 0 and "stg_s__people: 0 changes rewritten" in rest.output

    project.spark.sql(
        "alter table erase_command.stg_s__people__secret rename to erase_command.kept"
    )
    lost = command(project, "s.people")
    assert lost.exit_code == 1 and "with their secret does not exist" in " ".join(
        lost.output.split()
    )
    project.land([change("people", 9, {"id": 9, "note": "n"})])
    with pytest.raises(DbtFailed, match="by keyed hashes of the secret"):
        project.run("run", "--select", "stg_s__people")
    project.spark.sql(
        "create table erase_command.stg_s__people__secret as select 'other' as secret"
    )
    other = command(project, "s.people")
    assert other.exit_code == 1 and "copy the table from the warehouse" in " ".join(
        other.output.split()
    )


def test_a_hashed_event_without_the_command(project):
    """Merged from elsewhere: the run stops rather than build a history with the row."""
    spark = project.spark
    spark.sql("drop table erase_command.stg_s__people__secret")
    spark.sql("alter table erase_command.kept rename to erase_command.stg_s__people__secret")
    [[secret]] = spark.sql("select secret from erase_command.stg_s__people__secret").collect()
    project.operator_events = [
        *project.operator_events,
        {
            **project.operator_events[0],
            "event": "merged",
            "row_key": keyed_hash("3", secret),
        },
    ]
    project.write()
    project.run("seed")
    with pytest.raises(
        DbtFailed, match=r"1 change.s. in .* are of rows that operator events erase"
    ):
        project.run("run", *MODELS)
    done = command(project, "s.people", "--write")
    assert done.exit_code == 0 and "stg_s__people: 1 changes rewritten" in done.output
    project.run("run", *MODELS)
    assert sorted(row["id"] for row in project.rows("cur_s__people")) == [0, 9]


def test_the_events_go_into_the_given_seed(tmp_path, monkeypatch):
    """That must be one the change log reads; without --write they are only printed."""
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    (tmp_path / "seeds").mkdir()
    hashed = keyed_hash("7", "secret")
    place = {"source_name": "s", "table_name": "people", "position": "0009"}
    printed = {
        "erase_secret": place | {"seeds": ["seeds/ours.csv"], "secret": "people__secret"},
        "erase_rows": {"keys": [hashed], "other_keys": "select other_key", "unknown": 0}
        | {"tables": [], "working": []},
    }
    rows = {"select max(secret) from people__secret": [["secret"]], "select other_key": []}
    monkeypatch.setattr(erase, "operation", lambda name, *_, **__: [json.dumps(printed[name])])
    monkeypatch.setattr(erase, "warehouse", lambda target: rows.get)

    def run(*options):
        command = ["erase", "s.people", "--key", "7", "--reason", "r", *options]
        return CliRunner().invoke(main, [*command, "--project-dir", str(tmp_path)])

    other = run()
    assert other.exit_code == 1 and "does not read seeds/operator_events.csv" in other.output
    assert "It reads seeds/ours.csv" in other.output
    shown = run("--seed", "seeds/ours.csv")
    assert shown.exit_code == 0, shown.output
    event = f"erase,s,people,{hashed},0009,,,r"
    assert event in shown.output and not list((tmp_path / "seeds").iterdir())
    assert "ours.csv: 1 event added" in run("--seed", "seeds/ours.csv", "--write").output
    assert event in (tmp_path / "seeds" / "ours.csv").read_text()
