"""PostgreSQL, Debezium in Kafka Connect, Kafka, `afterimage land kafka` and the models, together:
whatever fails on the way, the tables end as the database's."""

import csv
import json
import re
import shlex
import threading
import time

import pytest

# of the `live` extra
pytest.importorskip("psycopg")

from click.testing import CliRunner

from afterimage.cli import main
from afterimage.errors import UserError
from tests.functional.capture_project import project_of
from tests.functional.conftest import drop
from tests.live.chain import SLOT, chain
from tests.live.comparison import differences
from tests.live.postgres import find_postgres
from tests.live.test_truth_live import SEED
from tests.live.workload import Step, insert, workload
from tests.truth.captures import captures

pytestmark = [pytest.mark.live, pytest.mark.spark]


@pytest.fixture
def servers(kafka_programs, tmp_path):
    if find_postgres() is None:
        pytest.skip("no PostgreSQL: scripts/ci/install_databases.sh")
    with chain(tmp_path / "servers", kafka_programs) as started:
        yield started


@pytest.fixture
def project(spark, tmp_path, request):
    """The shop of the capture, whose rows come from somewhere else."""
    name = f"live_{request.node.name.split('[')[0][5:25]}"
    project = project_of(captures()["shop"], tmp_path / "project", spark, schema=name)
    project.operator_events = []
    project.write()
    yield project
    drop(spark, project)


def parted(steps: list[Step], parts: int) -> list[list[Step]]:
    size = -(-len(steps) // parts)
    return [steps[at : at + size] for at in range(0, len(steps), size)]


def test_servers_fail_while_rows_are_written(servers, spark, project, compared):
    """A worker and a broker are killed under load, and the models run in between."""
    steps = workload(SEED, 120)
    start = next(n for n, step in enumerate(steps) if step.kind == "snapshot")
    servers.work(steps[:start])
    servers.capture("shop-1")

    def worker_dies() -> None:
        servers.connect.kill()
        time.sleep(1)
        servers.connect.start()

    def broker_dies() -> None:
        servers.broker.kill()
        with pytest.raises(UserError, match="no broker of"):
            servers.land(spark, project.landing)
        servers.broker.start()

    project.run("seed")
    faults = [worker_dies, broker_dies]
    for part in parted(steps[start + 1 :], len(faults)):
        writer = threading.Thread(target=servers.work, args=(part, 6))
        writer.start()
        time.sleep(2)
        faults.pop(0)()
        compared["servers killed under load"] += 1
        servers.land(spark, project.landing)
        project.run("run")
        writer.join()
    servers.connect.wait_until_running("shop-1")
    servers.land_until(spark, project.landing, mark=4)
    project.run("run")

    spec = captures()["shop"].spec, captures()["shop"].former_spec
    final = servers.rows()
    marks = [mark for number, mark in servers.marks.items() if number < 4]
    assert differences(project, *spec, final, marks, compared) == [], f"seed {SEED}"
    counts = project.counts()
    assert not [kind for kind in counts if kind[1] == "refused"]
    for outcome in ("staged", "duplicate"):
        found = sum(records for kind, records in counts.items() if kind[1] == outcome)
        compared[f"records that passed a running Kafka, {outcome}"] += found


@pytest.mark.parametrize("kind", ["incremental", pytest.param("blocking", marks=pytest.mark.slow)])
def test_a_snapshot_on_request_while_rows_are_written(servers, spark, project, compared, kind):
    """A signal has the connector read two tables again under load. Rows of an incremental snapshot
    have no position in the log, and come among the changes made meanwhile; the connector does not
    distinguish those of a blocking one from the initial one's."""
    steps = workload(SEED, 60)
    start = next(n for n, step in enumerate(steps) if step.kind == "snapshot")
    servers.work(steps[:start])
    with servers.server.connect() as operator:
        held = {
            table: operator.execute(f"select count(*) from shop.{table}").fetchone()[0]
            for table in ("orders", "stock_slots")
        }
        operator.execute("create schema control")
        operator.execute("create table control.signal (id text primary key, type text, data text)")
        servers.capture(
            "shop-1",
            schema_include_list="shop,control",
            signal_data_collection="control.signal",
            incremental_snapshot_chunk_size="10",
        )
        project.run("seed")
        writer = threading.Thread(target=servers.work, args=(steps[start + 1 :], 10))
        writer.start()
        read_again = {"data-collections": [f"shop.{table}" for table in held], "type": kind}
        signal = ["again", "execute-snapshot", json.dumps(read_again)]
        operator.execute("insert into control.signal values (%s, %s, %s)", signal)
    servers.land(spark, project.landing)
    project.run("run")
    writer.join()
    servers.land_until(spark, project.landing, mark=4)
    project.run("run")

    for table, rows in held.items():
        read = [row for row in project.rows(f"stg_src__{table}") if row["_cdc_op"] == "r"]
        assert len(read) > rows, f"the snapshot of {table} has not landed"
        named = {"incremental": {"initial", "incremental"}, "blocking": {"initial"}}
        assert {row["_cdc_snapshot"] for row in read} == named[kind]
        compared[f"rows that {kind} snapshots read again under load"] += len(read) - rows
    spec = captures()["shop"].spec, captures()["shop"].former_spec
    marks = [mark for number, mark in servers.marks.items() if number < 4]
    assert differences(project, *spec, servers.rows(), marks, compared) == [], f"seed {SEED}"


def test_rows_deleted_while_nothing_was_captured(servers, spark, project, compared):
    """The slot is dropped, rows are deleted, and a new connector reads a new snapshot: no record
    says what is gone. A reconcile finds those rows, and closes them on the operator's word."""
    steps = workload(SEED, 20)
    servers.work([step for step in steps if step.kind != "snapshot"])
    servers.capture("shop-1")
    servers.land_until(spark, project.landing, mark=4)
    project.run("seed")
    project.run("run")

    servers.connect.remove("shop-1")
    connection = servers.sessions["main"]
    for _ in range(100):
        active = connection.execute("select active from pg_replication_slots").fetchone()[0]
        if not active:
            break
        time.sleep(0.1)
    connection.execute(f"select pg_drop_replication_slot('{SLOT}')")
    gone = connection.execute(
        "delete from shop.orders where id in (select id from shop.orders order by id limit 3) "
        "returning id"
    ).fetchall()
    connection.execute("update shop.orders set comment = 'unseen'")
    connection.execute(insert("mark", {"n": 5, "note": "a new connector"}))
    servers.capture("shop-2")
    servers.land_until(spark, project.landing, mark=5)
    project.run("run")

    at = connection.info
    url = f"postgresql://{at.user}:{at.password}@{at.host}:{at.port}/{at.dbname}"
    folder = ["--project-dir", str(project.folder)]

    def reconciled(*options: str):
        return CliRunner().invoke(main, ["reconcile", "src.orders", *options, *folder])

    # The database is ahead of the history, until a later change has landed.
    said = reconciled("--database", url).output
    again = re.search(r"afterimage reconcile src.orders (--file .*)", said)[1]
    connection.execute("update shop.orders set comment = 'later'")
    connection.execute(insert("mark", {"n": 6, "note": "later"}))
    servers.land_until(spark, project.landing, mark=6)
    project.run("run")
    seed = project.folder / "seeds" / "operator_events.csv"
    rest = shlex.split(again.replace("target/", f"{project.folder}/target/"))
    closed = reconciled(*rest, "--close", str(seed), "--write").output
    assert re.search(rf"removed\D+{len(gone)}\b", closed), closed
    assert f"{len(gone)} events added" in closed, closed
    with seed.open(encoding="utf-8", newline="") as file:
        keys = [event["row_key"] for event in csv.DictReader(file)]
    assert sorted(keys) == sorted(str(row[0]) for row in gone)
    project.run("seed")
    project.run("run")

    spec = captures()["shop"].spec, captures()["shop"].former_spec
    assert differences(project, *spec, servers.rows(), [], compared) == []
    compared["rows deleted unseen, found and closed"] += len(gone)
    found = json.loads(reconciled("--database", url, "--format", "json").output)
    assert found["counts"].keys() == {"identical"}
