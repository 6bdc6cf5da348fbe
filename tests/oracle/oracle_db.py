"""The specifics of Oracle: system change numbers, and a NUMBER in any of its forms. Names of types
are those of `spec.ORACLE_ALIASES`."""

import base64
from decimal import Decimal

from tests.oracle import pgtext


def position(source: dict, transaction: dict) -> int:
    is_read = source.get("snapshot") == "true"
    return int(source.get("scn") or 0 if is_read else source["scn"])


def transaction_of(source: dict, transaction: dict) -> str | None:
    return source.get("txId") or transaction.get("id")


def uncommitted_at(source: dict) -> int | None:
    """An SCN at which the transaction had not committed: before its commit, or, with writers
    before 3, before an earlier one's."""
    commit = int(source.get("commit_scn") or 0)
    return commit - 1 if commit else None


def _number(literal, kind, settings) -> str:
    value = _exact(literal, kind, settings)
    if settings["decimal_handling_mode"] == "double" and (not kind.args or _scale(kind) > 0):
        return pgtext.print_float(float(value), 8)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _exact(literal, kind, settings) -> Decimal:
    if isinstance(literal, bool):
        return Decimal(int(literal))
    if isinstance(literal, dict):
        return _of_bytes(literal["value"], literal["scale"])
    if isinstance(literal, str) and settings["decimal_handling_mode"] == "precise":
        return _of_bytes(literal, _scale(kind))
    return Decimal(literal)


def _scale(kind) -> int:
    return kind.args[1] if len(kind.args) > 1 else 0


def _of_bytes(text: str, scale: int) -> Decimal:
    whole = int.from_bytes(base64.b64decode(text), "big", signed=True)
    return Decimal((int(whole < 0), tuple(map(int, str(abs(whole)))), -scale))


def _decfloat(literal, kind, settings) -> str:
    """Db2's, in any of its forms; non-finite values as a word."""
    if isinstance(literal, str) and not literal[-1:].isdigit():
        return WORDS.get(literal, literal)
    number = _of_bytes(literal["value"], literal["scale"]) if isinstance(literal, dict) else literal
    text = f"{Decimal(number):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _interval(literal, kind, settings) -> str:
    return literal if isinstance(literal, str) else str(int(literal))


# As Java prints them.
WORDS = {"NAN": "NaN", "POSITIVE_INFINITY": "Infinity", "NEGATIVE_INFINITY": "-Infinity"}
DECODERS = {"oracle number": _number, "oracle interval": _interval, "decfloat": _decfloat}
