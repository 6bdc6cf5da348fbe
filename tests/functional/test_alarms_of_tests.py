"""The findings of the generic tests other than those of accounting: rows that a snapshot did not
read, incomplete snapshots and transactions, contracts that do not fit. Each is in the model of its
test, and the failing test names it and gives the reason. Each comes with a similar case that is no
finding."""

import contextlib

import pytest
import yaml

from tests.functional import test_snapshots, test_transactions
from tests.functional.project import DbtFailed, Project
from tests.functional.test_snapshots import BOTH, SCANNED_A, A, notification, one_of
from tests.functional.test_transactions import boundary, change

AUDIT = "alarms_of_tests_dbt_test__audit"
DAY = 86_400_000
DRIFT = "{{ afterimage.contract_drift([ref('stg_src__a'), ref('stg_src__b')],"
DRIFT += " [source('src', 'a')]) }}\n"
# test -> its model
TESTS = {
    "cdc_no_row_unread": "stg_src__b",
    "cdc_snapshots_whole": "snapshots",
    "cdc_transactions_whole": "transactions",
    "cdc_contract_fits": "drift",
}
# test -> the columns that identify a finding, and the reason for each
FOUND = {
    "cdc_no_row_unread": (
        ("_cdc_key",),
        {
            ("1",): "a later snapshot of the table did not read this row, and no change tells that"
            " it went: was its delete lost?"
        },
    ),
    "cdc_snapshots_whole": (
        ("run", "collection"),
        {
            ("random-12", "s.a"): "the snapshot is aborted",
            ("random-12", "s.b"): "the snapshot is aborted",
            ("no-key", "s.b"): "the snapshot is failed (NO_PRIMARY_KEY)",
            ("still", "s.a"): "the snapshot is paused",
            ("under-way", "s.a"): "the snapshot is in progress",
        },
    ),
    "cdc_transactions_whole": (
        ("transaction_id", "table_name"),
        {
            ("11", "b"): "changes of the transaction are missing: 1 reported, 0 staged",
            ("12", "a"): "the END reports fewer changes than are staged: 1 reported, 2 staged",
            ("13", "b"): "the END reports fewer changes than are staged: 0 reported, 1 staged",
            ("18", "a"): "the transaction has no END, but later ones have",
            ("15", "a"): "the transaction has neither BEGIN nor END, but later ones have",
            (
                None,
                None,
            ): "a record of the topic cannot be read: broken JSON, partition 0, offset 13",
        },
    ),
    "cdc_contract_fits": (
        ("table_name", "column_name"),
        {
            ("a", "note"): "contract and stream do not fit: not declared",
            ("b", None): "contract and stream do not fit: key differs",
        },
    ),
}


def of_b(offset: int, op: str, id_: int, lsn: int, **more) -> dict:
    found = change("b", offset, 1, 1, id_, at=500, lsn=lsn)
    found["value"] |= {"op": op, "transaction": None}
    found["value"]["source"]["snapshot"] = "true" if op == "r" else "false"
    return found | more


