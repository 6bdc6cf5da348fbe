"""The models on generated databases of MongoDB, by real `dbt run`s over several deliveries.

Truth, batch split, arrival order and replay at once: for any deliveries, `cur_` is what each
database holds, `hist_` as of each of its marks what it held; one more run writes nothing. For
versions marked approximate another law holds: each is a document held then or later.

A failure is reported by log, with a command that runs it alone.
"""

import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest

from tests.coverage import streams
from tests.functional.conftest import drop
from tests.functional.project import Project
from tests.laws.extended_json import write
from tests.laws.many_documents import (
    COLUMNS,
    TOPIC,
    Case,
    differences,
    faults_of,
    id_of,
    log_of,
    project_of,
    rows_against,
    same_cell,
    value_at,
)
from tests.laws.mongo_connector import MODES, Connector
from tests.laws.odd_texts import records
from tests.oracle.bson import EPOCH, identity, loose, read_document
from tests.oracle.mongodb import Version, fold, read_event, went_back
from tests.oracle.records import record_from

SAMPLE = [Case(mode, 1, runs=3, sharded=mode == MODES[3]) for mode in MODES]
SLOW = [
    *(Case(mode, 2, logs=60, runs=4) for mode in MODES),
    *(Case(mode, 2, logs=20, runs=3, sharded=True) for mode in MODES),
    *(Case(mode, 3, logs=40, in_order=True) for mode in MODES),
    *(Case(MODES[0], 4, logs=10, forms=forms) for forms in ("guide", "canonical", "relaxed")),
]
CASES = [
    *(pytest.param(case) for case in SAMPLE),
    *(pytest.param(case, marks=pytest.mark.slow) for case in SLOW),
]
# logs of each capture mode, whose servers' clocks are set back
SET_BACK = Case(MODES[0], 8, logs=8, runs=2, steps_back=0.05)
# all changes that accounting names
WENT_BACK = """
{%- set logs = [ref('stg_src__things')] -%}
{%- if execute -%}
{%- set contracts = afterimage.contracts_of_logs(logs) -%}
with changes_of_logs as (
{{ afterimage.changes_of_logs(logs, contracts) }}
),
changes as (select *, shown_key as named from changes_of_logs),
decisions as (
{{ afterimage.decisions_of_logs(logs, contracts) }}
),
delivered as (
{{ afterimage.changes_delivered() }}
)
select named, kind from (
{{ afterimage.changes_that_went_back(contracts) }}
) as found
{%- endif -%}
"""
# for a document of which only updates were seen
UNKNOWN = [path.replace(".", "_") for path in COLUMNS if path != "_id"]


def name_of(case: Case) -> str:
    order = "in-order" if case.in_order else "in-any-order"
    shards = "-sharded" * case.sharded
    return f"{case.mode}-{case.forms}-{case.logs}-logs-{order}-in-{case.runs}-runs{shards}"


def row_of(version: Version) -> dict:
    """A version as a model would show it."""

    def position(place):
        return place and f"{place[0]:018d}.{place[1]:010d}"

    row = {
        "_cdc_key": write(version.id, "relaxed"),
        "_cdc_position": position(version.begun),
        "_cdc_end_position": position(version.ended),
        "_cdc_approximate": version.approximate,
        "_cdc_document": write(version.document or {"_id": version.id}, "relaxed"),
        "_cdc_unknown": None if version.document else json.dumps(["_cdc_document", *UNKNOWN]),
    }
    for path, kind in COLUMNS.items():
        value = version.id if path == "_id" else value_at(version.document, path)
        match kind:
            case "int" | "long":
                value = value and value.value
            case "decimal":
                value = value and Decimal(value.text)
            case "date":
                value = value and (EPOCH + timedelta(milliseconds=value.millis)).replace(
                    tzinfo=None
                )
            case "any" | "array":
                value = None if value is None else write(value, "canonical")
        row[path.replace(".", "_")] = value
    return row


