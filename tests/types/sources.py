"""Whether the source that a cell names contains it. Without Spark and without the macros."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import cache

from afterimage.readers import datastream
from tests.oracle.postgres import UNKNOWN, decode_image, decode_value
from tests.oracle.spec import Table, as_sent, parse_type
from tests.truth.captures import Capture, captures, shared_folder
from tests.truth.compare import canonical, canonical_key
from tests.truth.datastream import FIRST_LOCATION, VALUE_1, fixtures
from tests.truth.fixtures import full_types
from tests.types.cells import Cell, settings_that_matter

# No capture has these, so the oracle does not know them; nor money with other than two digits.
UNKNOWN_TO_THE_ORACLE = "geo|box|lseg|path|polygon|circle|line|vector|halfvec|sparsevec"

FIXTURE = "flink-cdc/debezium-data-schema-include.json"


def fault(cell: Cell) -> str | None:
    """The fault in a cell's source; None if there is none."""
    if cell.source == "rule":
        return None if cell.note else "a rule must be said in words: note"
    if cell.source.startswith("connector-"):
        return _of_documentation(cell)
    name, _, column = cell.source.rpartition(" ")
    if name == "debezium":
        return None  # a class of Debezium's source: not available here
    if name == "flink-cdc":
        return _of_fixture(cell, column)
    if name == "datastream":
        return _of_datastream(cell, column)
    return _of_capture(cell, *cell.source.split(" ", 1))


def _of_documentation(cell: Cell) -> str | None:
    """The line must name the type, or contain literal, value or special."""
    page, line = cell.source.split(":")
    text = documentation(page)[int(line) - 1].lower()
    words = re.split(r"\W+", cell.type)[0], cell.literal.strip('"'), cell.value, cell.special
    # lines on arrays abbreviate type names
    also = {
        "boolean": "bool",
        "double": "float",
        "smallint": "int2",
        "bigint": "int8",
        "int": "int4",
    }
    named = {word for word in (*words, also.get(words[0]), cell.note) if word}
    names_a_mode = any(str(v) in text for values in cell.settings.values() for v in values)
    if names_a_mode or any(word.lower() in text for word in named):
        return None
    return f"none of {sorted(named)} is in: {text}"


@cache
def documentation(page: str) -> list[str]:
    return (shared_folder("spec") / page).read_text(encoding="utf-8").split("\n")


def _of_fixture(cell: Cell, column: str) -> str | None:
    document = json.loads((shared_folder("fixtures") / FIXTURE).read_text(encoding="utf-8"))
    images = [
        document[name]["payload"]["after"] for name in ("expected_snapshot", "expected_binlog")
    ]
    if not any(image[column] == json.loads(cell.literal) for image in images):
        return f"the fixture has {[image[column] for image in images]}"
    return None if _equals(cell, full_types()[column]) else f"the row has {full_types()[column]}"


def _of_datastream(cell: Cell, column: str) -> str | None:
    """The column must hold the literal in the row whose end state EXPECTED.md shows, and the value
    there."""
    name, row = {
        "datastream_mysql": ("ddl_columns", VALUE_1),
        "datastream_oracle": ("oracle_locations", FIRST_LOCATION),
    }[cell.connector]
    fixture = next(fixture for fixture in fixtures() if fixture.name == name)
    with fixture.paths[-1].open("rb") as stream:
        first = next(datastream.read(stream))
    literal = json.loads(first.value, parse_float=AsWritten)["payload"][column]
    if _exact_of(literal) != _exact_of(json.loads(cell.literal, parse_float=AsWritten)):
        return f"the file has {literal!r}"
    value = dict(zip(fixture.columns, row, strict=True))[column]
    if isinstance(value, date):
        value = str(value.replace(tzinfo=None) if isinstance(value, datetime) else value)
    return None if as_python(cell) == value else f"the row has {value!r}"


def _of_capture(cell: Cell, name: str, where: str) -> str | None:
    """The column must hold the literal in an event of a row for which the database printed the
    value, under the same settings."""
    capture = captures()[name]
    name, column = where.rsplit(".", 1)
    table = capture.spec.tables[name]
    declared = table.columns[column].declared
    if _kind(cell, declared) != _kind(cell):
        return f"the column is {declared}"
    matter = settings_that_matter(cell.connector, cell.type).keys() & capture.spec.settings
    theirs = {name: capture.spec.settings[name] for name in matter}
    if not any(under.items() >= theirs.items() for under in cell.variants()):
        return f"its settings are {theirs}"
    literal = _exact_of(json.loads(cell.literal, parse_float=AsWritten))
    texts = _printed(capture, table, column, literal)
    if not texts:
        return "no event has the literal, of a row the database shows"
    return None if any(_equals(cell, text) for text in texts) else f"the database has {texts}"


def _kind(cell: Cell, declared: str | None = None):
    """The type with its sizes, as in the oracle."""
    return parse_type(declared or cell.type, {}, cell.connector)


