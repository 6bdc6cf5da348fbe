"""The sources YAML: a new file, or the existing one of the source."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from afterimage.contract import read_contracts
from afterimage.errors import UserError
from afterimage.outcomes import DOCS_INSTALLED
from afterimage.scaffold import known
from afterimage.scaffold.catalog.types import are_alike
from afterimage.scaffold.output import Output
from afterimage.scaffold.proven import Proof
from afterimage.scaffold.topic import Topic
from afterimage.scaffold.words import add_comments, comment_of, dumped, flow, literal, map_at, yaml


class Sources:
    """Contracts in a file of the project."""

    def __init__(self, output: Output, source: str, landing: str, force: bool) -> None:
        self.output, self.root, self.force = output, output.root, force
        self.schema, self.identifier = landing.split(".")
        self.source = source
        self.said: list[str] = []
        # by topic: entries of existing contracts that no comment calls a guess
        self.answered: dict[str, set[str]] = {}
        self.path = self._file()
        is_new = not self.path.is_file()
        self.before = "" if is_new else self.path.read_text(encoding="utf-8")
        self.document = (None if is_new else read_contracts(self.path, yaml())) or CommentedMap()
        if is_new:
            self.document.yaml_set_start_comment(
                "Contracts of the source, created by `afterimage scaffold` and yours to edit.\n"
                f"Every key: {DOCS_INSTALLED}/reference/contract.md."
            )
        entries = self.document.setdefault("sources", CommentedSeq())
        self.entry = next((each for each in entries if each.get("name") == source), None)
        if self.entry is None:
            self.entry = CommentedMap(name=source, schema=self.schema)
            entries.append(self.entry)
        elif str(self.entry.get("schema", source)) != self.schema:
            raise UserError(
                f"source {source} in {self._shown()} reads schema {self.entry.get('schema')}, the "
                f"landing table is in {self.schema}: give --source another name"
            )

    def names(self) -> dict[str, str]:
        """The tables with a contract, by topic: a user may have renamed them."""
        found = {}
        for entry in self.entry.get("tables") or []:
            contract = ((entry.get("config") or {}).get("meta") or {}).get("cdc") or {}
            topics = contract.get("topic") or []
            for topic in [topics] if isinstance(topics, str) else topics:
                found.setdefault(str(topic), str(entry["name"]))
        return found

    def landings(self) -> list[str]:
        """The first table for each landing table that the source reads."""
        first: dict[str, str] = {}
        for table in self.entry.get("tables") or []:
            first.setdefault(str(table.get("identifier", table["name"])), str(table["name"]))
        return list(first.values())

    def share(self, topics: list[Topic], proofs: dict[str, Proof]) -> None:
        """Give a source without a contract the keys that its topics have in common."""
        over = map_at(self.entry, "config", "meta", "cdc")
        if over:
            return
        over.update(_written(self._shared(topics[0])))
        settings: dict[str, Any] = {}
        for topic in topics:
            if _of_one(topic, topics[0]):
                settings |= proofs[topic.name].chosen(known.DEFAULTS)
        if settings:
            over["settings"] = flow(settings)
            guesses = {name for each in proofs.values() for name in each.guesses}
            add_comments(over, _guessed(settings, guesses), SOURCE_KEYS)

    def put(self, table: str, topic: Topic, proof: Proof) -> None:
        """Add the contract of a topic; an existing one stays, unless it is to be overwritten."""
        over = map_at(self.entry, "config", "meta", "cdc")
        tables = self.entry.setdefault("tables", CommentedSeq())
        contract = CommentedMap(topic=literal(topic.name))
        own = self._shared(topic)
        for name in over:
            if name in SHAPE and name not in own and topic.format == "unwrapped":
                own[name] = known.KEYS[name]["default"]
        contract |= _written(
            {name: value for name, value in own.items() if over.get(name) != value}
        )
        there = over.get("settings") or {}
        if own := proof.chosen(known.DEFAULTS | there):
            contract["settings"] = flow(own)
            add_comments(contract, _guessed(own, proof.guesses), TABLE_KEYS)
        self.answered[topic.name] = _answered_settings(over) - {f"settings.{n}" for n in own}
        contract["key"] = flow([literal(name) for name in topic.key or []])
        if (identity := topic.replica_identity) != "default":
            contract["replica_identity"] = identity
            if not topic.identity_told:
                comment = "guess: every update has its before image"
                add_comments(contract, {"replica_identity": comment}, TABLE_KEYS)
        found = topic.columns(proof.settings())
        contract["columns"] = columns = CommentedMap((name, found[name].type) for name in found)
        add_comments(columns, {name: found[name].comment for name in found}, COLUMNS)

        entry = next((each for each in tables if each.get("name") == table), None)
        if entry is None:
            entry = CommentedMap(name=table, identifier=self.identifier)
            entry["config"] = CommentedMap(meta=CommentedMap(cdc=contract))
            _describe(entry, topic)
            tables.append(entry)
            return
        meta = map_at(entry, "config", "meta")
        old = meta.get("cdc")
        if old is None or self.force:
            if json.dumps(old, default=str) != json.dumps(contract, default=str):
                meta["cdc"] = contract
            else:
                self.answered[topic.name] |= _answered(old)
            return
        self.answered[topic.name] = _answered_settings(over) | _answered(old)
        self._complete(f"{self.source}.{table}", old, contract, topic)
        wanted = proof.chosen(known.DEFAULTS | there | (old.get("settings") or {}))
        self._compare(table, old, contract | {"settings": wanted}, topic)

    def _shared(self, topic: Topic) -> dict[str, Any]:
        """The contract keys for all tables of a connector."""
        shared = {"connector": topic.connector} | topic.shape()
        if topic.framing:
            shared["avro_schemas"] = schemas_table(f"{self.schema}.{self.identifier}")
            if topic.framing != known.KEYS["avro_framing"]["default"]:
                shared["avro_framing"] = topic.framing
        return shared | ({"topic_prefix": topic.prefix} if topic.prefix else {})

    def _complete(self, table: str, old: CommentedMap, new: CommentedMap, topic: Topic) -> None:
        """Add new columns to a contract, and report those of another type: existing entries are the
        user's."""
        columns = old.get("columns")
        if columns is None:
            columns = old["columns"] = CommentedMap()
        former = (old.get("former_names") or {}).values()
        known_names = {*columns, *(name for names in former for name in names)}
        found, comments = topic.columns(), {}
        for name, kind in new["columns"].items():
            if name not in known_names:
                columns[name] = kind
                # a guess first: so validate finds it
                said = (found[name].comment, "added by a later scaffold")
                comments[name] = "; ".join(filter(None, said))
                self.said.append(f"{table}: column {name} {kind} is new in the contract")
            elif not are_alike(columns.get(name), kind, topic.connector):
                origin = topic.origin_of(name, kind) or "the sample"
                self.said.append(
                    f"{table}: column {name} is {columns[name]} in the contract, {kind} in "
                    f"{origin}: left as it is, --force overwrites it"
                )
        add_comments(columns, comments, COLUMNS)

    def _compare(self, table: str, old: CommentedMap, new: dict[str, Any], topic: Topic) -> None:
        """Report where a contract, with the keys of its source, differs from the sample. In: the
        table; its contract; what scaffold would write, of settings those that differ."""
        over = map_at(self.entry, "config", "meta", "cdc")
        differences = {
            name: (old.get(name), over.get(name), new.get(name, over.get(name)))
            for name in ("topic", "key", "replica_identity", "connector", "format")
        }
        own, shared = (each.get("settings") or {} for each in (old, over))
        for name, value in new["settings"].items():
            differences[f"settings.{name}"] = (own.get(name), shared.get(name), value)
        for name, (of_table, of_source, wanted) in differences.items():
            there = of_source if of_table is None else of_table
            if _shown_value(there) == _shown_value(wanted):
                continue
            is_of_table = of_table is not None or (of_source is None and "settings." not in name)
            origin = (name == "replica_identity" and topic.identity_origin) or "the sample"
            where = f"{self.source}.{table}" if is_of_table else self.source
            force = "overwrites it" if is_of_table else "gives each table its own"
            line = (
                f"{where}: {name} is {_shown_value(there)} in the contract, "
                f"{_shown_value(wanted)} in {origin}: left as it is, --force {force}"
            )
            if line not in self.said:
                self.said.append(line)

    def write(self) -> list[str]:
        """Write the file when it changed. Out: what was done."""
        text = dumped(self.document)
        if yaml().load(text) == (yaml().load(self.before) if self.before.strip() else None):
            return [*self.said, f"unchanged {self._shown()}"]
        return [*self.said, self.output.put(self.path, text, is_new=not self.before)]

    def _file(self) -> Path:
        """The YAML under models/ that has the source, else the path for a new one."""
        for path in sorted((self.root / "models").rglob("*.y*ml")):
            entries = (read_contracts(path, yaml()) or {}).get("sources") or []
            if any(each["name"] == self.source for each in entries):
                return path
        return self.root / "models" / "staging" / self.source / f"_{self.source}__sources.yml"

    def _shown(self) -> str:
        return str(self.path.relative_to(self.root))


