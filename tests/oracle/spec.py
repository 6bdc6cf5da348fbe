"""The declared facts of a stream: the table of each topic, and the type of each column.

```yaml
connector: postgresql              # or mysql, mariadb, sqlserver, oracle, db2
settings: {decimal_handling_mode: string, time_precision_mode: adaptive}
side_topics: {inv.notification: notification}      # may be left out
contract: {format: unwrapped, add_fields: [op, lsn]}    # other keys of a contract; may be left out
adjusted: {unit-no: unit_no}       # columns with another name in events; may be left out
types: {demo.amount: "numeric(12,2)", demo.mood: enum}      # names of domains and enums
tables:
  shop.customers:
    topic: inv.shop.customers        # or a list of them
    truncate_empties: table          # or partition
    key: [id]                        # [] = keyless
    replica_identity: default        # or full
    columns: {id: int, tier: char(3)}        # the FINAL shape, in order
    former_columns: {legacy_code: text}      # dropped on the way; compared at earlier marks only
    former_names: {tier: [class]}            # before renames, the newest first; may be left out
```
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from tests.oracle import lsn

ALIASES = {
    "smallint": "int2",
    "int": "int4",
    "integer": "int4",
    "bigint": "int8",
    "real": "float4",
    "double precision": "float8",
    "float": "float8",  # up to 24 bits it is a real, with the same text
    "decimal": "numeric",
    "boolean": "bool",
    "character": "char",
    "character varying": "varchar",
    "bit varying": "varbit",
    "timestamp with time zone": "timestamptz",
    "time with time zone": "timetz",
}

# Types outside PostgreSQL's rules have their own names, which no contract can hold.
MYSQL_ALIASES = {
    "smallint": "int4",
    "mediumint": "int4",
    "int": "int8",
    "integer": "int8",
    "year": "int4",
    "bigint": "int8",
    "bigint unsigned": "mysql unsigned",
    "tinyint": "mysql tinyint",
    "boolean": "mysql tinyint",
    "decimal": "numeric",
    "float": "float4",
    "double": "float8",
    "real": "float8",
    "char": "varchar",
    "longtext": "text",
    "mediumtext": "text",
    "tinytext": "text",
    "set": "text",
    "enum": "mysql enum",
    "bit": "mysql bit",
    "binary": "mysql binary",
    "varbinary": "mysql binary",
    "blob": "mysql binary",
    "tinyblob": "mysql binary",
    "mediumblob": "mysql binary",
    "longblob": "mysql binary",
    "time": "mysql time",
    "datetime": "mysql datetime",
    "timestamp": "timestamptz",
    "point": "mysql geometry",
    "geometry": "mysql geometry",
    "linestring": "mysql geometry",
    "polygon": "mysql geometry",
    "multipoint": "mysql geometry",
    "multilinestring": "mysql geometry",
    "multipolygon": "mysql geometry",
    "geometrycollection": "mysql geometry",
}

DEFAULT_SETTINGS = {
    "decimal_handling_mode": "precise",
    "decimal_format": "BASE64",
    "time_precision_mode": "adaptive",
    "binary_handling_mode": "bytes",
    "interval_handling_mode": "numeric",
    "unavailable_value_placeholder": "__debezium_unavailable_value",
    "bigint_unsigned_handling_mode": "long",
    "field_name_adjustment_mode": "none",
    "lob_enabled": False,
}


@dataclass(frozen=True)
class SourceType:
    """A source type: `numeric(10,2)[]` is name `numeric`, args (10, 2), array True; declared is the
    contract's text."""

    name: str
    args: tuple[int, ...] = ()
    array: bool = False
    declared: str = field(default="", compare=False)
    zero_dates: bool = field(default=False, compare=False)  # MySQL's may hold zeros
    lob: bool = field(default=False, compare=False)  # for Oracle, whose values may be left out

    @property
    def element(self) -> "SourceType":
        return SourceType(self.name, self.args, declared=self.declared.removesuffix("[]"))


@dataclass(frozen=True)
class Table:
    """One table: `key` empty means keyless; `full` means that before images are complete;
    `by_partition` that a truncate empties only the rows whose newest change came from the same
    physical table."""

    name: str
    topics: tuple[str, ...]
    key: tuple[str, ...]
    full: bool
    columns: dict[str, SourceType]
    by_partition: bool = False
    untracked: tuple[str, ...] = ()  # columns whose changes alone make no version
    null_when_not_sent: tuple[str, ...] = ()  # columns whose NULL in an update means not sent
    keeps_deleted: bool = False  # in the models' current state
    # column -> its names before renames, the newest first
    former_names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # column -> ((log position, the type before it), …), by position
    former: dict[str, tuple[tuple[int, SourceType], ...]] = field(default_factory=dict)

    def type_at(self, column: str, place) -> SourceType:
        """The type of a column at a log position."""
        types = (kind for until, kind in self.former.get(column, ()) if place < until)
        return next(types, self.columns[column])


