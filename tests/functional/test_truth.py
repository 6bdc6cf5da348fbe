"""Law of truth: every capture through the models by real `dbt run`s equals the database's own rows.

In one part and cut at random (seeded), in delivery order and shuffled; at the end (`cur_`) and at
every mark (`hist_` as of the mark).
"""

import random

import pytest

from tests.coverage import streams
from tests.functional.capture_project import landing_records, project_of, table_name
from tests.functional.conftest import drop
from tests.truth.captures import captures


def cut(records: list, runs: int, seed: int) -> list[list]:
    """The records in `runs` parts, cut at random, none empty."""
    places = sorted(random.Random(seed).sample(range(1, len(records)), runs - 1))
    return [records[a:b] for a, b in zip([0, *places], [*places, len(records)], strict=True)]


def shuffled(records: list, seed: int) -> list:
    """The records in an order of arrival that is independent of their delivery."""
    records = list(records)
    random.Random(seed).shuffle(records)
    return records


CASES = [
    pytest.param("shop", 3, None, id="shop-in-three-runs", marks=pytest.mark.slow),
    pytest.param("shop", 3, 12, id="shop-shuffled-in-three-runs", marks=pytest.mark.slow),
    pytest.param("shop", 2, 11, id="shop-shuffled-in-two-runs", marks=pytest.mark.slow),
    pytest.param("shop-schema", 1, None, id="shop-schema", marks=pytest.mark.formats),
    pytest.param("pg-inventory", 2, None, id="pg-inventory-in-two-runs", marks=pytest.mark.slow),
    pytest.param("pg-inventory-with-schema", 1, None, id="pg-inventory-with-schema"),
    pytest.param("mysql9-full", 2, 7, id="mysql9-full-shuffled-in-two-runs"),
    pytest.param("pg-avro-headers", 2, 24, id="pg-avro-headers-shuffled-in-two-runs"),
    pytest.param("names-avro-unicode", 2, 22, id="names-avro-unicode-shuffled-in-two-runs"),
    *(
        pytest.param(name, 3, seed, id=f"{name}-in-three-runs", marks=pytest.mark.slow)
        for name, seed in {
            "decimals-numeric": 17,
            "endless": None,
            "long-values": None,
            "long-values-hex": 18,
            "mariadb-inventory": None,
            "mysql-types": None,
            "mysql9-full": None,
            "mysql9-killed": 8,
            "mysql9-partialjson": 13,
            "mysql9-schema": 9,
            "pg-debezium23": None,
            "pg-incremental-snapshot": 6,
            "pg-message-key": 10,
            "pg-null-kept": None,
            "pg-reselect": 11,
            "pg-resnapshot": 12,
            "pg-restart-duplicates": 5,
            "pg-routed": 13,
            "pg-via-root": 14,
            "pg-time-microseconds": None,
            "pg-time-connect": 15,
            "pg-time-isostring": 16,
            "pg-outbox": None,
            "pg-unwrap": None,
            "pg-unwrap-tombstone": 18,
            "pg-cloudevents": 19,
            "pg-cloudevents-plain": 20,
            "pg-avro": None,
            "pg-avro-apicurio8": 23,
            "names-avro": 22,
            "types": None,
            "types-isostring": 20,
            "types-nanoseconds": 21,
        }.items()
    ),
]


@pytest.mark.shows(of="name", streams=streams.of_capture)
@pytest.mark.parametrize(("name", "runs", "shuffle"), CASES)
def test_models_equal_the_database(name, runs, shuffle, spark, tmp_path, compared):
    capture = captures()[name]
    project = project_of(
        capture, tmp_path / "project", spark, schema="truth_" + name.replace("-", "_")
    )
    try:
        compared["captures through the models"] += 1
        compared["runs of dbt over parts of captures"] += runs
        records = landing_records(capture.records)
        for part in cut(shuffled(records, shuffle) if shuffle else records, runs, seed=runs):
            project.land(part)
            project.run("run")
        assert faults_of(project, capture, compared) == []
        counts = project.counts()
        assert not [c for c in counts if c[1] in ("pending", "alarm") or c[2] == "unknown_topic"], (
            counts
        )
        assert project.rows("dq_src__quarantine") == []
    finally:
        drop(spark, project)


def faults_of(project, capture, compared) -> list[str]:
    """All differences of cur_ (at the end) and hist_ (at the marks) from the database.

    Counts what was compared.
    """
    faults = []
    for name in capture.spec.tables:
        model = table_name(name)
        if "cur" not in project.layers.get(model, ["cur"]):
            compared["change logs without a current state (keyless, no full images)"] += 1
            continue
        rows = project.rows(f"cur_src__{model}")
        compared["rows of cur_ compared with the database"] += len(rows)
        faults += capture.faults(capture.spec.tables[name], "final", rows)
        history = project.rows(f"hist_src__{model}")
        for number, mark in capture.marks.items():
            if name in mark.tables:
                at_mark = [row for row in history if exists_before(row, mark.position)]
                compared["rows of hist_ as of a mark compared with the database"] += len(at_mark)
                faults += capture.faults(capture.former_spec.tables[name], number, at_mark)
    return faults


def exists_before(row: dict, position: str) -> bool:
    """A mark is the state before anything from its position on was written."""
    return row["_cdc_position"] < position and (
        row["_cdc_end_position"] is None or row["_cdc_end_position"] >= position
    )
