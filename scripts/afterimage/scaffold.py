"""Contract and models for topics, made from a sample of their records.

Types come from the schema block where records have one. Else they are guessed from the literals,
and each guess is marked as one: a number may well be a date, and a text a decimal.
"""

import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from afterimage.errors import UserError
from afterimage.macros import Macros
from afterimage.readers import READERS
from afterimage.readers.record import Broken

PLACEHOLDER = "__debezium_unavailable_value"
NOT_NULL = "not null"
NEWEST = 1000  # records of each topic that are read from a landing table
KEYS = Macros("contract/contract_keys.sql", "connectors/*.sql").contract_keys()
CONNECTORS = KEYS["connector"]["allowed"]
DEFAULTS = {name: setting["default"] for name, setting in KEYS["settings"]["keys"].items()}
MODELS = {
    "models/staging/{source}/stg_{name}.sql": "change_log(source('{source}', '{table}'))",
    "models/history/{source}/hist_{name}.sql": "history(ref('stg_{name}'))",
    "models/current/{source}/cur_{name}.sql": "current_state(ref('hist_{name}'))",
}

# Kafka Connect's types -> PostgreSQL's.
PLAIN = {
    "boolean": "boolean",
    "int8": "smallint",
    "int16": "smallint",
    "int32": "int",
    "int64": "bigint",
    "float": "real",
    "float32": "real",
    "double": "double precision",
    "float64": "double precision",
    "string": "text",
    "bytes": "bytea",
}
# Names that Debezium and Connect give a type -> PostgreSQL's.
NAMED = {
    "io.debezium.time.Date": "date",
    "io.debezium.time.Time": "time(3)",
    "io.debezium.time.MicroTime": "time",
    "io.debezium.time.ZonedTime": "timetz",
    "io.debezium.time.Timestamp": "timestamp(3)",
    "io.debezium.time.MicroTimestamp": "timestamp",
    "io.debezium.time.ZonedTimestamp": "timestamptz",
    "io.debezium.time.MicroDuration": "interval",
    "io.debezium.time.Interval": "interval",
    "io.debezium.data.VariableScaleDecimal": "numeric",
    "io.debezium.data.Uuid": "uuid",
    "io.debezium.data.Json": "jsonb",
    "io.debezium.data.Xml": "xml",
    "io.debezium.data.Enum": "enum",
    "io.debezium.data.Ltree": "ltree",
    "io.debezium.data.Tsvector": "tsvector",
    "io.debezium.data.geometry.Point": "point",
    "org.apache.kafka.connect.data.Date": "date",
    "org.apache.kafka.connect.data.Time": "time(3)",
    "org.apache.kafka.connect.data.Timestamp": "timestamp(3)",
}
# PostgreSQL's types -> MySQL's and MariaDB's; those not here have the same name.
MYSQL = {
    "real": "float",
    "double precision": "double",
    "bytea": "blob",
    "jsonb": "json",
    "timestamp(3)": "datetime(3)",
    "timestamp": "datetime(6)",
    "timestamptz": "timestamp",
    "time": "time(6)",
    "uuid": "varchar(36)",
}
MYSQL_NAMED = {
    "io.debezium.data.EnumSet": "set",
    "io.debezium.time.Year": "year",
    "io.debezium.data.geometry.Geometry": "geometry",
}
DECIMAL_NAME = "org.apache.kafka.connect.data.Decimal"
WIDER = ("smallint", "int", "bigint")
TIMESTAMPTZ = re.compile(r"[-+]?\d{4,}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z")
DECIMAL = re.compile(r"[-+]?\d+(\.\d+)?")
JINJA = re.compile(r"{[{%#]|[#}%]}")


@dataclass
class Column:
    """A source column: its type, and what the person should know of it."""

    type: str
    remark: str = ""
    is_guess: bool = False


