"""The specifics of MySQL and MariaDB: positions in the binary log, and values as the servers print
them. Names of types are those of `spec.MYSQL_ALIASES`."""

import base64
import struct

from tests.oracle import pgtext, structured


def position(source: dict, transaction: dict) -> tuple[int, int, int]:
    """(number of the file, position, row). The row is ignored if the transaction counts its
    changes: in a compressed transaction it restarts with each statement."""
    if source.get("file") is None and source.get("snapshot") == "true":
        return 0, 0, 0
    row = 0 if transaction.get("total_order") is not None else int(source.get("row") or 0)
    return int(source["file"].rpartition(".")[2]), int(source["pos"]), row


def transaction_of(source: dict, transaction: dict) -> str | None:
    return transaction.get("id") or source.get("gtid")


def print_duration(micros: int) -> str:
    """-3020399000000 → `-838:59:59`."""
    return ("-" if micros < 0 else "") + pgtext.print_time(abs(micros))


def read_duration(text: str) -> int:
    """`-838:59:59.000001` → microseconds."""
    micros = pgtext.read_time(text.removeprefix("-"))
    return -micros if text.startswith("-") else micros


GEOMETRIES = {
    2: "LINESTRING",
    3: "POLYGON",
    4: "MULTIPOINT",
    5: "MULTILINESTRING",
    6: "MULTIPOLYGON",
    7: "GEOMETRYCOLLECTION",
}


def print_wkb(octets: bytes) -> str:
    """Well-known binary as text: `POINT(1.5 -2)`, `POLYGON((0 0,1 0,1 1,0 0))`."""
    name, body, end = _read_wkb(octets, 0)
    if end != len(octets):
        raise ValueError(f"{len(octets) - end} bytes behind the geometry")
    return name + body


def _read_wkb(octets: bytes, at: int) -> tuple[str, str, int]:
    """(name, the content of its brackets, where the next one begins)."""
    order = "<" if octets[at] else ">"
    (kind,) = struct.unpack_from(order + "I", octets, at + 1)
    at += 5
    if kind == 1:
        body, at = _read_points(octets, at, order, 1)
        return "POINT", body, at
    name = GEOMETRIES[kind]
    (count,) = struct.unpack_from(order + "I", octets, at)
    at += 4
    if kind == 2:
        body, at = _read_points(octets, at, order, count)
        return name, body, at
    parts = []
    for _ in range(count):
        if kind == 3:
            (corners,) = struct.unpack_from(order + "I", octets, at)
            body, at = _read_points(octets, at + 4, order, corners)
        else:
            inner, body, at = _read_wkb(octets, at)
            body = inner + body if kind == 7 else body
        parts.append(body)
    return name, f"({','.join(parts)})", at


def _read_points(octets: bytes, at: int, order: str, count: int) -> tuple[str, int]:
    numbers = struct.unpack_from(f"{order}{2 * count}d", octets, at)
    texts = [pgtext.print_float(number, 8) for number in numbers]
    points = [f"{x} {y}" for x, y in zip(texts[::2], texts[1::2], strict=True)]
    return f"({','.join(points)})", at + 16 * count


# --- one decoder per type: literal of the JSON document → the server's text ---------------------


def _tinyint(literal, kind, settings) -> str:
    return str(int(literal))


def _unsigned(literal, kind, settings) -> str:
    """As `long`, the upper half of bigint unsigned comes as negative numbers. In a header it is a
    number in either mode."""
    if isinstance(literal, str):
        return str(int.from_bytes(base64.b64decode(literal), "big", signed=True))
    return str(literal if literal >= 0 else literal + 2**64)


def _bit(literal, kind, settings) -> str:
    if isinstance(literal, bool):
        return str(int(literal))
    return str(int.from_bytes(base64.b64decode(literal), "little"))


def _binary(literal, kind, settings) -> str:
    mode = settings["binary_handling_mode"]
    if mode == "hex":
        octets = bytes.fromhex(literal)
    elif mode == "base64-url-safe":
        octets = base64.urlsafe_b64decode(literal + "=" * (-len(literal) % 4))
    else:
        octets = base64.b64decode(literal)
    return "0x" + whole_binary(octets, kind).hex()


def whole_binary(octets: bytes, kind) -> bytes:
    """The bytes of a `binary(n)`, always n: a binary log strips trailing zeros."""
    name, _, size = kind.declared.lower().rstrip(")").partition("(")
    if name != "binary":
        return octets
    if len(octets) > int(size or 1):
        raise ValueError(f"{len(octets)} bytes in a {kind.declared}")
    return octets.ljust(int(size or 1), b"\0")


def _enum(literal, kind, settings) -> str:
    return literal.replace("\\,", ",")


def _duration(literal, kind, settings) -> str:
    mode = settings["time_precision_mode"]
    if isinstance(literal, dict):
        return print_duration(structured.duration(literal))
    if mode == "isostring":
        return pgtext.print_time(pgtext.read_time(literal.removesuffix("Z")))
    if mode == "nanoseconds":
        return print_duration(literal // 1000)
    return print_duration(literal * (1000 if mode == "connect" else 1))


def _datetime(literal, kind, settings) -> str:
    mode = settings["time_precision_mode"]
    if isinstance(literal, dict):
        return structured.timestamp(literal, zero_dates=True)
    if mode == "isostring":
        return pgtext.print_timestamp(pgtext.read_timestamp(literal))
    if mode in ("nanoseconds", "microseconds"):
        return pgtext.print_timestamp(literal // (1000 if mode == "nanoseconds" else 1))
    coarse = (kind.args or (0,))[0] <= 3 or mode == "connect"
    return pgtext.print_timestamp(literal * 1000 if coarse else literal)


def _geometry(literal, kind, settings) -> str:
    return print_wkb(base64.b64decode(literal["wkb"]))


DECODERS = {
    "mysql tinyint": _tinyint,
    "mysql unsigned": _unsigned,
    "mysql bit": _bit,
    "mysql binary": _binary,
    "mysql enum": _enum,
    "mysql time": _duration,
    "mysql datetime": _datetime,
    "mysql geometry": _geometry,
}
