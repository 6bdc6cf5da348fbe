"""One Debezium record → one event whose values are the database's own text. The specifics of MySQL
and MariaDB are in `mysql`.

A value is a str as `column::text` prints it, None for NULL, or UNKNOWN if the record does not carry
it: an unchanged value that was not sent, or a column missing from the image.
"""

import base64
import json
import re
import uuid
from dataclasses import dataclass
from decimal import Decimal

from tests.oracle import lsn, mysql, nanoseconds, oracle_db, pgtext, structured
from tests.oracle.keys import key_object
from tests.oracle.records import Record
from tests.oracle.spec import SourceType, Spec, Table


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()
# For a complete row without the column: earlier knowledge of it no longer counts.
ABSENT = _Unknown()

OPS = ("c", "u", "d", "r", "t")

# For other systems: the position of a change in the log, and its transaction.
POSITIONS = {
    "mysql": mysql.position,
    "mariadb": mysql.position,
    "sqlserver": lsn.sqlserver_position,
    "oracle": oracle_db.position,
    "db2": lsn.db2_position,
}
TRANSACTIONS = {
    "mysql": mysql.transaction_of,
    "mariadb": mysql.transaction_of,
    "sqlserver": lsn.transaction_of,
    "oracle": oracle_db.transaction_of,
    "db2": lsn.transaction_of,
}

DATE_INFINITY = {-622191234: "infinity", -2147472692: "infinity"}  # snapshot, stream
DATE_INFINITY |= {-625821272: "-infinity", -2147472691: "-infinity"}
DATE_INFINITY_TEXTS = {"+292278994": "infinity", "+292269055": "-infinity"}  # snapshot, as text
TIMESTAMP_INFINITY = {
    9223372036825200000: "infinity",
    -9223372036832400000: "-infinity",
}
NANOSECONDS_INFINITY = {2**63 - 1: "infinity", -(2**63): "-infinity"}


@dataclass(frozen=True)
class Event:
    """One row change (or truncate) of a declared table."""

    table: Table
    op: str
    lsn: int | tuple  # PostgreSQL: the lsn; others: see their `position`
    snapshot: bool
    tx: str | None
    total_order: int | None
    key: tuple | None  # key values of the row, None for truncate and keyless tables
    old_key: tuple | None  # header __debezium.oldkey (on the create of a key change)
    new_key: tuple | None  # header __debezium.newkey (on its delete)
    before: dict | None
    after: dict | None
    coordinate: tuple
    reading: str | None  # connector run, to distinguish two reads of one snapshot
    of_a_row: bool = True  # a delete and a create at its position are one row's key-change pair
    committed_after: int | None = None  # a commit read before the event's own transaction
    source_table: tuple | None = None  # server, schema or database, physical table
    key_before: tuple | None = None  # the row's key before an update, if sent
    stays: bool = False  # delete of a row that goes on, at this position, under another record key
    is_key_alone: bool = False  # the row before has only its key, although full images are declared