UNDECLARED = change("a", 9, 10, 2, 90, at=1000, lsn=41)
UNDECLARED["value"]["after"]["note"] = "x"
STREAM = [
    # a row from before the snapshot that it did not read, one that it did, one that came after it
    of_b(0, "c", 1, 10),
    of_b(1, "c", 2, 11),
    of_b(2, "r", 2, 20),
    of_b(3, "c", 3, 30, key={"id": 3, "tenant": 1}),
    # a snapshot that was stopped, and one that a later one made good; stalled, and running for long
    notification(12, "STARTED", **BOTH),
    notification(14, "ABORTED", connector_name="p"),
    one_of("failed", 15, 0, "STARTED", "no-key", **BOTH),
    one_of("failed", 16, 1, "TABLE_SCAN_COMPLETED", "no-key", **SCANNED_A),
    one_of(
        "failed",
        17,
        2,
        "TABLE_SCAN_COMPLETED",
        "no-key",
        status="NO_PRIMARY_KEY",
        total_rows_scanned="0",
        scanned_collection="s.b",
    ),
    one_of("failed", 18, 3, "COMPLETED", "no-key"),
    one_of("good", 21, 0, "STARTED", "stopped", **A),
    one_of("good", 22, 1, "ABORTED", "stopped"),
    one_of("good", 23, 5, "STARTED", "again", **A),
    one_of("good", 24, 6, "TABLE_SCAN_COMPLETED", "again", **SCANNED_A),
    one_of("good", 25, 7, "COMPLETED", "again"),
    one_of("still", 31, 0, "STARTED", "still", **A),
    one_of("still", 32, 1, "PAUSED", "still", **A),
    one_of("slow", 41, 0, "STARTED", "under-way", **A),
    one_of("slow", 42, 1, "IN_PROGRESS", "under-way", current_collection_in_progress="s.a", **A),
    # a complete transaction; one without a change; one with a surplus change, in a table that its
    # END lists and in one that it does not; one without END that has ended, because another one
    # ended since; and one without any boundary
    boundary(0, "BEGIN", "10:40", 1000),
    change("a", 0, 10, 1, 10, at=1000, lsn=40),
    UNDECLARED,
    boundary(1, "END", "10:42", 1000, **{"s.a": 2}),
    boundary(2, "BEGIN", "11:50", 2000),
    change("a", 1, 11, 1, 11, at=2000, lsn=50),
    boundary(3, "END", "11:51", 2000, **{"s.a": 1, "s.b": 1}),
    boundary(4, "BEGIN", "12:60", 3000),
    change("a", 2, 12, 1, 12, at=3000, lsn=60),
    change("a", 3, 12, 2, 13, at=3000, lsn=61),
    boundary(5, "END", "12:62", 3000, **{"s.a": 1}),
    boundary(6, "BEGIN", "13:70", 4000),
    change("a", 4, 13, 1, 14, at=4000, lsn=70),
    change("b", 4, 13, 2, 14, at=4000, lsn=71),
    boundary(7, "END", "13:72", 4000, **{"s.a": 1}),
    boundary(8, "BEGIN", "14:80", 5000),
    change("a", 5, 14, 1, 15, at=5000, lsn=80),
    change("a", 6, 15, 1, 16, at=6000, lsn=90),
    boundary(9, "BEGIN", "16:100", 2 * DAY),
    change("a", 7, 16, 1, 17, at=2 * DAY, lsn=100),
    boundary(10, "END", "16:101", 2 * DAY, **{"s.a": 1}),
    # one that is open like the newest one, and may still end
    boundary(11, "BEGIN", "17:110", 2 * DAY),
    change("a", 8, 17, 1, 18, at=2 * DAY, lsn=110),
    # and one that began long before that
    boundary(12, "BEGIN", "18:120", 5000),
    change("a", 10, 18, 1, 19, at=5000, lsn=120),
    {"topic": "p.transaction", "partition": 0, "offset": 13, "value": '{"status": "END"'},
]


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    from tests.functional.conftest import drop

    tables = {
        name: {"topic": f"p.s.{name}", "key": ["id"], "columns": {"id": "int"}}
        for name in ("a", "b")
    }
    models = test_snapshots.models(["a", "b"])
    del models["metrics"]
    project = Project(
        tmp_path_factory.mktemp("alarms_of_tests"),
        spark,
        "src",
        {
            "connector": "postgresql",
            "topic_prefix": "p",
            "side_topics": {"p.notify": "notification"},
        },
        tables,
        schema="alarms_of_tests",
        landing="alarms_of_tests_landing.events",
        layers={name: ["stg"] for name in tables},
        extra_models=models
        | test_transactions.models(["a", "b"], with_histories=False)
        | {"drift": DRIFT},
    )
    declared = [
        {"name": model, "data_tests": [{f"afterimage.{test}": {"name": test}}]}
        for test, model in TESTS.items()
    ]
    path = project.folder / "models" / "tests.yml"
    path.write_text(yaml.safe_dump({"models": declared}), encoding="utf-8")
    project.land(STREAM)
    project.run("run", "--exclude", "dq_*")
    with contextlib.suppress(DbtFailed):
        project.run("test", "--store-failures")
    yield project
    drop(spark, project)
    spark.sql(f"drop database if exists {AUDIT} cascade")


@pytest.mark.parametrize("test", FOUND)
def test_each_makes_the_test_fail(project, test):
    names, found = FOUND[test]
    rows = project.rows(f"{AUDIT}.{test}")
    assert {tuple(r[name] for name in names): r["failure_reason"] for r in rows} == found
    assert len(rows) == len(found)


@pytest.mark.parametrize("test", FOUND)
def test_each_is_in_its_model(project, test):
    names, found = FOUND[test]
    shown = {tuple(row[name] for name in names) for row in project.rows(TESTS[test])}
    assert found.keys() < shown if test != "cdc_contract_fits" else found.keys() == shown
