"""Contracts and models for topics, generated from a sample of their records.

Types come from the schema block if records have one. Else they are guessed from the literals, and
each guess is marked: a number may be a date, and a text a decimal.

`sample` reads records, `avro` converts Avro to JSON, `shapes` and `unwrapped` recognise record
forms, `topic` collects their evidence; `catalog` and `connector_config` read the source's own
metadata, which takes precedence over guesses; `source_type`, `semantic`, `declared` and `guessed`
derive types, `proven` settings; `sources`, `models`, `quality`, `docs_block` and
`operator_events` write, `checks` lists what to
review. Names of types come from the macros (`known`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.outcomes import DOCS_INSTALLED
from afterimage.scaffold import known
from afterimage.scaffold.avro import AvroRecords
from afterimage.scaffold.catalog import CatalogTable, descriptions_of
from afterimage.scaffold.catalog.schema_changes import tables_of_change, with_schema_changes
from afterimage.scaffold.catalog.sources import described
from afterimage.scaffold.checks import checks, not_in_sample
from afterimage.scaffold.connector_config import ConnectorConfig
from afterimage.scaffold.docs_block import write_docs_block
from afterimage.scaffold.helpers import HELPERS, helper_of
from afterimage.scaffold.models import write_models
from afterimage.scaffold.operator_events import write_operator_events
from afterimage.scaffold.output import Output
from afterimage.scaffold.proven import Evidence, Proof, proven
from afterimage.scaffold.quality import write_quality
from afterimage.scaffold.sample import (
    Sampled,
    records_of_files,
    records_of_table,
    topics_of_table,
)
from afterimage.scaffold.sources import Sources, schemas_table
from afterimage.scaffold.topic import Topic
from afterimage.scaffold.words import literal, word

if TYPE_CHECKING:  # loads pyspark
    from afterimage.schemas import Entry

__all__ = ["records_of_files", "records_of_table", "scaffold", "topics_of_table"]


# Datastream's JSON has no types, and for Oracle no key.
BY_HAND = (
    "events of Google Datastream, whose contract is written by hand "
    f"({DOCS_INSTALLED}/how-to/datastream.md)"
)
LIKE_AVRO = "records that look like Avro: give the registry, or its schemas, by --schemas"


class Scaffolded(list):
    """The lines to print; `changed`: the changed files."""

    def __init__(self, said: list[str], changed: list[Path]) -> None:
        super().__init__(said)
        self.changed = changed


def scaffold(
    root: Path,
    records: Iterable[tuple],
    landing: str,
    *,
    topics: Sequence[str] = (),
    topics_there: Callable[[], Iterable[str]] | None = None,
    source: str | None = None,
    connector: str | None = None,
    database: str | None = None,
    scripts: Sequence[Path] = (),
    schemas: Iterable["Entry"] = (),
    config: ConnectorConfig | None = None,
    force: bool = False,
    check: bool = False,
) -> Scaffolded:
    """Write contracts and models of topics into a project.

    In: the project's root; the sample, (topic, key, value) each, and headers if any; the landing
    table `schema.table` that the models will read; the topics, all with row changes when empty; the
    names of all topics, where the sample was read with the given ones alone; the dbt source's name,
    by default the database's; the connector, for rows without envelopes that do not name it; the
    database (a SQLAlchemy URL), scripts in its SQL and exports of
    information_schema.columns (*.csv), as sources of types and keys; the schemas of Avro records;
    the connector's configuration; whether to overwrite files that differ; whether to write nothing
    and report what would be written.
    Out: what was written, what was left, and what to check.
    Errors: UserError when a topic is not in the sample, has no changes, or has an unsupported
    connector; nothing has been written then.
    """
    if not re.fullmatch(r"\w+\.\w+", landing, re.ASCII):
        raise UserError(f"--landing {landing!r} is not schema.table")
    if connector and connector not in known.CONNECTORS:
        raise UserError(f"--connector {connector}; supported: {', '.join(known.CONNECTORS)}")
    found: dict[str, Topic] = {}
    in_avro = AvroRecords(schemas)
    wanted = with_schema_changes(topics)
    names: set[str] = set()
    for record in records:
        names.add(str(record[0]))
        if not topics or record[0] in wanted:
            sampled = in_avro.read(Sampled(*record))
            found.setdefault(sampled.topic, Topic(sampled.topic)).take(sampled)
    for topic in found.values():
        topic.settle(connector or (config.connector if config else ""))
    if topics_there and any(name not in found for name in topics):
        names.update(topics_there())
    chosen = _chosen(found, topics, connector, names)
    given = described(database, scripts, chosen[0].connector)
    tables = [*given, *_described_by_stream(found.values())]
    for topic in chosen:
        if not topic.is_document:
            schema = topic.schema_name or topic.database
            topic.catalog = descriptions_of(
                tables, schema, topic.table, topic.database, topic.prefix
            )
    source = word(source or chosen[0].database or chosen[0].prefix)
    output = Output(root, check)
    said = _passed_over(found.values(), chosen) if not topics else []
    _share_deletes(chosen)
    sources = Sources(output, source, landing, force)
    names = _table_names(chosen, sources.names())
    proofs = _proofs(chosen, config)
    sources.share(chosen, proofs)
    for topic in chosen:
        sources.put(names[topic.name], topic, proofs[topic.name])
    said += sources.write()
    for topic in chosen:
        said += write_models(output, source, names[topic.name], topic, force)
    said += write_quality(output, source, sources.landings(), force)
    said += write_docs_block(output, source)
    said += write_operator_events(output)
    said += checks(chosen, proofs, sources.answered)
    if config and not any(config.is_of(each.connector, each.prefix) for each in chosen):
        said.append(
            f"check settings: {config.name} belongs to {config.connector} {config.prefix}, which "
            "has no topic in the sample: not used"
        )
    if any(topic.framing for topic in chosen):
        table = schemas_table(landing)
        said.append(
            f"check avro_schemas: the models read the schemas of records from {table}: load them "
            f"by `afterimage schemas … --into {table}`"
        )
    said += not_in_sample(given, chosen) + (config.said if config else [])
    said.append(
        "Next: `afterimage validate`, then `afterimage model-yaml`, then `dbt build`. After you "
        "edit a contract, `afterimage drift` compares its columns with the landed records."
    )
    return Scaffolded(said, output.changed)


def _described_by_stream(topics: Iterable[Topic]) -> list[CatalogTable]:
    """The tables after the schema changes of the sample."""
    found: dict[tuple[str, str], CatalogTable] = {}  # by connector and id
    for topic in topics:
        for document in topic.structures:
            source = document.get("source") or {}
            connector, prefix = str(source.get("connector") or ""), str(source.get("name") or "")
            if connector not in known.CONNECTORS:
                continue
            for name, table in tables_of_change(document, connector):
                found.pop((prefix, name), None)
                if table:
                    found[prefix, name] = table
    return list(found.values())


def _passed_over(found: Iterable[Topic], chosen: list[Topic]) -> list[str]:
    said = []
    for topic in found:
        if topic not in chosen:
            if helper := helper_of(topic):
                table = f"{topic.schema_name or topic.database}.{topic.table}"
                why = f"it is a {HELPERS[helper]} (helper_tables: {{{table}: {helper}}})"
            elif topic.changes:
                why = "rows that have no key"
            elif topic.is_like_avro:
                why = LIKE_AVRO
            elif topic.of_datastream:
                why = BY_HAND
            else:
                why = "none of them a row change"
            said.append(f"passed over {topic.name}: {counted(topic.records, 'record')}, {why}")
    return said


def _absent(name: str, there: Iterable[str]) -> str:
    similar = get_close_matches(name, sorted(there))
    hint = f"; similar names there: {', '.join(similar)}" if similar else ""
    return f"topic {name} is not in the sample{hint}"


def _chosen(
    found: dict[str, Topic], topics: Sequence[str], connector: str | None, there: set[str]
) -> list[Topic]:
    faults = []
    if topics:
        chosen = [found[name] for name in topics if name in found]
    else:
        chosen = [topic for topic in found.values() if not helper_of(topic)]
    for name in topics:
        if name not in found:
            faults.append(_absent(name, there))
        elif not found[name].changes and found[name].of_datastream:
            faults.append(f"topic {name} contains {BY_HAND}")
        elif not found[name].changes and found[name].is_like_avro:
            faults.append(f"topic {name} contains {LIKE_AVRO}")
        elif not found[name].changes:
            faults.append(f"topic {name} contains no Debezium row change (op and source)")
        elif _is_unreadable(found[name]):
            faults.append(f"topic {name} contains rows without envelopes that have no key")
    chosen = [topic for topic in chosen if topic.changes and not _is_unreadable(topic)]
    supported = ", ".join(known.CONNECTORS)
    for topic in chosen:
        if not topic.connector and topic.format == "unwrapped":
            faults.append(
                f"topic {topic.name} contains rows without envelopes, which do not name their "
                f"connector: give --connector ({supported})"
            )
        elif topic.connector not in known.CONNECTORS:
            faults.append(
                f"topic {topic.name} has connector {topic.connector or 'unknown'}; "
                f"supported: {supported}"
            )
        elif connector and topic.connector != connector:
            faults.append(
                f"topic {topic.name} has connector {topic.connector}, not {connector}: leave "
                "--connector out"
            )
        elif not topic.columns():
            faults.append(f"topic {topic.name} has no row image in the sample: take more records")
    if not chosen and not faults and any(topic.of_datastream for topic in found.values()):
        faults.append(f"the sample contains {BY_HAND}")
    if not chosen and not faults and any(topic.is_like_avro for topic in found.values()):
        faults.append(f"the sample contains {LIKE_AVRO}")
    if not chosen and not faults:
        faults.append("no topic of the sample contains Debezium row changes (op and source)")
    if faults:
        raise UserError("\n".join(faults))
    return sorted(chosen, key=lambda topic: topic.name)


def _is_unreadable(topic: Topic) -> bool:
    """Whether nothing identifies its rows: without envelopes there are no before images."""
    return topic.format == "unwrapped" and not topic.key


def _share_deletes(topics: list[Topic]) -> None:
    """One transformation writes the deletes of all tables, but not each has one in the sample."""
    rewritten = [topic for topic in topics if topic.deleted]
    for topic in rewritten:
        topic.empty = topic.empty or max(
            each.empty for each in rewritten if each.prefix == topic.prefix
        )


def _proofs(topics: list[Topic], config: ConnectorConfig | None) -> dict[str, Proof]:
    """The settings that the sample proves, by topic: topics of one connector share a proof."""
    groups: dict[tuple, list[Topic]] = {}
    for topic in topics:
        groups.setdefault((topic.connector, topic.prefix), []).append(topic)
    proofs = {}
    for (connector, prefix), group in groups.items():
        columns = [
            Evidence(f"{topic.name}.{each.name}", each.field, each.kinds, each.texts)
            for topic in group
            for each in topic.evidence()
        ]
        proof = proven(connector, columns, any(topic.ops["t"] for topic in group))
        if config and config.is_of(connector, prefix):
            config.complete(proof)
        proofs |= dict.fromkeys((topic.name for topic in group), proof)
    return proofs


def _table_names(topics: list[Topic], there: dict[str, str]) -> dict[str, str]:
    """A dbt name for each topic's table: the existing one, else the table's own name, prefixed with
    its schema where two would share it."""
    new = [topic for topic in topics if literal(topic.name) not in there]
    counts = Counter(word(topic.table) for topic in new) + Counter(there.values())
    return {topic.name: there.get(literal(topic.name), "") for topic in topics} | {
        topic.name: word(topic.table)
        if counts[word(topic.table)] == 1
        else word(f"{topic.schema_name or topic.database}_{topic.table}")
        for topic in new
    }