@dataclass
class Topic:
    """What the sample tells about one topic."""

    name: str
    records: int = 0
    unreadable: int = 0
    changes: int = 0
    ops: Counter = field(default_factory=Counter)
    connector: str = ""
    prefix: str = ""
    database: str = ""
    table: str = ""
    schema_name: str = ""
    key: list[str] | None = None
    declared: dict[str, dict] = field(default_factory=dict)  # by column: field of a schema block
    newest: list[str] = field(default_factory=list)  # columns of the last image
    seen: dict[str, Counter] = field(default_factory=dict)  # by column: kinds of its literals
    updates_with_before: int = 0

    def take(self, key: bytes | None, value: bytes | None) -> None:
        """Look at one record."""
        self.records += 1
        if value is None:
            return
        document, schema = _unpacked(value)
        if document is None:
            self.unreadable += 1
            return
        source, op = document.get("source"), document.get("op")
        if not isinstance(source, dict) or op not in ("c", "r", "u", "d", "t"):
            return
        self.changes += 1
        self.ops[op] += 1
        self.connector = str(source.get("connector") or "")
        self.prefix = str(source.get("name") or "")
        self.database = str(source.get("db") or "")
        self.schema_name = str(source.get("schema") or "")
        self.table = str(source.get("table") or "")
        if key is not None:
            names, _ = _unpacked(key)
            if names is not None:
                self.key = list(names)
        before, after = document.get("before"), document.get("after")
        if op == "u" and before is not None:
            self.updates_with_before += 1
        for part in (schema or {}).get("fields") or []:
            if part.get("field") == "after":
                for column in part.get("fields") or []:
                    self._declare(column)
        image = before if op == "d" else after
        if isinstance(image, dict):
            if op != "d" or not self.newest:
                self.newest = list(image)
            for name, literal in image.items():
                # Where a delete has its key alone, the connector invents values for the rest.
                if op != "d" or name in (self.key or []):
                    self.seen.setdefault(name, Counter())[_kind(literal)] += 1

    def _declare(self, column: dict) -> None:
        name = column["field"]
        earlier = self.declared.get(name)
        # A column widened meanwhile: the wider type holds the older records too.
        if earlier and _wider(earlier, column):
            return
        self.declared[name] = column

    def columns(self) -> dict[str, Column]:
        """Columns by name, those of the newest record first."""
        names = dict.fromkeys([*self.newest, *self.declared, *self.seen])
        found = {}
        for name in names:
            if name in self.declared:
                column = _declared(self.declared[name])
            else:
                column = _guessed(self.seen.get(name, Counter()))
            if name not in self.newest and self.newest:
                column.remark = "; ".join(filter(None, [column.remark, "not in the newest record"]))
            if self.is_mysql:
                column = self._of_mysql(column, self.declared.get(name))
            found[name] = column
        return found

    @staticmethod
    def _of_mysql(column: Column, declared: dict | None) -> Column:
        """The column under the type's name in MySQL and MariaDB."""
        named = MYSQL_NAMED.get((declared or {}).get("name"))
        if named:
            return Column(named, NOT_NULL if column.remark == NOT_NULL else "")
        kind = MYSQL.get(column.type, column.type.replace("numeric", "decimal"))
        if kind == "decimal":  # without a schema block nothing tells its digits
            return Column("decimal(65,30)", "precision and scale are not in the sample", True)
        remark = "or bigint unsigned" if kind == "bigint" else ""
        return Column(kind, "; ".join(filter(None, [column.remark, remark])), column.is_guess)

    @property
    def is_mysql(self) -> bool:
        return self.connector in ("mysql", "mariadb")

    @property
    def is_full(self) -> bool:
        """Whether every update carries its before image, as under REPLICA IDENTITY FULL; MySQL has
        no such setting, its images are always whole."""
        return not self.is_mysql and 0 < self.ops["u"] == self.updates_with_before

    def settings(self) -> dict[str, Any]:
        """The settings the sample proves."""
        found: dict[str, Any] = {}
        names = {column.get("name") for column in self.declared.values()}
        if names & {DECIMAL_NAME, "io.debezium.data.VariableScaleDecimal"}:
            found["decimal_handling_mode"] = "precise"
        if "io.debezium.time.MicroDuration" in names:
            found["interval_handling_mode"] = "numeric"
        if "io.debezium.time.Interval" in names:
            found["interval_handling_mode"] = "string"
        if self.ops["t"]:
            found["skipped_operations"] = []
        return found


