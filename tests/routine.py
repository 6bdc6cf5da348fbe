"""Compares what the routine statement of a change log accepts with the exact statement.

held(spark, contract, records)   how many records were routine, and each that was read differently
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import ClassVar

from afterimage.macros import Macros
from tests.functional.capture_project import keep_schemas
from tests.functional.project import LANDING_DDL, landing_rows
from tests.session import append_rows


@dataclass
class Held:
    """records: landed; routine: those that the routine statement accepted or ignored; faults: rows
    that only the routine statement gives, with the exact statement's row."""

    records: int
    routine: int
    faults: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.routine / self.records if self.records else 1.0


def contract_of(declared: dict, name: str = "made_up") -> dict:
    """A table's full contract, with defaults. In: the content of its meta.cdc."""
    return _macros()["_contract"]({}, declared, "src", name, "a test")


def held(
    spark, contract: dict, records: list[dict], schemas: list[dict] | None = None
) -> Held | None:
    """In: contract (see contract_of); records, as Project.land takes them; schemas, for records in
    Avro. None if the form has no routine statement, or the records' rows have other fields than the
    contract."""
    macros = _macros(spark)
    if contract["avro_schemas"]:
        contract = contract | {"avro_schemas": "default.schemas_for_routine"}
        spark.sql(f"drop table if exists {contract['avro_schemas']}")
        keep_schemas(spark, contract["avro_schemas"], schemas)
    rows = landing_rows([r for r in records if r.get("topic") in contract["topics"]])
    if not rows:
        return None
    spark.sql("drop table if exists default.landed_for_routine")
    spark.sql(LANDING_DDL.format(table="default.landed_for_routine", file_format="parquet"))
    append_rows(spark, "default.landed_for_routine", rows)
    landing = "default.landed_for_routine"
    form = macros.expected_form(None, contract, "", macros.new_values(landing, contract))
    if form is None:
        return None
    landed, as_landed = (
        macros.new_records(landing, contract, "", as_landed=as_landed)
        for as_landed in (False, True)
    )
    routine = macros.routine_records(contract, form, as_landed)
    exact = macros.judged_records(contract, landed, has_schemas=True)
    both = f"""
        select _cdc_outcome as said, to_json(struct(routine.*)) as row
        from ({routine}) as routine
        union all
        select 'exact', to_json(struct(exact.*)) from ({exact}) as exact"""
    told: dict[str, Counter] = {"routine": Counter(), "exact": Counter()}
    marked = 0
    for said, row in spark.sql(both).collect():
        if said == "marked":
            marked += 1
        else:
            told["exact" if said == "exact" else "routine"][row] += 1
    given = marked + told["routine"].total(), told["exact"].total()
    assert given == (len(rows), len(rows)), f"of {len(rows)} records the statements gave {given}"
    wrong = told["routine"] - told["exact"]
    right = {_place(row): row for row in told["exact"]}
    faults = [_difference(row, right.get(_place(row), "{}")) for row in wrong]
    return Held(len(rows), len(rows) - marked, faults)


def _place(row: str) -> tuple:
    told = json.loads(row)
    return told["_cdc_topic"], told["_cdc_partition"], told["_cdc_offset"]


def _difference(routine: str, exact: str) -> str:
    ours, theirs = json.loads(routine), json.loads(exact)
    names = [name for name in ours | theirs if ours.get(name) != theirs.get(name)]
    told = {name: {"routine": ours.get(name), "exact": theirs.get(name)} for name in names}
    return f"{ours['_cdc_topic']} {ours['_cdc_partition']} {ours['_cdc_offset']}: {told}"


class Graph(dict):
    """dbt's graph of a project without nodes: a run stores values in a dict of it."""

    sources: ClassVar[dict] = {}
    nodes: ClassVar[dict] = {}


def _macros(spark=None) -> Macros:
    return Macros(
        run_query=lambda sql: SimpleNamespace(rows=spark.sql(sql).collect()),
        fromjson=lambda text, default=None: json.loads(text),
        tojson=lambda value, sort_keys=False: json.dumps(value, sort_keys=sort_keys),
        execute=True,
        invocation_id="one",
        adapter=SimpleNamespace(get_relation=lambda **_: "it is there"),
        api=SimpleNamespace(
            Relation=SimpleNamespace(create=lambda **names: SimpleNamespace(**names))
        ),
        model={"resource_type": "unit_test"},
        graph=Graph(),
    )