def decode(record: Record, spec: Spec) -> Event | None:
    """The event in a record; None if the record is not a row change of a declared table."""
    table = spec.by_topic(record.topic)
    if table is None or record.value is None:
        return None
    envelope = read_json(record.value)
    if not isinstance(envelope, dict) or envelope.get("op") not in OPS:
        return None
    source = envelope["source"]
    transaction = envelope.get("transaction") or {}
    place = POSITIONS.get(spec.connector, _position)(source, transaction)
    before = decode_image(envelope.get("before"), table, spec.settings, place)
    after = decode_image(envelope.get("after"), table, spec.settings, place)
    if after is not None:
        for column in set(table.columns) - set(table.key):
            names = {column, *table.former_names.get(column, ())}
            if not names & envelope["after"].keys():
                after[column] = ABSENT
    if envelope["op"] == "u" and before and after and spec.connector == "postgresql" and table.full:
        # unchanged, so the row before has it
        known = {c: v for c, v in before.items() if v is not None and v is not UNKNOWN}
        after |= {c: known[c] for c, v in after.items() if v is UNKNOWN and c in known}
    is_key_alone = spec.connector in ("mysql", "mariadb") and _is_key_alone(before, table)
    if is_key_alone:  # binlog_row_image=MINIMAL: the row after is what was set
        before, after = only_what_is_set(before), after and only_what_is_set(after)
    key_before = _key_before(table, before, record, spec) if envelope["op"] == "u" else None
    key = _row_key(table, before, after, record, spec.settings)
    is_told_whole = spec.connector == "postgresql" and key_before is not None and key_before == key
    new_key = _header_key(record, "__debezium.newkey", table, spec.settings)
    if (envelope["op"] == "u" and not is_told_whole) or "__debezium.oldkey" in record.headers:
        for image in filter(None, (before, after)):
            for column in table.null_when_not_sent:
                image[column] = UNKNOWN if image[column] is None else image[column]
    row = before if after is None else after
    if key and row is not None:  # the record's key has what the row lacks of it
        row.update({c: v for c, v in zip(table.key, key, strict=True) if row[c] is UNKNOWN})
    return Event(
        table=table,
        op=envelope["op"],
        lsn=place,
        snapshot=str(source.get("snapshot") or "false").lower() != "false",
        tx=TRANSACTIONS.get(spec.connector, _transaction)(source, transaction),
        total_order=_whole(transaction.get("total_order", source.get("txSeq"))),
        key=key,
        old_key=_header_key(record, "__debezium.oldkey", table, spec.settings),
        new_key=new_key,
        before=before,
        after=after,
        coordinate=record.coordinate,
        of_a_row=spec.connector in ("postgresql", "db2"),
        reading=record.headers.get("__debezium.context.runId"),
        committed_after=UNCOMMITTED_AT[spec.connector](source)
        if spec.connector in UNCOMMITTED_AT
        else None,
        source_table=tuple(source.get(part) for part in ("name", "schema", "db", "table")),
        key_before=key_before,
        stays=envelope["op"] == "d" and new_key is None and "__debezium.newkey" in record.headers,
        is_key_alone=is_key_alone,
    )


def _is_key_alone(image: dict | None, table: Table) -> bool:
    """Whether an image has only the key; a row of only NULLs looks alike."""
    rest = set(table.columns) - set(table.key)
    return bool(image and table.key and rest) and all(image[c] in (None, UNKNOWN) for c in rest)


def only_what_is_set(image: dict) -> dict:
    """A row whose NULLs carry nothing."""
    return {column: UNKNOWN if value is None else value for column, value in image.items()}


def read_json(text: str):
    """Parsed JSON with exact numbers, without any schema block."""
    document = json.loads(text, parse_float=Decimal, parse_constant=str)
    if isinstance(document, dict) and set(document) == {"schema", "payload"}:
        return document["payload"]
    return document


def decode_image(image: dict | None, table: Table, settings: dict, place=None) -> dict | None:
    """A before or after image → {column: text | None | UNKNOWN} for every declared column."""
    if image is None:
        return None
    told = {}
    for column in table.columns:
        name = _field(column, image, table)
        told[column] = (
            UNKNOWN
            if name is None
            else decode_value(image[name], table.type_at(column, place), settings)
        )
    return told


def _field(column: str, image: dict, table: Table) -> str | None:
    """The name of a column in an image: its own, else the newest of its former names."""
    names = (column, *table.former_names.get(column, ()))
    return next((name for name in names if name in image), None)


def decode_value(literal, kind: SourceType, settings: dict):
    """One literal of the JSON document → the database's text, None or UNKNOWN."""
    if kind.lob and not settings["lob_enabled"]:
        return UNKNOWN
    if literal is None:
        return None
    if is_unavailable(literal, kind, settings):
        return UNKNOWN
    if kind.array:
        return pgtext.print_array([_decode_element(item, kind, settings) for item in literal])
    return DECODERS.get(kind.name, _same_text)(literal, kind, settings)