class AsWritten(str):
    """A number with a point or exponent, as its text."""


def _exact_of(value) -> str:
    """A JSON value in one form, numbers as written."""
    if isinstance(value, AsWritten):
        return value
    if isinstance(value, list):
        return f"[{','.join(map(_exact_of, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{name}:{_exact_of(value[name])}' for name in sorted(value))}}}"
    return json.dumps(value)


def _plain(value):
    """The same with numbers as numbers."""
    if isinstance(value, AsWritten):
        return Decimal(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _printed(capture: Capture, table: Table, column: str, literal: str) -> set[str]:
    """What the database printed for a column of rows that have the literal in an event. A row has
    many events and many states: the oracle shows which of them belong together."""
    kind, found = table.columns[column], set()
    events = _events(capture, table.name)
    for row in _held(capture, table):
        text = row.get(column)
        for image in events[canonical_key(table, row)] if text is not None else ():
            if column in image and _exact_of(image[column]) == literal:
                sent = decode_value(_plain(image[column]), kind, capture.spec.settings)
                if canonical(kind, sent) == canonical(kind, text):
                    found.add(text)
    return found


@cache
def _events(capture: Capture, name: str) -> dict[tuple, list[dict]]:
    """Key → the after images of a table's events, their numbers as written."""
    table, found = capture.spec.tables[name], defaultdict(list)
    for record in capture.records:
        if record.topic not in table.topics or not record.value:
            continue
        event = json.loads(record.value, parse_float=AsWritten)
        image = event.get("payload", event).get("after")
        if image:
            key = {column: _plain(image[column]) for column in table.key}
            settings = capture.spec.settings
            found[canonical_key(table, decode_image(key, _key_alone(table), settings))].append(
                image
            )
    return found


def _key_alone(table: Table) -> Table:
    return replace(table, columns={column: table.columns[column] for column in table.key})


def _held(capture: Capture, table: Table) -> Iterator[dict]:
    """The rows of a table, at the end and at each mark."""
    for tables in [capture.final, *(mark.tables for mark in capture.marks.values())]:
        yield from tables.get(table.name, ())


def _equals(cell: Cell, text: str) -> bool:
    """Whether the cell's value is the one the database printed."""
    kind = as_sent(_kind(cell), cell.variants()[0])
    return canonical(kind, as_python(cell)) == canonical(kind, text)


def oracle_fault(cell: Cell) -> str | None:
    """The independent decoder's value for the literal, if it differs."""
    if "money_fraction_digits" in cell.settings or re.match(UNKNOWN_TO_THE_ORACLE, cell.type):
        return None
    for under in cell.variants():
        kind = as_sent(_kind(cell), under)
        try:
            text = decode_value(_numbers(cell.literal), kind, under)
        except (ValueError, TypeError, KeyError) as error:
            return f"the oracle cannot read it: {error!r}"
        if cell.not_sent or text is UNKNOWN:
            if not (cell.not_sent and text is UNKNOWN):
                return f"the oracle reads {text!r}"
        elif canonical(kind, as_python(cell)) != canonical(kind, text):
            return f"the oracle reads {text!r}"
    return None


def _numbers(literal: str):
    return json.loads(literal, parse_float=Decimal, parse_constant=str)


# --- the texts of the cells as PySpark values ---------------------------------------------------


def as_python(cell: Cell):
    """A cell's value, as a model's row would hold it."""
    if cell.special is not None:
        return json.loads(cell.special) if cell.special.startswith("[") else cell.special
    return _python(cell.value, cell.decoder(cell.variants()[0])["type"])


def _python(text: str, type_: str):
    if type_.startswith("array<"):
        items = _items(text[1:-1])
        return [
            None if item == "NULL" else _python(item, type_[6:-1] + " within") for item in items
        ]
    if type_.startswith("struct<"):
        fields = dict(item.split(": ") for item in _items(text[1:-1]))
        return {name: _scalar(value) for name, value in fields.items()}
    if type_ == "string within":
        return text[1:-1]
    type_ = type_.removesuffix(" within")
    if type_ == "boolean":
        return text == "true"
    if type_ in ("float", "double"):
        return float(text)
    if type_ in ("smallint", "int", "bigint"):
        return int(text)
    if type_.startswith("decimal"):
        return Decimal(text)
    if type_ == "binary":
        return _scalar(text)
    return text.removesuffix("Z") if type_ == "timestamp" else text


def _items(text: str) -> list[str]:
    """Splits at commas outside of quotes; a quote ends a text if a comma or nothing follows."""
    return [item for item, _ in re.findall(r'("(?:[^"]|"(?!, |$))*"|[^" ][^,]*)(, |$)', text)]


def _scalar(text: str):
    if text == "NULL":
        return None
    return bytes.fromhex(text[2:-1]) if text.startswith("X'") else float(text)