@pytest.mark.parametrize("lookups", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_what_judges_the_models_passes_the_oracle(mode, lookups):
    """The comparison accepts the oracle, and nothing that differs from it in one cell."""
    compared = Counter()
    for log in range(3):
        connector = Case(mode, 1, sharded=log == 2).connector(log)
        told = fold([record_from(record) for record in connector.stream], lookups=lookups)
        history = [row_of(version) for version in told.versions]
        current = [row for row in history if row["_cdc_end_position"] is None]
        assert differences(connector, current, history, compared) == []
        row = next(row for row in current if not row["_cdc_unknown"])
        position = current.index(row)
        for column, wrong in [("name", "no"), ("big", 4), ("_cdc_document", "{}"), ("ok", 1)]:
            others = [*current[:position], row | {column: wrong}, *current[position + 1 :]]
            assert differences(connector, others, history, compared)
        assert differences(connector, current[1:], history, compared)
        places, _ = connector.marks[len(connector.marks) // 2]
        standing = told.standing({name: place.pair for name, place in places.items()})
        fewer = [row for row in history if row != row_of(standing[0])]
        assert differences(connector, current, fewer, compared)


@pytest.mark.shows(of="case", streams=streams.of_made_up_documents)
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_models_tell_what_the_databases_hold(case, spark, tmp_path, compared):
    assert not faults_of(case, spark, tmp_path / "project", compared)


def test_a_document_that_a_clock_set_back_leaves_wrong_is_named(spark, tmp_path, compared):
    """By the alarm `position_went_back`, at the end; for all others the models give what is
    held."""
    connectors = [
        replace(SET_BACK, mode=MODES[log % len(MODES)]).connector(log)
        for log in range(SET_BACK.logs)
    ]
    project = project_of(SET_BACK, tmp_path / "project", spark)
    project.extra_models["went_back"] = WENT_BACK
    project.write()
    try:
        parts = [SET_BACK.deliveries(connector) for connector in connectors]
        for run in range(SET_BACK.runs):
            project.land([record for landed in parts for record in landed[run]])
            project.run("run")
        named = [row["named"] for row in project.rows("went_back", "kind = 'position_went_back'")]
        named = Counter(id_of({"_cdc_key": key}) for key in named)
        current, counts = project.rows("cur_src__things"), project.counts()
    finally:
        drop(spark, project)
    expected = Counter(
        identity(event.id)
        for connector in connectors
        for event in went_back(map(record_from, connector.stream))
    )
    assert named == expected
    assert counts["things", "alarm", "position_went_back"] == expected.total()
    wrong = {key for connector in connectors for key in not_as_held(connector, current)}
    compared["documents that a clock set back left wrong"] += len(wrong)
    assert wrong
    assert wrong <= named.keys()


def not_as_held(connector: Connector, current: list[dict]) -> set[tuple]:
    rows = {id_of(row): row for row in current if log_of(row, connector)}
    held = {key: connector.shown(d) for key, d in connector.database.documents.items()}
    return {
        key
        for key in rows.keys() | held.keys()
        if rows_against(
            connector,
            [rows[key]] if key in rows else [],
            {k: held[k] for k in held if k == key},
            None,
        )
    }


def test_documents_in_any_spelling(spark, tmp_path, compared):
    """The models stage what the oracle reads, as it reads it; they refuse what it refuses, and
    nothing else."""
    landed = records(Random(2), 800)
    columns = {"_id": "any", "v": "any", "w.x": "any", "number": "any"}
    project = Project(
        tmp_path / "project",
        spark,
        "src",
        {"connector": "mongodb", "topic_prefix": "t"},
        {"things": {"topic": TOPIC, "key": ["_id"], "columns": columns}},
        schema="odd_documents",
        landing="odd_documents_landing.events",
        layers={"things": ["stg"]},
    )
    try:
        project.land(landed)
        project.run("run")
        refused = {row["offset"]: row for row in project.rows("dq_src__quarantine")}
        staged = {row["_cdc_offset"]: row for row in project.rows("stg_src__things")}
    finally:
        drop(spark, project)
    assert len(refused) + len(staged) == len(landed)
    faults = []
    for record in landed:
        row = staged.get(record["offset"])
        try:
            document = read_event(record_from(record)).after
        except ValueError as error:
            compared["refused documents in odd spellings"] += 1
            if row:
                faults.append(f"staged, though {error}: {record['value']}")
            continue
        compared["documents in odd spellings"] += 1
        if row is None:
            faults.append(f"{refused[record['offset']]['detail']}: {record['value']}")
        elif loose(read_document(row["_cdc_document"])) != loose(document):
            faults.append(f"{row['_cdc_document']} of {record['value']}")
        else:
            cells = [(path, row[path.replace(".", "_")]) for path in columns]
            faults += [
                f"{path} {got} of {record['value']}"
                for path, got in cells
                if not same_cell("any", value_at(document, path), got)
            ]
    assert not faults, "\n".join(faults[:5])
