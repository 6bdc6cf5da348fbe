"""Literals through the decoders alone: the SQL for a contract's column, applied to a JSON document.

    read(spark, [Cell("postgresql", "date", 19782)])     one Read for each, by one query

What surrounds a decoder (envelopes, columns missing from a delete) is not tested here; `value` is
the text of the column's value.
"""

import json
from dataclasses import dataclass, field

from afterimage.macros import Macros

MACROS = Macros()
DEFAULTS = {name: setting["default"] for name, setting in MACROS.contract_settings().items()}


@dataclass(frozen=True)
class Cell:
    """A literal of a column: a Python value, or JSON text as it is in the record."""

    connector: str
    kind: str
    literal: object
    settings: dict = field(default_factory=dict)

    @property
    def json(self) -> str:
        return self.literal.text if isinstance(self.literal, Raw) else json.dumps(self.literal)


@dataclass(frozen=True)
class Raw:
    """JSON text that Python would write differently: 1.10, 1E-8."""

    text: str


@dataclass(frozen=True)
class Read:
    """value: its text, None for NULL; special; unknown; refused: by the decoder, or because the
    JSON value is of another kind."""

    value: str | None = None
    special: str | None = None
    unknown: bool = False
    refused: bool = False


def decoder_of(cell: Cell) -> dict | None:
    """The templates of the cell's column; None if the contract knows no such type."""
    settings = DEFAULTS | cell.settings
    contract = {
        "connector": cell.connector,
        "settings": settings,
        "replica_identity": "default",
        "key_within": "table",
    }
    return MACROS.decoder(cell.kind, contract)


def read(spark, cells: list[Cell]) -> list[Read]:
    """The result of reading each literal, under ANSI, where an overflow would end the run."""
    selects = [_select(number, cell) for number, cell in enumerate(cells)]
    (before,) = spark.sql("set spark.sql.ansi.enabled").collect()
    spark.sql("set spark.sql.ansi.enabled = true")
    try:
        found = {row[0]: row for row in spark.sql("\nunion all\n".join(selects)).collect()}
    finally:
        spark.sql(f"set spark.sql.ansi.enabled = {before[1]}")
    return [_read(*found[number][1:]) for number in range(len(cells))]


def _read(value, special, unknown, refused, corrupt, plain) -> Read:
    # what the routine statement accepts must be all of it
    read = (value, special, refused, corrupt)
    assert unknown or plain is None or read == (plain, None, False, None), f"plain: {plain}, {read}"
    # the order of judged_records: a column that is not sent is not validated
    if unknown:
        return Read(unknown=True)
    if refused or corrupt is not None:
        return Read(refused=True)
    return Read(value, special)


def _select(number: int, cell: Cell) -> str:
    decoder = decoder_of(cell)
    assert decoder, f"{cell.connector} has no type {cell.kind}"

    def part(name: str, otherwise: str) -> str:
        return MACROS.fill(decoder.get(name) or otherwise, "image.v")

    # the condition for a plain value is derived from `special`, unless `plain` is shorter
    plain = "null"
    if decoder.get("special") and not decoder.get("plain") and "[" not in cell.kind:
        plain = text_of(MACROS.fill(MACROS.plain_value(decoder), "image.v"), decoder["type"])
    literal = MACROS.literal
    document = f"from_json({literal(json_of(cell))}, " + literal(
        f"v {decoder['literal']}, corrupt string"
    )
    parsed = f"{document}, map('columnNameOfCorruptRecord', 'corrupt', "
    parsed += "'allowNonNumericNumbers', 'true'))"
    return f"""select {number} as n, {text_of(part("value", "null"), decoder["type"])} as value,
        cast({part("special", "null")} as string) as special,
        coalesce({part("unknown", "false")}, false) as unknown,
        coalesce({part("refuse", "false")}, false) as refused, image.corrupt as corrupt, {plain}
    from (select image from (select 1) lateral view explode(array({parsed})) as image)"""


def json_of(cell: Cell) -> str:
    return '{"v":' + cell.json + "}"


def text_of(value: str, kind: str) -> str:
    """SQL of a value's text: instants as wall clock in UTC, binary in hexadecimal."""
    if kind == "binary":
        return f"hex({value})"
    if "<" in kind:
        return f"to_json({MACROS.zoneless(value, kind)})"
    return f"cast({value} as string)"
