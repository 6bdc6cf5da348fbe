"""The sources YAML: a new file, or the existing one of the source."""

import io
import json
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from afterimage.contract import read_contracts
from afterimage.errors import UserError
from afterimage.scaffold import known
from afterimage.scaffold.catalog.types import are_alike
from afterimage.scaffold.output import Output
from afterimage.scaffold.proven import Proof
from afterimage.scaffold.topic import Topic
from afterimage.scaffold.words import flow, literal, map_at, yaml


class Sources:
    """Contracts in a file of the project."""

    def __init__(self, output: Output, source: str, landing: str, force: bool) -> None:
        self.output, self.root, self.force = output, output.root, force
        self.schema, self.identifier = landing.split(".")
        self.source = source
        self.said: list[str] = []
        self.path = self._file()
        is_new = not self.path.is_file()
        self.before = "" if is_new else self.path.read_text(encoding="utf-8")
        self.document = (None if is_new else read_contracts(self.path, yaml())) or CommentedMap()
        if is_new:
            self.document.yaml_set_start_comment(
                "Contracts of the source, created by `afterimage scaffold` and yours to edit.\n"
                "Every key: docs/reference/contract.md of afterimage."
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
        there = known.DEFAULTS | (over.get("settings") or {})
        if own := proof.chosen(there):
            contract["settings"] = flow(own)
        key = CommentedSeq(literal(name) for name in topic.key or [])
        key.fa.set_flow_style()
        contract["key"] = key
        if (identity := topic.replica_identity) != "default":
            contract["replica_identity"] = identity
            if not topic.identity_told:
                contract.yaml_add_eol_comment(
                    "guess: every update has its before image", "replica_identity"
                )
        contract["columns"] = columns = CommentedMap()
        for name, column in topic.columns(proof.settings()).items():
            columns[name] = column.type
            remarks = ["guess" if column.is_guess else "", column.remark]
            if any(remarks):
                columns.yaml_add_eol_comment(
                    " ".join(": ".join(filter(None, remarks)).split()), name
                )

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
            return
        self._complete(f"{self.source}.{table}", old, contract, topic)

    def _shared(self, topic: Topic) -> dict[str, Any]:
        """The contract keys for all tables of a connector."""
        shared = {"connector": topic.connector} | topic.shape()
        if topic.framing:
            shared["avro_schemas"] = schemas_table(f"{self.schema}.{self.identifier}")
            if topic.framing != known.KEYS["avro_framing"]["default"]:
                shared["avro_framing"] = topic.framing
        return shared | ({"topic_prefix": topic.prefix} if topic.prefix else {})

    def _complete(self, table: str, old: CommentedMap, new: CommentedMap, topic: Topic) -> None:
        """Add new columns to a contract, and report other differences: existing entries are the
        user's."""
        columns = old.get("columns")
        if columns is None:
            columns = old["columns"] = CommentedMap()
        former = (old.get("former_names") or {}).values()
        known_names = {*columns, *(name for names in former for name in names)}
        remarks = {
            name: [f"guess: {column.remark}" if column.is_guess else column.remark]
            for name, column in topic.columns().items()
            if column.is_guess or column.remark
        }
        for name, kind in new["columns"].items():
            if name not in known_names:
                columns[name] = kind
                columns.yaml_add_eol_comment(
                    "; ".join(["added by a later scaffold", *remarks.get(name, ())]), name
                )
                self.said.append(f"{table}: column {name} {kind} is new in the contract")
            elif not are_alike(columns.get(name), kind, topic.connector):
                self.said.append(
                    f"{table}: column {name} is {columns[name]} in the contract, {kind} in the "
                    "sample: left as it is, --force overwrites it"
                )
        for name in dict.fromkeys([*old, *new]):
            if name in ("topic", "key", "replica_identity", "settings", "connector", "format") and (
                json.dumps(old.get(name), default=str) != json.dumps(new.get(name), default=str)
            ):
                self.said.append(
                    f"{table}: {name} is {_shown_value(old, name)} in the contract, "
                    f"{_shown_value(new, name)} in the sample: left as it is, --force "
                    "overwrites it"
                )

    def write(self) -> list[str]:
        """Write the file when it changed. Out: what was done."""
        stream = io.StringIO()
        yaml().dump(self.document, stream)
        text = stream.getvalue()
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
    lists = {}
    for name, value in values.items():
        if isinstance(value, list):
            lists[name] = CommentedSeq(value)
            lists[name].fa.set_flow_style()
    return values | lists


def _shown_value(contract: CommentedMap, name: str) -> str:
    return json.dumps(contract[name], default=str) if name in contract else "not given"


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
