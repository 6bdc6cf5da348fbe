"""The names that Debezium and Connect give types in a schema block, and what each proves.

Source: classes of `io.debezium.time` and `io.debezium.data`; `TemporalPrecisionMode`.
"""

from dataclasses import dataclass

from afterimage.scaffold.known import ALLOWED

DECIMAL = "org.apache.kafka.connect.data.Decimal"
FREE_DECIMAL = "io.debezium.data.VariableScaleDecimal"
BITS = "io.debezium.data.Bits"
OWNERS = ("io.debezium.", "org.apache.kafka.connect.")

TIME_MODES = tuple(ALLOWED["time_precision_mode"])
ADAPTIVE = ("adaptive", "adaptive_time_microseconds")
WHOLE_DAYS = (*ADAPTIVE, "microseconds", "nanoseconds")
PARTS = ("structured",)
NO_PARTS = tuple(mode for mode in TIME_MODES if mode != "structured")


@dataclass(frozen=True)
class Meaning:
    """What a name declares: the type (the first of `names` that a connector has, else of decoder
    `families`), its precision if known, and the settings it is written under."""

    names: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    digits: str = ""
    modes: tuple[str, ...] = ()  # of time.precision.mode
    interval: str = ""  # interval.handling.mode
    fine: tuple[str, ...] = ()  # modes for a column of at most three digits, where fewer
    remark: str = ""


def _of(*families: str, modes: tuple[str, ...] = (), **more) -> Meaning:
    return Meaning(families=families, modes=modes, **more)


def _named(*names: str, remark: str = "") -> Meaning:
    return Meaning(names=names, remark=remark)


_TIME = ("time", "duration")  # MySQL's time is a duration

MEANINGS = {
    "io.debezium.time.Date": _of("date", modes=WHOLE_DAYS),
    "io.debezium.time.Time": _of(*_TIME, digits="3", modes=("adaptive",)),
    "io.debezium.time.MicroTime": _of(
        *_TIME,
        modes=(*ADAPTIVE, "microseconds"),
        fine=("adaptive_time_microseconds", "microseconds"),
    ),
    "io.debezium.time.NanoTime": _of(*_TIME, modes=("nanoseconds",)),
    "io.debezium.time.Timestamp": _of("timestamp", digits="3", modes=ADAPTIVE),
    "io.debezium.time.MicroTimestamp": _of(
        "timestamp", modes=(*ADAPTIVE, "microseconds"), fine=("microseconds",)
    ),
    "io.debezium.time.NanoTimestamp": _of("timestamp", modes=("nanoseconds",)),
    "io.debezium.time.IsoDate": _of("date", modes=("isostring",)),
    "io.debezium.time.IsoTime": _of(*_TIME, modes=("isostring",)),
    "io.debezium.time.IsoTimestamp": _of("timestamp", modes=("isostring",)),
    "org.apache.kafka.connect.data.Date": _of("date", modes=("connect",)),
    "org.apache.kafka.connect.data.Time": _of(*_TIME, digits="3", modes=("connect",)),
    "org.apache.kafka.connect.data.Timestamp": _of("timestamp", digits="3", modes=("connect",)),
    "io.debezium.time.StructuredDate": _of("date", modes=PARTS),
    "io.debezium.time.StructuredTime": _of("time", modes=PARTS),
    "io.debezium.time.StructuredTimestamp": _of("timestamp", modes=PARTS),
    "io.debezium.time.StructuredZonedTime": _of("timetz", modes=PARTS),
    "io.debezium.time.StructuredZonedTimestamp": _of("timestamptz", modes=PARTS),
    "io.debezium.time.StructuredDuration": _of("interval", "duration", modes=PARTS),
    "io.debezium.time.ZonedTime": _of("timetz", modes=NO_PARTS),
    "io.debezium.time.ZonedTimestamp": _of("timestamptz", modes=NO_PARTS),
    "io.debezium.time.MicroDuration": _of("interval", modes=NO_PARTS, interval="numeric"),
    "io.debezium.time.Interval": _of("interval", modes=NO_PARTS, interval="string"),
    "io.debezium.time.Year": _named("year"),
    FREE_DECIMAL: _named("numeric"),
    "io.debezium.data.Uuid": _named("uuid"),
    "io.debezium.data.Json": _named("jsonb", "json"),
    "io.debezium.data.Xml": _named("xml"),
    "io.debezium.data.Enum": _named("enum"),
    "io.debezium.data.EnumSet": _named("set"),
    "io.debezium.data.Ltree": _named("ltree"),
    "io.debezium.data.Tsvector": _named("tsvector"),
    "io.debezium.data.DoubleVector": _named("vector"),
    "io.debezium.data.FloatVector": _named("halfvec", "vector"),
    "io.debezium.data.SparseDoubleVector": _named("sparsevec"),
    "io.debezium.data.SparseVector": _named("sparsevec"),
    "io.debezium.data.geometry.Point": _named("point"),
    "io.debezium.data.geometry.Geometry": _named("geometry"),
    "io.debezium.data.geometry.Geography": _named("geography"),
    "io.debezium.data.geometry.Circle": _named("circle"),
    "io.debezium.data.geometry.Line": _named("line"),
}


def _clocks(timestamp: str, digits: str, time: str = "") -> dict[str, Meaning]:
    """Where only the digits of a type show the unit: those that nanoseconds have."""
    units = {"": "3", "Micro": "6", "Nano": digits}
    found = {
        f"io.debezium.time.{unit}Timestamp": Meaning((timestamp,), digits=d, modes=("adaptive",))
        for unit, d in units.items()
    }
    if time:
        found |= {
            f"io.debezium.time.{unit}Time": Meaning((time,), digits=d, modes=("adaptive",))
            for unit, d in units.items()
        }
    return found


# Names whose meaning depends on the connector.
MEANINGS_OF = {
    "sqlserver": _clocks("datetime2", "7", "time"),
    "oracle": _clocks("timestamp", "9")
    | {"io.debezium.data.Xml": _named("xmltype")}
    | {"io.debezium.time.MicroDuration": _of("interval", interval="numeric")},
    "db2": _clocks("timestamp", "9"),
}


def meaning_of(name: str | None, connector: str) -> Meaning | None:
    """What a semantic name in a schema block declares about a column."""
    return MEANINGS_OF.get(connector, {}).get(name) or MEANINGS.get(name)


# Connect types without a name.
PLAIN = {
    "boolean": _named("boolean"),
    "int8": _named("smallint"),
    "int16": _named("smallint"),
    "int32": _named("int"),
    "int64": _named("bigint"),
    "float": _named("real", "float"),
    "float32": _named("real", "float"),
    "double": _named("double"),
    "float64": _named("double"),
    "string": _named("text"),
    "bytes": _named("bytea", "blob"),
    "map": _named("hstore"),
}
# Other types that share a name with the chosen type but are read differently.
OTHERS = {
    "postgresql": {
        "io.debezium.data.Json": "or json, hstore",
        "io.debezium.data.geometry.Geometry": "or box, lseg, path, polygon",
    },
}


def is_foreign(name: str | None) -> bool:
    """Whether a name comes from a third party, such as a custom converter."""
    return name is not None and not name.startswith(OWNERS)