def _decode_element(item, kind: SourceType, settings: dict):
    if isinstance(item, list):
        return [_decode_element(inner, kind, settings) for inner in item]
    return (
        None if item is None else DECODERS.get(kind.name, _same_text)(item, kind.element, settings)
    )


def is_unavailable(literal, kind: SourceType, settings: dict) -> bool:
    """Whether it is the placeholder of an unchanged value that was not sent, in its type's form."""
    mark = settings["unavailable_value_placeholder"]
    octets = mark.encode()
    if mark.startswith("hex:"):  # as the connectors of PostgreSQL and MySQL read it
        octets = bytes.fromhex(mark[4:])
        mark = octets.decode(errors="replace")
    in_base64 = base64.b64encode(octets).decode()
    in_uuid = str(uuid.UUID(bytes=_name_uuid(octets)))
    if kind.array:
        numbers = [byte - 256 if byte > 127 else byte for byte in octets]  # bytes of Java
        return literal in ([mark], [in_base64], [in_uuid], numbers)
    if kind.name == "bytea":
        return literal in (mark, in_base64, base64.urlsafe_b64encode(octets).decode(), octets.hex())
    if kind.name == "hstore":
        as_text = json.dumps({mark: mark}, separators=(",", ":"), ensure_ascii=False)
        return literal in ({mark: mark}, as_text, mark)
    return literal == mark


def _name_uuid(octets: bytes) -> bytes:
    """Java's UUID.nameUUIDFromBytes."""
    from hashlib import md5

    digest = bytearray(md5(octets).digest())
    digest[6] = digest[6] & 0x0F | 0x30
    digest[8] = digest[8] & 0x3F | 0x80
    return bytes(digest)


# --- position and key --------------------------------------------------------------------------


def _position(source: dict, transaction: dict) -> int:
    """`lsn`, or, if an incremental snapshot sends none, the stream's position then. A row of the
    first snapshot with neither comes before all changes."""
    if source.get("lsn") is not None:
        return int(source["lsn"])
    if not source.get("sequence") and source.get("snapshot") == "true":
        return 0
    committed, current = json.loads(source["sequence"])
    return int(current or committed)


def _transaction(source: dict, transaction: dict) -> str | None:
    """The part of `txid:lsn` before the colon."""
    return str(transaction["id"]).split(":")[0] if "id" in transaction else _text(source, "txId")


def _last_commit(source: dict) -> int | None:
    """First element of `sequence`: the last commit read before this transaction's."""
    commit = json.loads(source.get("sequence") or "[null]")[0]
    return None if commit is None else int(commit)


UNCOMMITTED_AT = {"postgresql": _last_commit, "oracle": oracle_db.uncommitted_at}


def _whole(value) -> int | None:
    return None if value is None else int(value)


def _text(source: dict, field: str) -> str | None:
    return None if source.get(field) is None else str(source[field])


def _row_key(table: Table, before, after, record: Record, settings: dict) -> tuple | None:
    """Read from the row; from the record's key only if no image has it."""
    if not table.key:
        return None
    for image in (after, before):
        if image is not None and all(image[column] is not UNKNOWN for column in table.key):
            return tuple(image[column] for column in table.key)
    return _key_struct(record.key, table, settings) if record.key else None


def _key_before(table: Table, before, record: Record, spec: Spec) -> tuple | None:
    """The key in an update's before image. An image that is not declared complete may have invented
    values outside the replica identity. It counts if the record's key is not the row's, because the
    connector sends such a key change as two records, and if the record's key is the row's and
    agrees with it."""
    if (
        not table.key
        or before is None
        or not all(before[c] not in (None, UNKNOWN) for c in table.key)
    ):
        return None
    key = tuple(before[column] for column in table.key)
    if table.full:
        return key
    of_record = _key_struct(record.key, table, spec.settings) if record.key else None
    return key if of_record in (None, key) else None