def records_of_files(files: Sequence[Path], form: str = "jsonl") -> Iterator[tuple]:
    """(topic, key, value) of the records in files, plain or gzipped."""
    for file in files:
        with file.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            try:
                for record in READERS[form](stream):
                    if not isinstance(record, Broken):
                        yield record.topic, record.key, record.value
            except (EOFError, OSError) as error:
                raise UserError(f"{file}: {error}") from error


def records_of_table(spark: Any, table: str, topics: Sequence[str] = ()) -> Iterator[tuple]:
    """(topic, key, value) of the newest records of each topic of a landing table."""
    if not re.fullmatch(r"\w+\.\w+", table, re.ASCII):
        raise UserError(f"{table!r} is no schema.table: two names of letters, digits and _")
    if not spark.catalog.tableExists(table):
        raise UserError(f"there is no table {table}; give files, or another --landing")
    query = f"""
        select topic, cast(key as binary) as key, cast(value as binary) as value
        from (
            select *, row_number() over (
                partition by topic order by timestamp desc, partition, offset desc) as recency
            from {table} where topic is not null
        ) where recency <= {NEWEST} order by topic, recency desc"""
    for row in spark.sql(query).toLocalIterator():
        if not topics or row["topic"] in topics:
            key, value = row["key"], row["value"]
            yield (
                row["topic"],
                None if key is None else bytes(key),
                None if value is None else bytes(value),
            )


def scaffold(
    root: Path,
    records: Iterable[tuple],
    landing: str,
    *,
    topics: Sequence[str] = (),
    source: str | None = None,
    force: bool = False,
) -> list[str]:
    """Write contract and models of topics into a project.

    In: the project's root; the sample, (topic, key, value) each; the landing table `schema.table`
    the models will read; the topics meant, all that hold row changes when empty; the dbt source's
    name, the database's when none; whether to overwrite what differs.
    Out: what was written, what was left, and what to check.
    Errors: UserError when a topic is not in the sample, holds no changes, or is of a connector that
    is not supported; nothing has been written then.
    """
    if not re.fullmatch(r"\w+\.\w+", landing, re.ASCII):
        raise UserError(f"--landing {landing!r} is no schema.table")
    found: dict[str, Topic] = {}
    for topic, key, value in records:
        if not topics or topic in topics:
            found.setdefault(topic, Topic(topic)).take(key, value)
    chosen = _chosen(found, topics)
    source = _word(source or chosen[0].database or chosen[0].prefix)
    said = [
        f"passed over {topic.name}: {topic.records} records, none of them a row change"
        for topic in found.values()
        if not topic.changes and not topics
    ]
    sources = _Sources(root, source, landing, force)
    names = _table_names(chosen)
    sources.share(chosen)
    for topic in chosen:
        sources.put(names[topic.name], topic)
    said += sources.write()
    for topic in chosen:
        said += _write_models(root, source, names[topic.name], topic, force)
    said += _checks(chosen)
    said.append("Next: `afterimage validate`, then `afterimage model-yaml`, then `dbt build`.")
    return said


def _chosen(found: dict[str, Topic], topics: Sequence[str]) -> list[Topic]:
    faults = []
    chosen = [found[name] for name in topics if name in found] if topics else list(found.values())
    for name in topics:
        if name not in found:
            faults.append(f"topic {name} is not in the sample")
        elif not found[name].changes:
            faults.append(f"topic {name} holds no Debezium row change (op and source)")
    chosen = [topic for topic in chosen if topic.changes]
    for topic in chosen:
        if topic.connector not in CONNECTORS:
            faults.append(
                f"topic {topic.name} is of connector {topic.connector or 'unknown'}; "
                f"supported: {', '.join(CONNECTORS)}"
            )
        elif not topic.columns():
            faults.append(f"topic {topic.name} has no row image in the sample: take more records")
    if not chosen and not faults:
        faults.append("no topic of the sample holds Debezium row changes (op and source)")
    if faults:
        raise UserError("\n".join(faults))
    return sorted(chosen, key=lambda topic: topic.name)


