"""The declared facts of a stream: which topic is which table, and what each column is.

```yaml
settings: {decimal_handling_mode: string, time_precision_mode: adaptive}
types: {demo.amount: "numeric(12,2)", demo.mood: enum}      # names of domains and enums
tables:
  shop.customers:
    topic: inv.shop.customers
    key: [id]                        # [] = keyless
    replica_identity: default        # or full
    columns: {id: int, tier: char(3)}        # the FINAL shape, in order
    former_columns: {legacy_code: text}      # dropped on the way; judged at earlier marks only
```
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

ALIASES = {
    "smallint": "int2",
    "int": "int4",
    "integer": "int4",
    "bigint": "int8",
    "real": "float4",
    "double precision": "float8",
    "decimal": "numeric",
    "boolean": "bool",
    "character": "char",
    "character varying": "varchar",
    "bit varying": "varbit",
    "timestamp with time zone": "timestamptz",
    "time with time zone": "timetz",
}

DEFAULT_SETTINGS = {
    "decimal_handling_mode": "precise",
    "time_precision_mode": "adaptive",
    "binary_handling_mode": "bytes",
    "unavailable_value_placeholder": "__debezium_unavailable_value",
}


@dataclass(frozen=True)
class SourceType:
    """A source type: `numeric(10,2)[]` is name `numeric`, args (10, 2), array True."""

    name: str
    args: tuple[int, ...] = ()
    array: bool = False

    @property
    def element(self) -> "SourceType":
        return SourceType(self.name, self.args)


@dataclass(frozen=True)
class Table:
    """One table: `key` empty means keyless; `full` means REPLICA IDENTITY FULL."""

    name: str
    topic: str
    key: tuple[str, ...]
    full: bool
    columns: dict[str, SourceType]


@dataclass(frozen=True)
class Spec:
    """All tables of a stream, found by name or by topic."""

    tables: dict[str, Table]
    settings: dict = field(default_factory=lambda: dict(DEFAULT_SETTINGS))

    def by_topic(self, topic: str) -> Table | None:
        return next((table for table in self.tables.values() if table.topic == topic), None)


def parse_type(text: str, named: dict[str, str] | None = None) -> SourceType:
    """`timestamp(3)`, `numeric(10,2)[]`, `bit varying(12)`, or a name listed in `named`."""
    text = " ".join(text.split())
    array = text.endswith("[]")
    text = text.removesuffix("[]")
    text = (named or {}).get(text, text)
    found = re.fullmatch(r"([^()]+?) ?(?:\(([\d, ]+)\))?( with time zone)?", text)
    if not found:
        raise ValueError(f"not a source type: {text!r}")
    name = (found[1] + (found[3] or "")).lower()
    args = tuple(int(arg) for arg in found[2].split(",")) if found[2] else ()
    return SourceType(ALIASES.get(name, name), args, array)


def build_spec(declared: dict, former: bool = False) -> Spec:
    """A Spec from the parsed YAML; `former=True` adds the columns dropped on the way."""
    named = declared.get("types") or {}
    tables = {}
    for name, facts in declared["tables"].items():
        columns = dict(facts["columns"])
        if former:
            columns |= facts.get("former_columns") or {}
        identity = facts.get("replica_identity", "default")
        if identity not in ("default", "full"):
            raise ValueError(f"{name}: replica_identity is full or default, not {identity!r}")
        tables[name] = Table(
            name=name,
            topic=facts["topic"],
            key=tuple(facts["key"]),
            full=identity == "full",
            columns={column: parse_type(kind, named) for column, kind in columns.items()},
        )
    return Spec(tables, DEFAULT_SETTINGS | (declared.get("settings") or {}))


def load_spec(path: str | Path, former: bool = False) -> Spec:
    """The Spec of one YAML file."""
    return build_spec(yaml.safe_load(Path(path).read_text(encoding="utf-8")), former)
