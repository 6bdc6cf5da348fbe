"""Connector settings that a sample proves: from the type names of all columns, taken together.

Several values may fit, as a date looks the same under most. Then the value in the contract stays,
explicit or default, if it fits; else the first that fits is used. The contract's default
`adaptive` reads what MySQL's own default, `adaptive_time_microseconds`, writes.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from afterimage.scaffold import known
from afterimage.scaffold.declared import is_unsigned
from afterimage.scaffold.semantic import DECIMAL, FREE_DECIMAL, meaning_of
from afterimage.scaffold.source_type import OF_CATALOG, seconds_digits, source_type, told

FEW = 5  # columns that a message names
# Where the contract's order is not by likelihood: what can be hexadecimal digits is.
LIKELIEST = {"binary_handling_mode": ("bytes", "hex", "base64", "base64-url-safe")}


@dataclass
class Proof:
    """The values that fit, by setting, the most likely first; and remarks to print."""

    fits: dict[str, list] = field(default_factory=dict)
    guesses: dict[str, str] = field(default_factory=dict)  # by setting: the columns it is from
    said: list[str] = field(default_factory=list)

    def chosen(self, there: dict[str, Any]) -> dict[str, Any]:
        """The settings to write in addition to existing ones."""
        return {
            name: values[0] for name, values in self.fits.items() if there.get(name) not in values
        }

    def settings(self) -> dict[str, Any]:
        """One value for each proven setting."""
        return {
            name: known.DEFAULTS[name] if known.DEFAULTS[name] in values else values[0]
            for name, values in self.fits.items()
        }


@dataclass
class Evidence:
    """A column of the sample: its field in the schema block, and the forms of its literals."""

    name: str
    field: dict
    kinds: set[str]
    texts: set[str]  # possible forms of its texts: hex, base64, base64-url-safe


def proven(connector: str, columns: Iterable[Evidence], has_truncates: bool) -> Proof:
    """The settings that a connector's columns prove."""
    proof = Proof()
    votes: dict[str, dict[str, tuple]] = {}
    wholes: list[str] = []  # 20 digits: a decimal or a bigint unsigned
    guesses: set[str] = set()
    for column in columns:
        for setting, values in _votes(connector, column):
            if "type" not in column.field:
                guesses.add(setting)
            votes.setdefault(setting, {}).setdefault(column.name, tuple(values))
        if connector != "postgresql" and is_unsigned(column.field) and not told(column.field):
            wholes.append(column.name)
    # No other decimal is sent by its digits: then these are not decimals.
    if wholes and "precise" not in {
        value for values in votes.get("decimal_handling_mode", {}).values() for value in values
    }:
        votes.setdefault("bigint_unsigned_handling_mode", {})[wholes[0]] = ("precise",)
    for setting, by_column in votes.items():
        _count(proof, setting, by_column, setting in guesses)
    if has_truncates:
        proof.fits["skipped_operations"] = [[]]
    return proof


def _count(proof: Proof, setting: str, by_column: dict[str, tuple], is_guess: bool) -> None:
    every = sorted({each for vote in by_column.values() for each in vote})
    order = LIKELIEST.get(setting) or known.ALLOWED[setting] or every
    fits = [value for value in order if all(value in vote for vote in by_column.values())]
    if fits:
        proof.fits[setting] = fits
        is_guess = is_guess or setting == "binary_handling_mode"
        if is_guess and fits[0] != known.DEFAULTS[setting]:
            proof.guesses[setting] = _few([*by_column])
        return
    sides: dict[tuple, list[str]] = {}
    for name, vote in by_column.items():
        sides.setdefault(vote, []).append(name)
    shown = "; ".join(
        f"{_few(names)}: {' or '.join(map(str, vote))}" for vote, names in sides.items()
    )
    proof.said.append(
        f"check settings: {setting} is not the same for all columns, so it is left out "
        f"({shown}); was it changed, or are these several connectors?"
    )


def _few(names: list[str]) -> str:
    """The first few: a connector may have thousands of columns."""
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more


def _votes(connector: str, column: Evidence):
    field = column.field
    if field.get("type") == "array" and not field.get("name"):
        inner = field.get("items") or {}
        parameters = (field.get("parameters") or {}) | (inner.get("parameters") or {})
        of_catalog = (
            {OF_CATALOG: field[OF_CATALOG].removesuffix("[]")} if OF_CATALOG in field else {}
        )
        field = inner | {"parameters": parameters} | of_catalog
    name = field.get("name")
    kind = (source_type(field, connector) or "").removesuffix("[]")
    parsed = known.parsed(kind, connector) if kind else None
    family = known.family(parsed["name"], connector) if parsed else ""
    meaning = meaning_of(name, connector)
    if meaning and meaning.modes:
        digits = seconds_digits(field, connector) if kind else None
        is_coarse = meaning.fine and digits is not None and digits <= 3
        yield "time_precision_mode", meaning.fine if is_coarse else meaning.modes
    if meaning and meaning.interval:
        yield "interval_handling_mode", (meaning.interval,)
    is_unsigned_type = bool(parsed and parsed["is_unsigned"] and parsed["name"] == "bigint")
    if is_unsigned_type and name in (None, DECIMAL):
        yield "bigint_unsigned_handling_mode", ("precise" if name == DECIMAL else "long",)
    elif name == FREE_DECIMAL or (
        name == DECIMAL and (kind or connector == "postgresql" or not is_unsigned(field))
    ):
        yield "decimal_handling_mode", ("precise",)
    elif family == "numeric" and name is None and field.get("type") == "string":
        yield "decimal_handling_mode", ("string",)
    elif family == "numeric" and name is None and field.get("type") in ("double", "float64"):
        yield "decimal_handling_mode", ("double",)
    elif family == "numeric" and "type" not in field and column.kinds - {"null", "unsent"}:
        yield from _decimals_of_literals(column.kinds - {"null", "unsent"})
    parameters = field.get("parameters") or {}
    is_money = name == DECIMAL and (
        (parsed and parsed["name"] == "money")
        or (
            not kind and connector == "postgresql" and "connect.decimal.precision" not in parameters
        )
    )
    if is_money:
        scale = str(parameters.get("scale") or 0)
        if scale.isdecimal():
            yield "money_fraction_digits", (int(scale),)
    if name == DECIMAL and column.kinds & {"bigint", "double precision", "long"}:
        yield "decimal_format", ("NUMERIC",)
    if name is None and field.get("type") == "bytes":
        yield "binary_handling_mode", ("bytes",)
    elif family == "binary" and field.get("type") == "string" and column.texts:
        yield "binary_handling_mode", tuple(column.texts)


def _decimals_of_literals(kinds: set[str]):
    """How decimals are sent, if only a catalog says that the column is one, no schema block."""
    if kinds <= {"looks like numeric", "not finite"}:
        yield "decimal_handling_mode", ("string",)
    elif "double precision" in kinds and kinds <= {"double precision", "bigint", "not finite"}:
        yield "decimal_handling_mode", ("double",)
    elif kinds <= {"text", "numeric"}:
        yield "decimal_handling_mode", ("precise",)