# The blanks before keys in the file.
SOURCE_KEYS, TABLE_KEYS, COLUMNS = 10, 14, 16
# Keys that describe records of rows without envelopes.
SHAPE = (
    *("add_fields", "add_fields_prefix", "add_headers", "add_headers_prefix"),
    "delete_tombstone_handling_mode",
)


def schemas_table(landing: str) -> str:
    """The table next to landing for the schemas of Avro records."""
    return f"{landing.split('.')[0]}.avro_schemas"


def _of_one(left: Topic, right: Topic) -> bool:
    """Whether two topics come from the same connector."""
    return (left.connector, left.prefix) == (right.connector, right.prefix)


def _written(values: dict[str, Any]) -> dict[str, Any]:
    """Lists on one line."""
    return values | {name: flow(value) for name, value in values.items() if isinstance(value, list)}


def _shown_value(value: Any) -> str:
    return "not given" if value is None else json.dumps(value, default=str)


def _guessed(settings: dict[str, Any], guesses: Iterable[str]) -> dict[str, str]:
    """The comment on settings of which some are guesses."""
    names = ", ".join(name for name in settings if name in guesses)
    return {"settings": f"guess: {names}, from the values" if names else ""}


def _answered(contract: CommentedMap) -> set[str]:
    """The entries of a contract that no comment calls a guess."""

    def is_guess(entry: CommentedMap, name: str) -> bool:
        return "guess" in comment_of(entry, name)

    columns = contract.get("columns") or CommentedMap()
    found = {f"columns.{name}" for name in columns if not is_guess(columns, name)}
    if "replica_identity" in contract and not is_guess(contract, "replica_identity"):
        found.add("replica_identity")
    return found | _answered_settings(contract)


def _answered_settings(contract: CommentedMap) -> set[str]:
    comment = comment_of(contract, "settings")
    names = contract.get("settings") or {}
    return {f"settings.{name}" for name in names if "guess" not in comment or name not in comment}


def _describe(entry: CommentedMap, topic: Topic) -> None:
    """Give a table of the source the comments of its database."""
    table = next(iter(topic.catalog), None)
    if table is None:
        return
    if table.comment:
        entry.insert(1, "description", literal(table.comment))
    described = []
    for name, column in table.columns.items():
        values = f"One of: {', '.join(column.values)}." if column.values else ""
        if text := " ".join(filter(None, (column.comment, values))):
            described.append(CommentedMap(name=literal(name), description=literal(text)))
    if described:
        entry["columns"] = CommentedSeq(described)
