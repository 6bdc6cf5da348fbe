"""A capture of tests/truth as a consumer project: its spec as a contract, its records landed."""

import json
from pathlib import Path

from tests.functional.project import Project
from tests.oracle.spec import DEFAULT_SETTINGS, Spec, Table
from tests.session import append_rows
from tests.truth.captures import Capture, position_text


def table_name(table: str) -> str:
    """shop.order_lines -> order_lines; in lower case, as in Spark's catalog."""
    return table.split(".")[-1].lower()


def project_of(capture: Capture, folder: Path, spark, schema: str) -> Project:
    """The capture's tables, including dropped columns, with all three layers."""
    project = project_of_spec(capture.former_spec, folder, spark, schema)
    if capture.in_avro:
        land_schemas(project, capture.schemas)
    return project


def land_schemas(project: Project, schemas: list[dict]) -> None:
    """The table of schemas that the project's contracts name."""
    keep_schemas(project.spark, project.source_contract["avro_schemas"], schemas)


def keep_schemas(spark, table: str, schemas: list[dict]) -> None:
    """A table of schemas as `afterimage schemas` writes it. In: id, subject and schema of each."""
    spark.sql(
        f"create table if not exists {table} (id bigint, subject string, schema string)"
        " using parquet"
    )
    rows = [(entry["id"], entry["subject"], json.dumps(entry["schema"])) for entry in schemas]
    append_rows(spark, table, rows)


def project_of_spec(spec: Spec, folder: Path, spark, schema: str) -> Project:
    """The tables of a declared stream with all three layers.

    A table without a key and full images gets only its change log.
    """
    tables, layers = {}, {}
    for table in spec.tables.values():
        name = table_name(table.name)
        tables[name] = _declared(spec, table)
        if not table.key and not table.full:
            layers[name] = ["stg"]
    contract = {
        "connector": spec.connector,
        "settings": _settings(spec),
        **({"side_topics": spec.side_topics} if spec.side_topics else {}),
        "topic_prefix": next(iter(spec.tables.values())).topics[0].split(".")[0],
        **spec.contract,
        **(
            {"avro_schemas": f"{schema}_landing.{spec.contract['avro_schemas']}"}
            if "avro_schemas" in spec.contract
            else {}
        ),
    }
    return Project(
        folder,
        spark,
        "src",
        contract,
        tables,
        schema=schema,
        landing=f"{schema}_landing.events",
        layers=layers,
    )


def table_contract(spec: Spec, table: Table) -> dict:
    """One table's contract, including what its source would declare: for projects of many
    sources."""
    return {
        "connector": spec.connector,
        "settings": _settings(spec),
        **_declared(spec, table),
    }


def _declared(spec: Spec, table: Table) -> dict:
    """The keys of a contract at the level of the table."""
    return {
        "topic": table.topics[0] if len(table.topics) == 1 else list(table.topics),
        **({"truncate_empties": "partition"} if table.by_partition else {}),
        **({"untracked": list(table.untracked)} if table.untracked else {}),
        **(
            {"null_when_not_sent": list(table.null_when_not_sent)}
            if table.null_when_not_sent
            else {}
        ),
        **({"deletes": "flag"} if table.keeps_deleted else {}),
        **({"former_types": former_types(table)} if table.former else {}),
        **({"former_names": former_names(table)} if table.former_names else {}),
        "key": list(table.key),
        **_replica_identity(spec, table),
        "columns": {column: type_.declared for column, type_ in table.columns.items()},
    }


def _settings(spec: Spec) -> dict:
    return {
        name: value
        for name, value in spec.settings.items()
        if value != DEFAULT_SETTINGS[name] or name == "decimal_handling_mode"
    }


def _replica_identity(spec: Spec, table: Table) -> dict:
    if spec.connector != "postgresql":
        return {}
    return {"replica_identity": "full" if table.full else "default"}


def former_types(table) -> dict[str, dict[str, str]]:
    """The types columns had earlier, in the form of a contract."""
    return {
        column: {position_text(until): kind.declared for until, kind in types}
        for column, types in table.former.items()
    }


def former_names(table) -> dict[str, list[str]]:
    return {column: list(names) for column, names in table.former_names.items()}


def landing_records(records) -> list[dict]:
    """Oracle records -> the dicts Project.land takes."""
    return [dict(vars(record)) for record in records]