def _table_names(topics: list[Topic]) -> dict[str, str]:
    """A dbt name for each topic's table; with its schema in front where two would share it."""
    counts = Counter(_word(topic.table) for topic in topics)
    return {
        topic.name: _word(topic.table)
        if counts[_word(topic.table)] == 1
        else _word(f"{topic.schema_name}_{topic.table}")
        for topic in topics
    }


class _Sources:
    """The sources YAML: a new file, or the one that has the source already."""

    def __init__(self, root: Path, source: str, landing: str, force: bool) -> None:
        self.root, self.force = root, force
        self.schema, self.identifier = landing.split(".")
        self.source = source
        self.said: list[str] = []
        self.path = self._file()
        is_new = not self.path.is_file()
        self.before = "" if is_new else self.path.read_text(encoding="utf-8")
        self.document = _yaml().load(self.before) if self.before.strip() else CommentedMap()
        if is_new:
            self.document.yaml_set_start_comment(
                "Contracts of the source, begun by `afterimage scaffold` and yours to edit.\n"
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

    def share(self, topics: list[Topic]) -> None:
        """Give a source without a contract what its topics have in common."""
        over = _map_at(self.entry, "config", "meta", "cdc")
        if over:
            return
        over.update(_shared(topics[0]))
        settings = {}
        for topic in topics:
            if _shared(topic) == _shared(topics[0]):
                settings |= topic.settings()
        if settings := {n: value for n, value in settings.items() if value != DEFAULTS[n]}:
            over["settings"] = _flow(settings)

    def put(self, table: str, topic: Topic) -> None:
        """Add the contract of a topic; one that is there stays, unless it is to be overwritten."""
        over = _map_at(self.entry, "config", "meta", "cdc")
        tables = self.entry.setdefault("tables", CommentedSeq())
        shared = _shared(topic)
        contract = CommentedMap(topic=_literal(topic.name))
        contract |= {name: value for name, value in shared.items() if over.get(name) != value}
        there = DEFAULTS | (over.get("settings") or {})
        own = {name: value for name, value in topic.settings().items() if there.get(name) != value}
        if own:
            contract["settings"] = _flow(own)
        key = CommentedSeq(_literal(name) for name in topic.key or [])
        key.fa.set_flow_style()
        contract["key"] = key
        if topic.is_full:
            contract["replica_identity"] = "full"
            contract.yaml_add_eol_comment(
                "guess: every update has its before image", "replica_identity"
            )
        contract["columns"] = columns = CommentedMap()
        for name, column in topic.columns().items():
            columns[name] = column.type
            remarks = ["guess" if column.is_guess else "", column.remark]
            if any(remarks):
                columns.yaml_add_eol_comment(": ".join(filter(None, remarks)), name)

        entry = next((each for each in tables if each.get("name") == table), None)
        if entry is None:
            entry = CommentedMap(name=table, identifier=self.identifier)
            entry["config"] = CommentedMap(meta=CommentedMap(cdc=contract))
            tables.append(entry)
            return
        meta = _map_at(entry, "config", "meta")
        old = meta.get("cdc")
        if old is not None and json.dumps(old, default=str) == json.dumps(contract, default=str):
            return
        if old and not self.force:
            self.said.append(
                f"left the contract of {self.source}.{table} in {self._shown()} as it is, though "
                "the sample says otherwise; --force overwrites it"
            )
            return
        meta["cdc"] = contract

    def write(self) -> list[str]:
        """Write the file when it changed; out: what was done."""
        stream = io.StringIO()
        _yaml().dump(self.document, stream)
        text = stream.getvalue()
        if _yaml().load(text) == (_yaml().load(self.before) if self.before.strip() else None):
            return [*self.said, f"unchanged {self._shown()}"]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(text, encoding="utf-8")
        return [*self.said, f"{'changed' if self.before else 'wrote'} {self._shown()}"]

    def _file(self) -> Path:
        """The YAML under models/ that has the source, else where a new one belongs."""
        for path in sorted((self.root / "models").rglob("*.y*ml")):
            try:
                document = _yaml().load(path.read_text(encoding="utf-8"))
            except YAMLError as error:
                raise UserError(f"{path} cannot be read as YAML: {error}") from error
            entries = document.get("sources") if isinstance(document, dict) else None
            if any(each.get("name") == self.source for each in entries or []):
                return path
        return self.root / "models" / "staging" / self.source / f"_{self.source}__sources.yml"

    def _shown(self) -> str:
        return str(self.path.relative_to(self.root))


def _shared(topic: Topic) -> dict[str, str]:
    """What a contract says for all tables of a connector."""
    shared = {"connector": topic.connector, "format": "debezium_json"}
    return shared | ({"topic_prefix": topic.prefix} if topic.prefix else {})


def _write_models(root: Path, source: str, table: str, topic: Topic, force: bool) -> list[str]:
    said = []
    name = f"{source}__{table}".lower()  # Spark's catalog keeps no upper case
    models = MODELS
    if not topic.key and not topic.is_full and not topic.is_mysql:
        said.append(
            f"{topic.name} has neither key nor before images: its change log alone is written, as "
            "history and current state cannot tell its rows apart"
        )
        models = dict(list(MODELS.items())[:1])
    for path, call in models.items():
        file = root / path.format(source=source, name=name)
        text = "{{ afterimage." + call.format(source=source, table=table, name=name) + " }}\n"
        shown = file.relative_to(root)
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            said.append(f"unchanged {shown}")
        elif file.is_file() and not force:
            said.append(f"left {shown} as it is, though it differs; --force overwrites it")
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            said.append(f"wrote {shown}")
    return said


def _checks(topics: list[Topic]) -> list[str]:
    """What the person should look at, by topic."""
    said = []
    for topic in topics:
        columns = topic.columns()
        guessed = [name for name, column in columns.items() if column.is_guess]
        remarked = [
            name
            for name, column in columns.items()
            if column.remark not in ("", NOT_NULL) and not column.is_guess
        ]
        if guessed:
            said.append(
                f"check {topic.name}: {len(guessed)} of {len(columns)} types are guesses, compare "
                f"them with the database: {', '.join(guessed)}"
            )
        if remarked:
            said.append(f"check {topic.name}: see the remarks on {', '.join(remarked)}")
        if topic.key is None:
            said.append(f"check {topic.name}: no record has a key; is the table without one?")
        if topic.is_full:
            said.append(f"check {topic.name}: replica_identity full is a guess from its updates")
        if topic.unreadable:
            said.append(f"check {topic.name}: {topic.unreadable} records are no JSON object")
        lower = Counter(name.lower() for name in columns)
        said += [
            f"check {topic.name}: columns that differ in case only: {name}"
            for name, times in lower.items()
            if times > 1
        ]
    if any(not topic.declared for topic in topics):
        said.append(
            "check settings: without schema blocks decimal_handling_mode and the others cannot be "
            "seen; they stand at the connector's defaults"
        )
    return said


def _unpacked(raw: bytes) -> tuple[dict | None, dict | None]:
    """Payload and schema of a record's JSON; no payload when it is no JSON object."""
    try:
        document = json.loads(raw, parse_int=_whole)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(document, dict):
        return None, None
    if document.keys() == {"schema", "payload"}:
        payload, schema = document["payload"], document["schema"]
        return (payload if isinstance(payload, dict) else None), schema
    return document, None


def _whole(digits: str) -> int | str:
    """A whole number that fits bigint; a text marked as too long otherwise."""
    # Longer ones are looked at first: int() refuses thousands of digits.
    fits = len(digits) <= 20 and -(2**63) <= int(digits) < 2**63
    return int(digits) if fits else _Long(digits)


class _Long(str):
    """The digits of a number that fits no bigint."""


def _declared(column: dict) -> Column:
    """A column from its field in a schema block."""
    name, kind = column.get("name"), column.get("type")
    parameters = column.get("parameters") or {}
    nullable = "" if column.get("optional", True) else NOT_NULL
    if kind == "array":
        element = _declared(column.get("items") or {})
        remark = "" if element.remark == NOT_NULL else element.remark
        return Column(f"{element.type}[]", remark or nullable, element.is_guess)
    if name == DECIMAL_NAME:
        scale, precision = parameters.get("scale", "0"), parameters.get("connect.decimal.precision")
        if precision:
            return Column(f"numeric({precision},{scale})", nullable)
        return Column("money", f"a decimal of scale {scale} without precision", True)
    if name == "io.debezium.data.Bits":
        length = parameters.get("length")
        return Column(f"bit({length})" if length else "varbit", "or varbit", True)
    if name in NAMED:
        return Column(NAMED[name], nullable)
    if name is None and kind in PLAIN:
        return Column(PLAIN[kind], nullable)
    plain = PLAIN.get(kind, "text")
    return Column(plain, f"{name or kind} has no type here", True)


def _wider(left: dict, right: dict) -> bool:
    """Whether both are whole numbers and the left one is the wider."""
    types = [PLAIN.get(each.get("type")) for each in (left, right)]
    if left.get("name") or right.get("name") or not all(kind in WIDER for kind in types):
        return False
    return WIDER.index(types[0]) > WIDER.index(types[1])


def _kind(literal: Any) -> str:
    """The kind of a literal, as far as a type can be guessed from it."""
    if literal is None:
        return "null"
    if isinstance(literal, bool):
        return "boolean"
    if isinstance(literal, int):
        return "bigint"
    if isinstance(literal, float):
        return "double precision"
    if isinstance(literal, _Long):
        return "long"
    if isinstance(literal, list):
        kinds = {_kind(each) for each in literal} - {"null"}
        simple = {"boolean", "bigint", "double precision"}
        if not kinds:
            return "null"
        if len(kinds) == 1 and kinds <= simple:
            return f"{kinds.pop()}[]"
        if all(isinstance(each, str | None) for each in literal):
            return "text[]"
        return "array"
    if isinstance(literal, dict):
        return "numeric" if literal.keys() == {"scale", "value"} else "object"
    if literal == PLACEHOLDER:
        return "unsent"
    if literal in ("NaN", "Infinity", "-Infinity"):
        return "not finite"
    if literal in ("NAN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY"):
        return "looks like numeric"
    if literal in ("infinity", "-infinity"):
        return "looks like timestamptz"
    if TIMESTAMPTZ.fullmatch(literal):
        return "looks like timestamptz"
    return "looks like numeric" if DECIMAL.fullmatch(literal) else "text"


def _guessed(kinds: Counter) -> Column:
    """A column from the kinds of its literals."""
    seen = {kind for kind in kinds if kind not in ("null", "unsent")}
    looks = {"looks like timestamptz", "looks like numeric"}
    if not seen:
        return Column("text", "no value in the sample", True)
    if seen == {"bigint"}:
        return Column("bigint", "a date or time is a number too", True)
    if "double precision" in seen and seen <= {"double precision", "bigint", "not finite"}:
        return Column("double precision", "", True)
    if len(seen) == 1 and seen <= {
        "boolean",
        "bigint[]",
        "boolean[]",
        "double precision[]",
        "text[]",
    }:
        return Column(seen.pop(), "", True)
    if seen == {"bigint[]", "double precision[]"}:
        return Column("double precision[]", "", True)
    if seen == {"numeric"}:
        return Column("numeric", "{scale, value}", True)
    if len(seen) == 1 and seen <= looks:
        return Column("text", f"{seen.pop()}", True)
    if "long" in seen:
        return Column("text", "a number longer than bigint", True)
    return Column("text", "", True)


def _word(text: str) -> str:
    """A name for dbt: small letters, digits and _."""
    return re.sub(r"\W+", "_", text.lower(), flags=re.ASCII).strip("_") or "source"


def _literal(text: str) -> str:
    """A text dbt takes as it is: it renders the values of a YAML."""
    return f"{{% raw %}}{text}{{% endraw %}}" if JINJA.search(text) else text


def _map_at(entry: CommentedMap, *path: str) -> CommentedMap:
    for name in path:
        if entry.get(name) is None:
            # Before `tables`, so that a source's own contract is read first.
            position = list(entry).index("tables") if "tables" in entry else len(entry)
            entry.insert(position, name, CommentedMap())
        entry = entry[name]
    return entry


def _flow(values: dict) -> CommentedMap:
    flow = CommentedMap(values)
    flow.fa.set_flow_style()
    return flow


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 160
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml
