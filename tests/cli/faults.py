"""The output of `afterimage validate` for contracts, without dbt."""

from functools import cache
from types import SimpleNamespace

from afterimage.macros import Macros

# dbt's graph, in which a run keeps the contracts it has put together
GRAPH: dict = {}


@cache
def _macros() -> Macros:
    return Macros(graph=GRAPH, invocation_id="one")


def contract_faults(source: dict) -> list[str]:
    """The faults of all tables of a source, given its YAML."""
    GRAPH.clear()
    faults = []
    for table in source["tables"]:
        meta = table["config"]["meta"]
        node = SimpleNamespace(
            unique_id=f"source.tests.{source['name']}.{table['name']}",
            source_name=source["name"],
            name=table["name"],
            schema=source.get("schema", source["name"]),
            identifier=table.get("identifier", table["name"]),
            original_file_path="sources.yml",
            source_meta=(source.get("config") or {}).get("meta"),
            config=SimpleNamespace(meta=meta),
            meta=meta,
        )
        faults += _macros().contract_faults(node)
    return faults
