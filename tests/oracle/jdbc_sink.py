"""What Debezium's JDBC sink would have written: one record after the other, in delivery order, into
one table of a database with the source's types.

By its documentation, and by a real one's results (3.6, upsert, deletes on, keys of the record,
basic evolution, with a PostgreSQL). `Setup.version` "2.3" is that of the documentation.

    sink = Sink(spec.tables["shop.orders"], spec)
    for record in records:
        sink.deliver(record)        # Stopped: the task is dead, and all later records are pending
    sink.rows                       # as `compare_table` takes them
"""

import json
from dataclasses import dataclass, field, replace
from decimal import Decimal

from tests.oracle.postgres import UNKNOWN, decode, read_json
from tests.oracle.records import Record
from tests.oracle.spec import Spec, Table

COORDINATE = ("__connect_topic", "__connect_partition", "__connect_offset")
RESERVED = {"order"}  # those of PostgreSQL's that a capture has as a column
# Kafka Connect's JSON converter reads them as 0, in a field of a schema block.
ENDLESS = ("NaN", "Infinity", "-Infinity", "-0")
DECIMAL = "org.apache.kafka.connect.data.Decimal"
DAY = {"io.debezium.time.Time": 86_400_000, "io.debezium.time.MicroTime": 86_400_000_000}
# Without a schema block, the name that a field's block would have.
UNTOLD = {"mysql time": "io.debezium.time.MicroTime"}
# The range of PostgreSQL's timestamp, in microseconds.
TIMESTAMPS = range(-210_866_803_200_000_000, 9_224_318_016_000_000_000)


class Stopped(Exception):  # noqa: N818
    """The sink's task failed at a record, which comes again after a restart and fails again."""


@dataclass(frozen=True)
class Setup:
    """The sink's options; the defaults are those of the setup in its guide."""

    insert_mode: str = "upsert"
    primary_key_mode: str = "record_key"
    primary_key_fields: tuple[str, ...] = ()
    delete_enabled: bool = True
    truncate_enabled: bool = False
    schema_evolution: str = "basic"
    version: str = "3.6"
    quote_identifiers: bool = False
    left_out: tuple[str, ...] = ()  # column.exclude.list of the source's connector

    def __post_init__(self):
        if self.delete_enabled and self.primary_key_mode != "record_key":
            raise ValueError("delete.enabled needs primary.key.mode=record_key")


