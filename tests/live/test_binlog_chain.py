"""MariaDB, Debezium in Kafka Connect, Kafka, landing and the models, together: a connector that
reads a part of the log twice, and a replica that takes the primary's place."""

import json
import threading
import time
from datetime import UTC, datetime

import pytest

# of the `live` extra
pytest.importorskip("pymysql")

from tests.functional.capture_project import project_of_spec
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.live.chain import chain
from tests.live.comparison import differences
from tests.live.depot import depot, depot_spec, mark
from tests.live.mariadb import MariaDb, find_mariadbd
from tests.live.test_truth_live import SEED
from tests.live.workload import Step

pytestmark = [pytest.mark.live, pytest.mark.spark]

CONNECTOR = "depot-1"
CONNECTED = "Connected to binlog"  # what the connector logs when it begins to stream


@pytest.fixture
def servers(kafka_programs, tmp_path):
    if find_mariadbd() is None:
        pytest.skip("no MariaDB: scripts/ci/install_databases.sh")
    if not list(kafka_programs.glob("plugins/debezium-connector-mariadb*")):
        pytest.skip(f"AFTERIMAGE_KAFKA={kafka_programs} has no connector for MariaDB")
    with chain(tmp_path / "servers", kafka_programs, MariaDb) as started:
        yield started


@pytest.fixture
def spec(servers):
    return depot_spec(servers.prefix)


@pytest.fixture
def project(spark, spec, tmp_path, request):
    name = f"live_{request.node.name[5:25]}"
    project = project_of_spec(spec, tmp_path / "project", spark, name)
    project.operator_events = []
    laws = {"name": "dq_src__accounting", "data_tests": ["afterimage.cdc_conservation"]}
    (project.folder / "models" / "laws.yml").write_text(json.dumps({"models": [laws]}))
    project.write()
    project.run("seed")
    yield project
    drop(spark, project)


def parts(steps: list[Step]) -> tuple[list[Step], list[Step], list[Step]]:
    """What is written before the snapshot, then before mark 2, then to the end."""
    start = next(n for n, step in enumerate(steps) if step.kind == "snapshot")
    middle = next(n for n, step in enumerate(steps) if step.mark == 2)
    return steps[:start], steps[start + 1 : middle], steps[middle:]


def findings(project) -> set[tuple[str, str]]:
    """What accounting has that should not be there, of any table."""
    unwanted = ("alarm", "refused", "pending", "contradiction")
    return {(outcome, kind) for _, outcome, kind in project.counts() if outcome in unwanted}


def test_the_connector_reads_a_part_of_the_log_twice(servers, spark, spec, project, compared):
    """Its offset is set back under load, over files of the log and a schema change: each change
    since then arrives once more, at another offset of the topic and with another `ts_ms`."""
    first, then, later = parts(depot(SEED, 120))
    servers.work(first)
    servers.capture(CONNECTOR)
    servers.land_until(spark, project.landing, 0)  # no schema changes while it reads the snapshot
    servers.work([*then, mark(11)])
    servers.land_until(spark, project.landing, 11)
    project.run("run")
    earlier = servers.connect.offsets(CONNECTOR)

    writer = threading.Thread(target=servers.work, args=(later, 20))
    writer.start()
    servers.land(spark, project.landing)
    project.run("run")
    writer.join()
    servers.land_until(spark, project.landing, 4)
    servers.connect.read_again_from(CONNECTOR, earlier)
    servers.work([mark(12)])
    servers.land_until(spark, project.landing, 12)
    project.run("run")

    assert findings(project) == set()
    counts = project.counts().items()
    twice = sum(records for (_, outcome, _), records in counts if outcome == "duplicate")
    assert twice > 100
    marks = [taken for number, taken in servers.marks.items() if number < 12]
    assert differences(project, spec, spec, servers.rows(), marks, compared) == [], f"seed {SEED}"
    project.run("test")
    compared["records of MariaDB's log, read twice"] += twice


@pytest.mark.parametrize("goes_on_by", [pytest.param("gtid", marks=pytest.mark.slow), "snapshot"])
def test_a_replica_takes_the_place_of_the_primary(
    servers, spark, spec, project, compared, goes_on_by
):
    """Its log has files and positions of its own, here lower ones. Undeclared that is an alarm;
    declared as an epoch, in one line, the tables are right.

    If the new primary writes before the connector finds it, the connector does not know its GTID
    and reads a snapshot: what was deleted until then is in no record, and the snapshot has to be
    declared complete.
    """
    first, then, later = parts(depot(SEED + 1, 90))
    with MariaDb() as replica:
        replica.follow(servers.server)
        servers.work(first)
        servers.capture(CONNECTOR)
        servers.land_until(spark, project.landing, 0)
        servers.work([*then, mark(11)])
        servers.land_until(spark, project.landing, 11)
        project.run("run")
        assert findings(project) == set()

        replica.take_over(servers.server)
        servers.server.__exit__()
        switched = datetime.now(UTC)
        servers.server = replica
        servers.sessions = {"main": replica.connect(), "b": replica.connect()}
        if goes_on_by == "snapshot":
            unseen = ["delete from shop.orders where id % 5 = 0"]
            unseen.append("update shop.orders set note = 'unseen' where id % 4 = 0")
            servers.work([*(Step("sql", statement) for statement in unseen), mark(12)])
        connected = servers.connect.log.read_text().count(CONNECTED)
        servers.capture(CONNECTOR, snapshot_mode="when_needed")
        while servers.connect.log.read_text().count(CONNECTED) == connected:
            assert servers.connect.failure(CONNECTOR) is None
            time.sleep(0.5)
        servers.work(later)
        servers.land_until(spark, project.landing, 4)
        project.run("run")
        assert ("alarm", "position_went_back") in findings(project)
        with pytest.raises(DbtFailed, match="cdc_conservation"):
            project.run("test")

        moment = f"{switched:%Y-%m-%d %H:%M:%S.%f}"
        words = {"source_name": "src", "note": "another primary"}
        epoch = words | {"event": "epoch", "kind": "epoch", "landed_from": moment}
        project.operator_events = [epoch]
        if goes_on_by == "snapshot":
            complete = words | {"kind": "snapshot_complete", "source_ts": moment}
            complete["position"] = f"e0001.{snapshot_position(project, moment)}"
            project.operator_events += [
                complete | {"event": f"snapshot of {table}", "table_name": table}
                for table in ("orders", "stock")
            ]
        project.write()
        project.run("seed")
        project.run("run")
        assert findings(project) == set()
        marks = [taken for number, taken in servers.marks.items() if number in (1, 11)]
        assert differences(project, spec, spec, servers.rows(), marks, compared) == [], f"{SEED}"
        project.run("test")
        compared[f"primaries switched, the connector goes on by {goes_on_by}"] += 1


def snapshot_position(project, since: str) -> str:
    """Of the rows of `orders` that a snapshot has read since then; all tables have the same."""
    rows = project.rows("stg_src__orders", f"_cdc_op = 'r' and _cdc_landed_ts >= '{since}'")
    [position] = {row["_cdc_position"] for row in rows}
    return position
