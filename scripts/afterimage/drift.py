"""The contract change that a stream asks for: columns of its newest records that it lacks.

Types come from the same place as in `afterimage scaffold`: schema blocks, else the literals.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ruamel.yaml.comments import CommentedMap

from afterimage.errors import UserError
from afterimage.invoke import contracts
from afterimage.scaffold import known
from afterimage.scaffold.sample import Sampled
from afterimage.scaffold.topic import Topic
from afterimage.scaffold.words import add_comments, dumped, literal


@dataclass(frozen=True)
class Declared:
    """The part of a contract that is compared."""

    name: str  # source.table
    file: str
    landing: str
    topics: tuple[str, ...]
    columns: tuple[str, ...]
    connector: str
    settings: dict[str, Any]
    in_avro: bool = False
    former: tuple[str, ...] = ()  # former names of columns


def declared(manifest: Any, names: Sequence[str] = ()) -> list[Declared]:
    """The contracts of a project, or the ones named as source.table.

    Errors: UserError for a name without a contract; it lists the existing ones.
    """
    found = {}
    for node, contract in contracts(manifest):
        topic = contract.get("topic") or ()
        found[f"{node.source_name}.{node.name}"] = Declared(
            f"{node.source_name}.{node.name}",
            node.original_file_path,
            f"{node.schema}.{node.identifier}",
            (topic,) if isinstance(topic, str) else tuple(topic),
            tuple(contract.get("columns") or ()),
            contract.get("connector", ""),
            known.DEFAULTS | contract["settings"],
            bool(contract.get("avro_schemas")),
            tuple(chain.from_iterable((contract.get("former_names") or {}).values())),
        )
    if unknown := [name for name in names if name not in found]:
        raise UserError(f"no contract for {', '.join(unknown)}. There are: {', '.join(found)}")
    return [found[name] for name in names or sorted(found)]


def drift(contract: Declared, records: Iterable[Sampled]) -> Iterator[str]:
    """Lines that say what to change in a contract, and why; one line if nothing is to change."""
    if contract.in_avro:
        yield f"# {contract.name}: its records are Avro; see `reported` in contract_drift"
        return
    topic = Topic(contract.topics[0])
    for record in records:
        topic.take(record)
    topic.settle(contract.connector)
    if not topic.changes:
        yield f"# {contract.name}: no record of {', '.join(contract.topics)} in the sample"
        return
    added = {
        name: column
        for name, column in topic.columns(contract.settings).items()
        if name not in contract.columns and name not in contract.former
    }
    gone = [name for name in contract.columns if topic.newest and name not in topic.newest]
    if not added and not gone:
        yield f"# {contract.name}: its contract has all columns of the newest records"
        return
    yield f"# {contract.name} in {contract.file}"
    if added:
        lines = CommentedMap(columns=CommentedMap())
        for name, column in added.items():
            lines["columns"][literal(name)] = column.type
        comments = {literal(name): column.comment for name, column in added.items()}
        add_comments(lines["columns"], comments, indent=2)
        yield dumped(lines).rstrip("\n")
    for name in gone:
        yield (
            f"# {name} is not in the newest record: keep it in columns while history is to "
            "show it; a full refresh without it forgets it"
        )
