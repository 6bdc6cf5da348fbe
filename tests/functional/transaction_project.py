"""`transactions` and `as_of_last_complete` over change logs and histories made by hand: a project
of many sources, one per case, whose input tables are written directly, so that only the models
under test run.

case = Case(contract={...}, tables={"orders": "p.shop.orders"}, landed=[boundary(…)], changes=[…])
project = project_of_cases({"mongodb": case}, make_project, "transactions_of_cases")
project.run("run", "--select", "transactions_mongodb")
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import yaml

from afterimage.macros import Macros
from tests.functional.project import Project
from tests.session import append_rows

CHANGE_LOG = """create table {table} (
    _cdc_op string, _cdc_key string, _cdc_previous_key string, _cdc_position string,
    _cdc_source_table string, _cdc_topic string, _cdc_tx_id string, _cdc_tx_order bigint,
    _cdc_source_ts timestamp, _cdc_batch bigint
) using parquet"""
HISTORY = """create table {table} (
    id int, _cdc_key string, _cdc_tx_id string, _cdc_tx_order bigint, _cdc_position string,
    _cdc_end_position string
) using parquet"""
# those that a contract may contain
CONNECTORS = Macros().connectors()
STATE = ("table_name", "reported", "staged", "state", "is_settled")


@dataclass
class Change:
    """A row of a change log; `source_table` as _cdc_source_table has it."""

    table: str
    source_table: str
    topic: str
    transaction: str | None
    order: int | None
    at: int = 1000
    op: str = "c"
    key: str = "k"
    previous_key: str | None = None
    position: str = "1"


@dataclass
class Version:
    """A row of a history."""

    table: str
    id: int
    transaction: str | None
    order: int | None
    ended_at: str | None = None
    key: str = "k"


@dataclass
class Case:
    contract: dict
    tables: dict[str, str | list[str]]
    landed: list[dict]
    changes: list[Change]
    versions: list[Version] = field(default_factory=list)


def boundary(offset, status, id_, at=1000, partition=0, timestamp=None, **more) -> dict:
    """A record of the topic `p.transaction`, as connectors write them; counts={collection: n}."""
    counts = more.get("counts")
    value = {"status": status, "id": id_}
    value |= {} if at is None else {"ts_ms": at}
    value["event_count"] = None if counts is None else sum(counts.values())
    told = (
        None
        if counts is None
        else [{"data_collection": name, "event_count": count} for name, count in counts.items()]
    )
    value["data_collections"] = told
    record = {"topic": "p.transaction", "partition": partition, "offset": offset, "value": value}
    return record | {"timestamp": 1000 + offset if timestamp is None else timestamp}


def project_of_cases(cases: dict[str, Case], make_project, schema: str) -> Project:
    """The project, with everything landed and written, and nothing run."""
    project = make_project(schema, source="none", source_contract={}, tables={"none": {}})
    for written in (project.folder / "models").glob("*.sql"):
        written.unlink()
    spark = project.spark
    spark.sql(f"create database if not exists {schema}")
    sources, landing = [], project.landing.split(".")[0]
    for name, case in cases.items():
        type_ = "number(9)" if case.contract["connector"] == "oracle" else "int"
        key = "_id" if case.contract["connector"] == "mongodb" else "id"
        declared = {"key": [key], "columns": {key: type_}}
        sources.append(
            {
                "name": name,
                "schema": landing,
                "config": {"meta": {"cdc": {"topic_prefix": "p"} | case.contract}},
                "tables": [
                    {
                        "name": table,
                        "identifier": name,
                        "config": {"meta": {"cdc": {"topic": topic} | declared}},
                    }
                    for table, topic in case.tables.items()
                ],
            }
        )
        logs = ", ".join(f"ref('stg_{name}__{table}')" for table in case.tables)
        first = next(iter(case.tables))
        call = f"transactions([{logs}], [source('{name}', '{first}')])"
        write(project, f"transactions_{name}", call)
        for table in case.tables:
            stg, hist = f"stg_{name}__{table}", f"hist_{name}__{table}"
            write(project, stg, f"change_log(source('{name}', '{table}'))")
            write(project, hist, f"history(ref('{stg}'))")
            arguments = f"ref('{hist}'), ref('{stg}'), ref('transactions_{name}')"
            write(project, f"together_{name}__{table}", f"as_of_last_complete({arguments})")
            spark.sql(CHANGE_LOG.format(table=f"{schema}.{stg}"))
            spark.sql(HISTORY.format(table=f"{schema}.{hist}"))
        write_rows(project, name, case)
        project.landing = f"{landing}.{name}"
        project.make_landing()
        if case.landed:
            project.land(case.landed)
    project.landing = f"{landing}.events"
    text = yaml.safe_dump({"sources": sources})
    (project.folder / "models" / "sources.yml").write_text(text, encoding="utf-8")
    return project


def write(project: Project, model: str, call: str) -> None:
    path = project.folder / "models" / f"{model}.sql"
    path.write_text("{{ afterimage." + call + " }}\n", encoding="utf-8")


def write_rows(project: Project, name: str, case: Case) -> None:
    for table in case.tables:
        changes = [
            (
                *(c.op, c.key, c.previous_key, c.position, c.source_table, c.topic),
                *(c.transaction, c.order, moment(c.at), 1),
            )
            for c in case.changes
            if c.table == table
        ]
        versions = [
            (v.id, v.key, v.transaction, v.order, "1", v.ended_at)
            for v in case.versions
            if v.table == table
        ]
        for layer, rows in (("stg", changes), ("hist", versions)):
            if rows:
                append_rows(project.spark, f"{project.schema}.{layer}_{name}__{table}", rows)


def moment(ms: int | None) -> datetime | None:
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).replace(tzinfo=None)


def states(project: Project, name: str = "transactions") -> dict[tuple, tuple]:
    return states_of(project.rows(name))


def states_of(rows: list[dict]) -> dict[tuple, tuple]:
    """(transaction, collection) -> table, reported, staged, state, is_settled; if several tables
    have a transaction under one collection (none), with their tables, in order."""
    found: dict[tuple, list] = {}
    for row in rows:
        place = (row["transaction_id"], row["data_collection"])
        found.setdefault(place, []).append(tuple(row[column] for column in STATE))
    return {k: v[0] if len(v) == 1 else tuple(sorted(v, key=repr)) for k, v in found.items()}