@dataclass
class Sink:
    """One table of the target."""

    table: Table
    spec: Spec
    setup: Setup = field(default_factory=Setup)
    columns: list[str] = field(default_factory=list)
    made_as: dict[str, str] = field(default_factory=dict)  # column → type of its first field
    defaults: dict[str, str | None] = field(default_factory=dict)  # of the columns made
    written: dict[tuple | int, dict] = field(default_factory=dict)

    def __post_init__(self):
        if self.setup.schema_evolution == "none":  # the table was created by hand
            self.columns = list(self.table.columns)

    @property
    def rows(self) -> list[dict]:
        return list(self.written.values())

    def deliver(self, record: Record) -> None:
        """Writes a record of the table's topic, or nothing."""
        if record.value is None:
            # 3.6 ignores it; 2.3 takes it for a delete, which the record before it was
            if self.setup.version == "2.3" and record.key:
                self._delete(record)
            return
        envelope = read_json(record.value)
        op, event = envelope["op"], decode(record, self.spec)
        if op == "t":
            self._truncate()
        elif op == "d":
            self._delete(record)
        else:
            self._write(record, self._values(envelope["after"], event.after, _fields(record)))

    # --- statements --------------------------------------------------------------------------

    def _truncate(self) -> None:
        if self.setup.version == "2.3":
            raise Stopped("a truncate has no row after it")
        if self.setup.truncate_enabled:
            self.written.clear()

    def _delete(self, record: Record) -> None:
        if self.setup.delete_enabled:
            self.written.pop(self._key_of(record, {}), None)

    def _write(self, record: Record, values: dict) -> None:
        key = self._key_of(record, values)
        if self.setup.primary_key_mode == "kafka":
            values = dict(zip(COORDINATE, key, strict=True)) | values
        self._evolve(values, _fields(record))
        if self.setup.insert_mode == "update":
            if key in self.written:
                self.written[key] |= values
            return
        if self.setup.insert_mode == "insert" and key in self.written:
            raise Stopped("duplicate key")
        if self.setup.insert_mode == "upsert" and key == ():
            raise Stopped("no key fields")
        new = dict.fromkeys(self.columns) | self.defaults
        self.written[key or len(self.written)] = self.written.get(key, new) | values

    def _evolve(self, values: dict, fields: dict) -> None:
        """Columns that the event has and the table lacks; existing rows get the default."""
        missing = [column for column in values if column not in self.columns]
        if missing and self.setup.schema_evolution == "none":
            raise Stopped(f"schema.evolution is none, and the table lacks {missing}")
        if not self.setup.quote_identifiers and RESERVED & set(missing):
            raise Stopped(f"{RESERVED & set(missing)} is no column name without quotes")
        for column in missing:
            self.columns.append(column)
            self.made_as[column] = fields[column]["type"] if column in fields else None
            self.defaults[column] = self._defaults(fields).get(column)
            for row in self.written.values():
                row[column] = self.defaults[column]

    # --- keys and values ---------------------------------------------------------------------

    def _key_of(self, record: Record, values: dict) -> tuple:
        mode, chosen = self.setup.primary_key_mode, self.setup.primary_key_fields
        if mode == "none":
            return ()
        if mode == "kafka":
            return record.coordinate
        if mode == "record_value":
            return tuple(values[column] for column in chosen)
        if record.key is None:
            raise Stopped("the record has no key")
        key = read_json(record.key)
        key = key.get("payload", key)
        return tuple(str(value) for name, value in key.items() if not chosen or name in chosen)

    def _values(self, literals: dict, texts: dict, fields: dict) -> dict:
        """The values bound to the statement: every field of the event."""
        return {
            column: self._bound(column, literal, texts.get(column, literal), fields)
            for column, literal in literals.items()
            if column not in self.setup.left_out
        }

    def _bound(self, column: str, literal, text, fields: dict):
        if fields.get(column, {}).get("name") == "io.debezium.data.geometry.Point":
            raise Stopped(f"{column}: the target has no PostGIS")
        if literal is None:
            return None
        if text is UNKNOWN:  # a placeholder of the connector, which is written like any other text
            return literal
        kind = self.table.columns.get(column)
        name = fields[column].get("name") if fields else UNTOLD.get(kind and kind.name)
        if name in DAY and not 0 <= literal < DAY[name]:
            raise Stopped(f"{column}: {literal} is no time of a day")
        made_as = self.made_as.get(column) or (kind and kind.declared)
        if made_as in ("int", "int32") and literal not in range(-(2**31), 2**31):
            raise Stopped(f"{column}: {literal} is no integer of the column that was made")
        if name == "io.debezium.data.VariableScaleDecimal":
            return Decimal(repr(float(Decimal(text))))
        if name == "io.debezium.data.Bits" and kind and kind.name == "varbit":
            return text.zfill(int(fields[column]["parameters"]["length"]))
        if kind and kind.name == "numeric" and name == DECIMAL and _too_large(text, fields[column]):
            raise Stopped(f"{column}: {text} has more digits than the column that was made")
        items = fields.get(column, {}).get("items", {})
        if literal and items.get("name") in (DECIMAL, "io.debezium.time.Date"):
            raise Stopped(f"{column}: an array of {items['name']}")
        if text in ENDLESS and fields.get(column, {}).get("type") in ("float", "double"):
            return "0"
        if name == "io.debezium.time.MicroTimestamp" and text == "-infinity":
            return text
        if name == "io.debezium.time.MicroTimestamp" and literal not in TIMESTAMPS:
            raise Stopped(f"{column}: {literal} is no timestamp of the database")
        if name == "io.debezium.time.MicroTimestamp" and text == "infinity":
            return "294247-01-10 04:00:25.2"  # as a number of microseconds
        if kind and kind.name == "mysql unsigned" and literal < 0:
            return literal  # sent as a long
        return text

    def _defaults(self, fields: dict) -> dict:
        """Those in the schema block, for simple types."""
        return {
            name: str(told["default"]).lower()
            if told["type"] == "boolean"
            else str(told["default"])
            for name, told in fields.items()
            if told["type"] in ("string", "boolean", "int16", "int32", "int64")
            and "default" in told
            and "name" not in told
        }


def deliver_all(sink: Sink, records: list[Record]) -> Record | None:
    """Delivers the records of the sink's topics until one stops it; returns that one, or None."""
    for record in records:
        if record.topic not in sink.table.topics:
            continue
        try:
            sink.deliver(record)
        except Stopped:
            return record
    return None


def setup_of(options: dict[str, str]) -> Setup:
    """Options by the sink's names."""
    words = {"true": True, "false": False}
    named = {name.replace(".", "_"): words.get(value, value) for name, value in options.items()}
    for name in named.keys() & {"primary_key_fields", "left_out"}:
        named[name] = tuple(named[name].split(","))
    return replace(Setup(), **named)


def _too_large(text: str, described: dict) -> bool:
    """Whether a decimal has more digits before its point than a column of at most 38 digits."""
    parameters = described["parameters"]
    precision = min(int(parameters.get("connect.decimal.precision", 38)), 38)
    digits = Decimal(text).adjusted() + 1 if Decimal(text).is_finite() else 0
    return digits > precision - int(parameters["scale"])


def _fields(record: Record) -> dict[str, dict]:
    """Column → its field in the schema block of the row after; empty without a block."""
    schema = json.loads(record.value).get("schema")
    after = [f for f in (schema or {}).get("fields", []) if f["field"] == "after"]
    return {told["field"]: told for told in after[0]["fields"]} if after else {}
