"""`afterimage erase`: the values of a person's rows are in no file of the models any more, and stay
out through replays and a full refresh."""

import contextlib
import gzip
import re
from pathlib import Path

import pyarrow.parquet
import pytest
from click.testing import CliRunner

from afterimage.cli import main
from afterimage.errors import UserError
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.functional.statements import passing_through
from tests.session import file_format_of, warehouse_of

VALUE = "zebra-7431"
KEYS = ("ann-5501@x.org", "ann-5502@x.org")  # one person, whose key changed
OTHER = "bob-1111@x.org"
TOPIC = "t.p.people"


def record(offset: int, lsn: int, op: str, key: str, after=None, before=None, headers=None):
    def image(note):
        return note and {"id": key, "note": note}

    source = {"lsn": lsn, "ts_ms": 1700000000000 + lsn, "txId": lsn, "snapshot": "false"}
    value = {"op": op, "before": image(before), "after": image(after), "source": source}
    return {
        "topic": TOPIC,
        "partition": 0,
        "offset": offset,
        "timestamp": 1700000000000 + offset,
        "key": {"id": key},
        "value": value,
        "headers": headers,
    }


def tombstone(offset: int, key: str):
    return record(offset, 0, "d", key) | {"value": None}


def refused(offset: int, lsn: int, key: str):
    """Its number does not fit."""
    made = record(offset, lsn, "u", key, VALUE, VALUE)
    made["value"]["after"]["number"] = "none"
    return made


OLD, NEW = KEYS
CREATED = record(0, 100, "c", OLD, VALUE)
RECORDS = [
    CREATED,
    record(1, 110, "c", OTHER, "lion"),
    record(2, 120, "u", OLD, f"{VALUE} again", VALUE),
    refused(3, 130, OLD),
    record(4, 140, "d", OLD, before=VALUE, headers={"__debezium.newkey": '{"id":"' + NEW + '"}'}),
    tombstone(5, OLD),
    record(6, 140, "c", NEW, VALUE, headers={"__debezium.oldkey": '{"id":"' + OLD + '"}'}),
    record(7, 150, "u", OTHER, "tiger", "lion"),
    record(8, 160, "d", NEW, before=VALUE),
    tombstone(9, NEW),
    record(10, 100, "c", OLD, VALUE),  # a redelivery
]


@pytest.fixture
def project(spark, tmp_path):
    made = Project(
        tmp_path / "project",
        spark,
        "s",
        {"connector": "postgresql", "topic_prefix": "t"},
        {
            "people": {
                "topic": TOPIC,
                "key": ["id"],
                "replica_identity": "full",
                "columns": {"id": "text", "note": "text", "number": "int"},
            }
        },
        schema="erased",
        landing="erased_landing.events",
        landing_format=file_format_of(spark),
        operator_events=[],
    )
    made._file(
        "models/tests.yml",
        {
            "models": [
                {"name": "dq_s__accounting", "data_tests": ["afterimage.cdc_conservation"]},
                {"name": "hist_s__people", "data_tests": ["afterimage.cdc_intervals"]},
                {
                    "name": "cur_s__people",
                    "data_tests": [
                        {
                            "afterimage.cdc_agreement": {
                                "arguments": {"history": "ref('hist_s__people')"}
                            }
                        }
                    ],
                },
            ]
        },
    )
    made.land(RECORDS)
    made.run("seed")
    made.run("run")
    yield made
    drop(spark, made)


def erase(project, *arguments: str):
    done = CliRunner().invoke(
        main, ["erase", "s.people", *arguments, "--project-dir", str(project.folder)]
    )
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def erase_both(project, *arguments: str):
    named = [text for key in KEYS for text in ("--key", key)]
    done = erase(project, *named, "--reason", "request 4711", "--write", *arguments)
    assert done.exit_code == 0, done.output
    project.run("seed")
    project.run("run")
    cleaned = erase(project, "--clean", "--keep-hours", "0")
    assert cleaned.exit_code == 0, cleaned.output
    return done


def texts_in(file: Path) -> str:
    """All that a file holds: its bytes, and the values of a Parquet file."""
    found = file.read_bytes()
    if file.suffix == ".gz":
        found += gzip.decompress(found)
    text = found.decode("latin-1")
    if file.suffix == ".parquet" and found.startswith(b"PAR1"):
        text += str(pyarrow.parquet.read_table(file).to_pylist())
    return text


def files_with(folder: Path, *values: str, without: tuple[str, ...] = ()) -> set[str]:
    return {
        str(file.relative_to(folder))
        for file in folder.rglob("*")
        if file.is_file()
        and not set(without) & set(file.parts)
        and any(value in texts_in(file) for value in values)
    }


def left_in(project, schema=None, *values: str, without: tuple[str, ...] = ()) -> set[str]:
    schema = schema or project.schema
    found = files_with(
        warehouse_of(project.spark, schema), *(values or (VALUE, *KEYS)), without=without
    )
    if file_format_of(project.spark) == "iceberg":
        # most of its catalogs leave the files of a dropped table, which the page says
        belong = files_of_tables(project.spark, schema)
        found = {path for path in found if path.rpartition("/")[2] in belong}
    return found


def files_of_tables(spark, schema: str) -> set[str]:
    """The names of all files that Iceberg's tables refer to, also in versions before."""
    parts = {
        "all_data_files": "file_path",
        "all_delete_files": "file_path",
        "all_manifests": "path",
        "snapshots": "manifest_list",
        "metadata_log_entries": "file",
    }
    return {
        row[0].rpartition("/")[2]
        for table in spark.sql(f"show tables in {schema}").collect()
        for part, column in parts.items()
        for row in spark.sql(f"select {column} from {schema}.{table.tableName}.{part}").collect()
    }


def logs_of_delta(project):
    """Delta's own log holds the lowest and highest key of former files, for 30 days by default."""
    return ("_delta_log",) if file_format_of(project.spark) == "delta" else ()


def others(project):
    """What is there of the other row, in all layers."""
    return [
        {k: v for k, v in row.items() if k not in ("_cdc_batch", "_cdc_append")}
        for layer in ("stg", "hist", "cur")
        for row in project.rows(f"{layer}_s__people", f"_cdc_key = '{OTHER}'")
    ]


def laws_hold(project):
    counts = project.counts()
    findings = ("pending", "alarm", "contradiction", "ambiguous")
    assert not [c for c in counts if c[1] in findings], counts
    project.run("test")
    landed = sum(n for c, n in counts.items() if c[1] == "landed")
    outcomes = ("staged", "duplicate", "ignored", "refused")
    assert landed == sum(n for c, n in counts.items() if c[1] in outcomes), counts
    return counts


@pytest.mark.formats
def test_no_file_holds_the_values(project):
    assert left_in(project), "nothing was planted"
    rows, counts = others(project), laws_hold(project)
    done = erase_both(project)
    assert left_in(project, without=logs_of_delta(project)) == set()
    assert others(project) == rows
    assert laws_hold(project) == counts | {("people", "operator", "erase"): 2}
    [quarantined] = project.rows("dq_s__quarantine")
    assert (quarantined["record_value"], quarantined["detail"]) == (None, None)
    # what identifies a change is no hash of its values that anyone can compute
    changes = project.rows("stg_s__people", "_cdc_op <> 'o'")
    identities = {row["_cdc_event_id"].split(":")[3] for row in changes}
    [duplicate] = project.rows("stg_s__people__ledger", "outcome = 'duplicate'")
    assert duplicate["event_id"].split(":")[3] in identities & {
        x for x in identities if x[0] == "x"
    }
    # the reason is there, and nobody's name in any file of the project but the SQL of duplicates
    assert "request 4711" in (project.folder / "seeds/operator_events.csv").read_text()
    assert files_with(project.folder, VALUE, *KEYS) == set()
    assert VALUE not in done.output


@pytest.mark.formats
def test_it_stays_erased(project):
    """Through a replay under other offsets, a change of the time before that comes late, and a full
    refresh from a landing table that still has all records."""
    erase_both(project)
    replayed = [
        {**each, "offset": each["offset"] + 100, "timestamp": 1700000001000} for each in RECORDS
    ]
    late = record(200, 125, "u", OLD, f"{VALUE} late", VALUE)
    project.land([*replayed, late])
    project.run("run")
    erase(project, "--clean", "--keep-hours", "0")
    assert left_in(project, without=logs_of_delta(project)) == set()
    counts = laws_hold(project)
    assert counts["people", "duplicate", "redelivered"] == 9, counts
    rows = [{k: v for k, v in row.items() if k != "_cdc_batch"} for row in others(project)]
    project.run("run", "--full-refresh")
    erase(project, "--clean", "--keep-hours", "0")
    assert left_in(project, without=logs_of_delta(project)) == set()
    assert len(others(project)) == len(rows)
    laws_hold(project)
    # a change after the erasure is a new life
    project.land([record(300, 900, "c", OLD, "back")])
    project.run("run")
    assert {row["note"] for row in project.rows("cur_s__people")} == {"tiger", "back"}


@pytest.mark.formats
def test_landing_where_it_is_named(project):
    done = erase_both(project, "--landing", project.landing)
    if file_format_of(project.spark) == "parquet":
        assert left_in(project, project.landing.split(".")[0]) == set()
    landed = project.rows(project.landing)
    assert len(landed) == len(RECORDS)
    assert {bytes(row["key"]) for row in landed if row["key"]} == {b'{"id":"%s"}' % OTHER.encode()}
    assert "yours to remove" in done.output
    laws_hold(project)
    project.run("run", "--full-refresh")
    laws_hold(project)
    assert [row["note"] for row in project.rows("cur_s__people")] == ["tiger"]


def test_a_dry_run_writes_nothing(project):
    erase(project, "--key", OLD, "--reason", "r")  # makes the secret
    before = project.files()
    done = erase(project, "--key", OLD, "--reason", "r", "--landing", project.landing)
    assert done.exit_code == 0, done.output
    assert project.files() == before
    assert ": 4 changes hold values to erase" in done.output, done.output
    assert NEW in done.output, "the other key of the row"
    assert not (project.folder / "seeds/operator_events.csv").read_text().count("erased:")


@pytest.mark.slow
def test_cut_off_anywhere_it_is_finished_by_the_next(project):
    """Each statement that writes, and all after it, fail once, each time for another row; no row of
    others is lost."""
    if file_format_of(project.spark) != "parquet":
        pytest.skip("Delta and Iceberg replace rows by a commit of their own")
    rows = others(project)
    for number in range(1, 40):
        if not cut_off_and_finished(
            project, number, rows, lambda written, end=number: len(written) >= end
        ):
            return
    raise AssertionError("it never came to its end")


def test_its_lock_does_not_outlive_it(project):
    if file_format_of(project.spark) != "parquet":
        pytest.skip("as on Parquet")
    assert cut_off_and_finished(
        project, 50, others(project), lambda written: "__erased_keys" in "".join(written)
    )


def cut_off_and_finished(project, number: int, rows, is_dead) -> bool:
    """Erases a new row; a statement that writes, and all after it, fail as soon as `is_dead` of
    those so far; then erases it again. Out: whether any failed."""
    key = f"eve-{9000 + number}@x.org"
    project.land([record(1000 + number, 1000 + number, "c", key, f"{VALUE} {number}")])
    project.land([refused(2000 + number, 2000 + number, key)])
    project.run("run", "--select", "stg_s__people")
    written = []

    def act(sql, carry_out):
        if re.match(r"(?s)\W*(/\*.*?\*/\s*)?(alter|insert|drop|create|merge)\b", sql):
            written.append(sql)
        if is_dead(written):
            raise RuntimeError("killed")
        carry_out(sql)

    with passing_through(act), contextlib.suppress(UserError):
        erase(project, "--key", key, "--reason", "r", "--write")
    project.run("run", "--select", "stg_s__people")
    # where the first one did not come to the event
    erase(project, "--key", key, "--reason", "r", "--write")
    done = erase(project, "--write")
    assert done.exit_code == 0, (written[-1], done.output)
    left = left_in(project, None, key, f"{VALUE} {number}")
    assert not [path for path in left if path.startswith("stg_")], written[-1]
    assert others(project) == rows, written[-1]
    return is_dead(written)