@dataclass(frozen=True)
class Spec:
    """All tables of a stream, found by name or by topic."""

    tables: dict[str, Table]
    settings: dict = field(default_factory=lambda: dict(DEFAULT_SETTINGS))
    connector: str = "postgresql"
    side_topics: dict = field(default_factory=dict)  # topic without a table here -> what it is
    contract: dict = field(default_factory=dict)  # other keys of the contract, for all tables
    adjusted: dict[str, str] = field(default_factory=dict)  # column -> its name in events

    def by_topic(self, topic: str) -> Table | None:
        return next((table for table in self.tables.values() if topic in table.topics), None)


def parse_type(
    text: str, named: dict[str, str] | None = None, connector: str = "postgresql"
) -> SourceType:
    """`timestamp(3)`, `numeric(10,2)[]`, `bit varying(12)`, or a name listed in `named`."""
    text = " ".join(text.split())
    array = text.endswith("[]")
    text = text.removesuffix("[]")
    text = declared = (named or {}).get(text, text)
    if connector in NAMED_TYPES:
        return _parse_named_type(declared, *NAMED_TYPES[connector])
    if connector != "postgresql":
        return _parse_mysql_type(declared)
    found = re.fullmatch(r"([^()]+?) ?(?:\(([\d, ]+)\))?( with time zone)?", text)
    if not found:
        raise ValueError(f"not a source type: {text!r}")
    name = (found[1] + (found[3] or "")).lower()
    args = tuple(int(arg) for arg in found[2].split(",")) if found[2] else ()
    return SourceType(ALIASES.get(name, name), args, array, declared + "[]" * array)


def _parse_mysql_type(text: str) -> SourceType:
    found = re.fullmatch(r"(\w+)(?:\(([^)]*)\))?( unsigned)?(?: zerofill)?", text)
    if not found:
        raise ValueError(f"not a source type: {text!r}")
    name = found[1] + (found[3] or "" if found[1] == "bigint" else "")
    args = tuple(int(arg) for arg in (found[2] or "").split(",") if arg.strip().isdigit())
    return SourceType(MYSQL_ALIASES.get(name, name), args, declared=text, zero_dates=True)


SQLSERVER_ALIASES = {
    "bit": "bool",
    "tinyint": "int2",
    "smallint": "int2",
    "int": "int4",
    "bigint": "int8",
    "real": "float4",
    "float": "float8",
    "decimal": "numeric",
    "money": "numeric",
    "smallmoney": "numeric",
    "nchar": "varchar",
    "char": "varchar",
    "nvarchar": "varchar",
    "ntext": "text",
    "binary": "bytea",
    "varbinary": "bytea",
    "image": "bytea",
    "rowversion": "bytea",
    "hierarchyid": "bytea",
    "time": "time by digits",
    "datetime": "timestamp by digits",
    "smalldatetime": "timestamp by digits",
    "datetime2": "timestamp by digits",
    "datetimeoffset": "timestamptz",
}
SQLSERVER_ARGUMENTS = {
    "decimal": (18, 0),
    "money": (19, 4),
    "smallmoney": (10, 4),
    "time": (7,),
    "datetime": (3,),
    "smalldatetime": (0,),
    "datetime2": (7,),
}


ORACLE_ALIASES = {
    "number": "oracle number",
    "integer": "oracle number",
    "int": "oracle number",
    "smallint": "oracle number",
    "decimal": "oracle number",
    "numeric": "oracle number",
    "dec": "oracle number",
    "float": "oracle number",
    "real": "oracle number",
    "double precision": "oracle number",
    "boolean": "bool",
    "binary_float": "float4",
    "binary_double": "float8",
    "raw": "bytea",
    "blob": "bytea",
    "date": "timestamp by digits",
    "timestamp": "timestamp by digits",
    "timestamp with time zone": "timestamptz",
    "timestamp with local time zone": "timestamptz",
    "interval day to second": "oracle interval",
    "interval year to month": "oracle interval",
}
ORACLE_ARGUMENTS = {
    "integer": (38, 0),
    "int": (38, 0),
    "smallint": (38, 0),
    "decimal": (38, 0),
    "numeric": (38, 0),
    "dec": (38, 0),
    "date": (0,),
    "timestamp": (6,),
}
DB2_ALIASES = {
    "boolean": "bool",
    "smallint": "int2",
    "int": "int4",
    "integer": "int4",
    "bigint": "int8",
    "real": "float4",
    "double": "float8",
    "float": "float8",
    "decfloat": "decfloat",
    "decimal": "numeric",
    "numeric": "numeric",
    "binary": "bytea",
    "varbinary": "bytea",
    "blob": "bytea",
    "time": "time by digits",
    "timestamp": "timestamp by digits",
}
DB2_ARGUMENTS = {"decimal": (5, 0), "numeric": (5, 0), "time": (0,), "timestamp": (6,)}
NAMED_TYPES = {
    "sqlserver": (SQLSERVER_ALIASES, SQLSERVER_ARGUMENTS),
    "oracle": (ORACLE_ALIASES, ORACLE_ARGUMENTS),
    "db2": (DB2_ALIASES, DB2_ARGUMENTS),
}