def _header_key(record: Record, header: str, table: Table, settings: dict) -> tuple | None:
    text = record.headers.get(header)
    return _key_struct(text, table, settings) if text and table.key else None


def _key_struct(text: str, table: Table, settings: dict) -> tuple | None:
    """The table's key in a record's key or header; None if `message.key.columns` keyed it by other
    columns."""
    image = decode_image(key_object(text, table), table, settings)
    key = tuple(image[column] for column in table.key)
    return None if UNKNOWN in key else key


# --- one decoder per family of types -----------------------------------------------------------


def _same_text(literal, kind, settings) -> str:
    return str(literal)


def _bool(literal, kind, settings) -> str:
    return "true" if literal else "false"


def _float4(literal, kind, settings) -> str:
    return pgtext.print_float(pgtext.nearest_float(literal, 4), 4)


def _float8(literal, kind, settings) -> str:
    return pgtext.print_float(pgtext.nearest_float(literal, 8), 8)


NOT_NUMBERS = {"NAN": "NaN", "POSITIVE_INFINITY": "Infinity", "NEGATIVE_INFINITY": "-Infinity"}
NOT_NUMBERS |= {word: word for word in ("NaN", "Infinity", "-Infinity")}


def _numeric(literal, kind, settings) -> str:
    if isinstance(literal, dict):  # VariableScaleDecimal
        return f"{_unscaled(literal['value'], literal['scale']):f}"
    if literal in NOT_NUMBERS:
        return NOT_NUMBERS[literal]
    if settings["decimal_handling_mode"] == "precise" and isinstance(literal, str):
        return f"{_unscaled(literal, kind.args[1] if len(kind.args) > 1 else 0):f}"
    return f"{Decimal(str(literal)):f}"


def _unscaled(base64_text: str, scale: int) -> Decimal:
    """Big-endian two's complement; built from digits, so no context precision rounds it."""
    whole = int.from_bytes(base64.b64decode(base64_text), "big", signed=True)
    digits = tuple(int(digit) for digit in str(abs(whole)))
    return Decimal((int(whole < 0), digits, -scale))


def _money(literal, kind, settings) -> str:
    mode = settings["decimal_handling_mode"]
    is_base64 = mode == "precise" and settings["decimal_format"] == "BASE64"
    value = _unscaled(literal, 2) if is_base64 else Decimal(str(literal))
    return pgtext.print_money(value)


def _char(literal, kind, settings) -> str:
    return literal.rstrip(" ")


def _bytea(literal, kind, settings) -> str:
    mode = settings["binary_handling_mode"]
    if mode == "hex":
        octets = bytes.fromhex(literal)
    elif mode == "base64-url-safe":
        octets = base64.urlsafe_b64decode(literal)
    else:
        octets = base64.b64decode(literal)
    return "\\x" + mysql.whole_binary(octets, kind).hex()


def _bit(literal, kind, settings) -> str:
    """bit(1) is a boolean; longer ones are little-endian bytes."""
    if isinstance(literal, bool):
        return "1" if literal else "0"
    number = int.from_bytes(base64.b64decode(literal), "little")
    return f"{number:0{kind.args[0] if kind.args else 1}b}"


def _varbit(literal, kind, settings) -> str:
    """The bits from the highest one on: the record has no leading zeros. A single bit is a
    boolean."""
    if isinstance(literal, bool):
        return "1" if literal else "0"
    number = int.from_bytes(base64.b64decode(literal), "little")
    return f"{number:b}" if number else ""