def _parse_named_type(text: str, aliases: dict, arguments: dict) -> SourceType:
    """The sizes of a float or an interval, which are within the name, do not affect values."""
    text = text.removesuffix(" identity")
    found = re.fullmatch(r"(\w+(?: \w+)*)(?:\(([^)]*)\))?( with (?:local )?time zone)?", text)
    if not found:
        found = re.fullmatch(r"(interval) (?:day|year).*()()", text)
    if not found:
        raise ValueError(f"not a source type: {text!r}")
    name = found[1] + (found[3] or "")
    if name == "interval":
        name = "interval day to second"
    sizes = (found[2] or "").replace("*", "38").split(",")
    args = tuple(int(size) for size in sizes if size.strip().lstrip("-").isdigit())
    if name.startswith("float") or name == "binary_float":
        args = ()
    return SourceType(
        aliases.get(name, name),
        args or arguments.get(name, ()),
        declared=text,
        lob=aliases is ORACLE_ALIASES and name in ("clob", "nclob", "blob", "xmltype"),
    )


def as_sent(kind: SourceType, settings: dict) -> SourceType:
    """The type whose values a stream with these settings can carry: under `double` only the nearest
    double of a decimal."""
    if settings["decimal_handling_mode"] == "double" and kind.name in ("numeric", "money"):
        return replace(kind, name=f"{kind.name} as double")
    return kind


def place_in_log(position: str) -> int | tuple:
    """A log position in a contract's form: a number; file, position and row of a binary log;
    LSNs."""
    if len(position.partition(".")[0]) >= 20 and "." in position:
        return lsn.place_of_text(position)
    parts = tuple(int(part) for part in position.split("."))
    return parts if len(parts) > 1 else parts[0]


def build_spec(declared: dict, former: bool = False) -> Spec:
    """A Spec from the parsed YAML; `former=True` adds the columns dropped on the way."""
    settings = DEFAULT_SETTINGS | (declared.get("settings") or {})
    named = declared.get("types") or {}
    connector = declared.get("connector", "postgresql")
    tables = {}
    for name, facts in declared["tables"].items():
        columns = dict(facts["columns"])
        if former:
            columns |= facts.get("former_columns") or {}
        topics = facts["topic"]
        identity = facts.get("replica_identity", "default")
        if identity not in ("default", "full"):
            raise ValueError(f"{name}: replica_identity is full or default, not {identity!r}")
        tables[name] = Table(
            name=name,
            topics=(topics,) if isinstance(topics, str) else tuple(topics),
            key=tuple(facts["key"]),
            full=identity == "full" or connector != "postgresql",
            columns={
                column: as_sent(parse_type(kind, named, connector), settings)
                for column, kind in columns.items()
            },
            by_partition=facts.get("truncate_empties") == "partition",
            untracked=tuple(facts.get("untracked") or ()),
            null_when_not_sent=tuple(facts.get("null_when_not_sent") or ()),
            keeps_deleted=facts.get("deletes") == "flag",
            former_names={
                column: tuple(names) for column, names in (facts.get("former_names") or {}).items()
            },
            former={
                column: tuple(
                    (place_in_log(until), as_sent(parse_type(kind, named, connector), settings))
                    for until, kind in sorted(types.items())
                )
                for column, types in (facts.get("former_types") or {}).items()
            },
        )
    return Spec(
        tables,
        settings,
        connector,
        declared.get("side_topics") or {},
        declared.get("contract") or {},
        declared.get("adjusted") or {},
    )


def load_spec(path: str | Path, former: bool = False) -> Spec:
    """The Spec of one YAML file."""
    return build_spec(yaml.safe_load(Path(path).read_text(encoding="utf-8")), former)