def _date(literal, kind, settings) -> str:
    if isinstance(literal, dict):
        return structured.infinity(literal) or structured.date(literal, kind.zero_dates)
    if isinstance(literal, str) and literal[:10] in DATE_INFINITY_TEXTS:
        return DATE_INFINITY_TEXTS[literal[:10]]
    if isinstance(literal, str):
        year, month, day = re.fullmatch(r"([+-]?\d+)-(\d\d)-(\d\d)Z", literal).groups()
        literal = pgtext.days_from_civil(int(year), int(month), int(day))
    return DATE_INFINITY.get(literal) or pgtext.print_date(literal)


def _micros(literal: int, kind: SourceType, settings: dict) -> int:
    """A time or timestamp literal in microseconds, by its declared precision and the mode."""
    mode = settings["time_precision_mode"]
    coarse = (kind.args[0] if kind.args else 6) <= 3
    if mode == "adaptive":
        return literal * 1000 if coarse else literal
    if mode == "adaptive_time_microseconds":
        return literal * 1000 if coarse and kind.name == "timestamp" else literal
    if mode == "connect":
        return literal * 1000
    if mode == "microseconds":
        return literal
    if mode == "nanoseconds":
        return literal // 1000
    raise ValueError(f"time_precision_mode {mode!r} is not known to the oracle")


def _time(literal, kind, settings) -> str:
    if isinstance(literal, dict):
        return pgtext.print_time(structured.micros(literal))
    if settings["time_precision_mode"] == "isostring":
        return pgtext.print_time(pgtext.read_time(literal.removesuffix("Z")))
    return pgtext.print_time(_micros(literal, kind, settings))


def _timetz(literal, kind, settings) -> str:
    if isinstance(literal, dict):
        return structured.timetz(literal)
    return pgtext.print_time(pgtext.read_timetz(literal)) + "+00"


def _timestamp(literal, kind, settings) -> str:
    if isinstance(literal, dict):
        return structured.infinity(literal) or structured.timestamp(literal)
    if settings["time_precision_mode"] == "nanoseconds" and literal in NANOSECONDS_INFINITY:
        return NANOSECONDS_INFINITY[literal]
    is_text = settings["time_precision_mode"] == "isostring"
    micros = pgtext.read_timestamp(literal) if is_text else _micros(literal, kind, settings)
    if micros in TIMESTAMP_INFINITY:
        return TIMESTAMP_INFINITY[micros]
    # the greatest long, to which the fraction of the second was added
    is_beyond = micros < -(2**63) + 1_000_000
    return "after 294247-01-10 04:00:54" if is_beyond else pgtext.print_timestamp(micros)


def _timestamptz(literal, kind, settings) -> str:
    if isinstance(literal, dict):
        return structured.infinity(literal) or structured.timestamptz(literal)
    if literal in pgtext.INFINITIES:
        return literal
    if literal.startswith("+292269055-"):  # of an array
        return "-infinity"
    return nanoseconds.print_instant(literal)


def _interval(literal, kind, settings) -> str:
    if isinstance(literal, dict):
        return pgtext.print_interval(structured.interval(literal))
    micros = pgtext.read_iso_interval(literal) if isinstance(literal, str) else literal
    return pgtext.print_interval(micros)


def _hstore(literal, kind, settings) -> str:
    pairs = literal if isinstance(literal, dict) else json.loads(literal)
    return pgtext.print_hstore(pairs)


def _point(literal, kind, settings) -> str:
    return f"({_float8(literal['x'], kind, settings)},{_float8(literal['y'], kind, settings)})"


DECODERS = (
    {
        "bool": _bool,
        "float4": _float4,
        "float8": _float8,
        "numeric": _numeric,
        "numeric as double": _float8,
        "money": _money,
        "money as double": _money,
        "char": _char,
        "bytea": _bytea,
        "bit": _bit,
        "varbit": _varbit,
        "date": _date,
        "time": _time,
        "timetz": _timetz,
        "timestamp": _timestamp,
        "timestamptz": _timestamptz,
        "interval": _interval,
        "hstore": _hstore,
        "point": _point,
    }
    | mysql.DECODERS
    | nanoseconds.DECODERS
    | oracle_db.DECODERS
)
