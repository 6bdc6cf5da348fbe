"""docs/reference/types.md is generated from the cells, and misses nothing that the connectors'
documentation lists.

The documentation is read from notes on it, one Markdown page per connector, stored with the
captures: their tables of types give each type's literals under each setting.
"""

import re

import pytest

from tests.docs.markdown import Table, sections, tables
from tests.truth.captures import shared_folder
from tests.types import cells as matrix
from tests.types.cells import CONNECTORS, DOCUMENTS, TITLES
from tests.types.page import PAGE, page

NOTES = {f: f"connector-{f}.md" for f in CONNECTORS + DOCUMENTS if f != "mariadb"}
# first column of the tables that list types
OF_TYPES = {"PostgreSQL", "MySQL type", "Type", "SQL Server", "Oracle", "Db2 type", "BSON"}
# tables of the forms of one type: the text above them → (type, setting)
OF_MODES = {
    "BYTEA, by `binary.handling.mode`": ("bytea", "binary_handling_mode"),
    "`decimal.handling.mode`": ("decimal", "decimal_handling_mode"),
}

here = pytest.mark.shared


def test_the_page_is_fresh():
    again = "make it again: python -m tests.types.page"
    assert PAGE.read_text(encoding="utf-8") == page(), again


def test_no_cell_of_the_page_is_empty():
    empty = [row for table in tables(page()) for row in table.rows if not all(row.values())]
    assert not empty


def test_every_value_of_the_cells_is_on_the_page():
    """As many rows as cells: this detects a table that is cut short."""
    rows = [
        row for table in tables(page()) if "in the event" in table.columns for row in table.rows
    ]
    assert len(rows) == sum(len(matrix.own_cells(connector)) for connector in TITLES)


@here
@pytest.mark.parametrize("connector", NOTES)
def test_the_page_has_each_row_of_the_documentation(connector, compared):
    shown = _shown(connector)
    absent = {entry["row"] for entry in matrix.declared(connector)["absent"]}
    rows = _rows_of_types(connector)
    assert len(rows) > 10, f"only {len(rows)} rows of types found in the notes: another form?"
    missing = []
    for text, modes in rows:
        if text in absent:
            continue
        for name in names_in(text):
            known = shown.get(name)
            if known is None:
                missing.append(f"{text}: no {name}")
                continue
            missing += [f"{text}: no {name} under {m}" for m in modes if not _is_in(m, known)]
    compared["rows of the documentation's tables of types, found on the page"] += len(rows)
    assert not missing, "\n".join(missing)


@here
@pytest.mark.parametrize("connector", NOTES)
def test_what_is_said_to_be_absent_is_a_row_and_no_type(connector):
    rows = {text for text, _ in _rows_of_types(connector)}
    for entry in matrix.declared(connector)["absent"]:
        assert entry["row"] in rows, f"the documentation has no row {entry['row']!r}"
        named = set(names_in(entry["row"])) & _shown(connector).keys() - set(entry.get("but", []))
        assert not named, f"{entry['row']}: {named} are types of a contract now; they need cells"


@here
def test_the_special_values_are_there():
    """Infinities, and each form of the placeholder for a value that was not sent."""
    chapter = _chapter("postgresql", "4.8 Special values")
    values, placeholders = tables(chapter)[:2]
    rows = _rows_on_page("postgresql")
    for row in values.rows:
        name, *_ = row["Value"].lower().split()
        if "infinity" in row["Value"] or "∞" in row["Value"] or "±" in row["Value"]:
            found = {r["`_cdc_special`"] for r in rows if _base(r["type"]) == name}
            assert {"`infinity`", "`-infinity`"} <= found, row
    not_sent = {r["type"].strip("`") for r in rows if r["in Spark"] == "*not sent*"}
    bases = {re.sub(r"\([^)]*\)", "", type_) for type_ in not_sent}
    for row in placeholders.rows:
        told = row["Column type"].split(", mode")[0].split(", …")[0]
        for name in re.split(r"[ ,/]+", told):
            if name not in ("map", "json", "varchar", "xml"):  # written as text is
                assert name in bases, row


# --- the page ------------------------------------------------------------------------------------


def _rows_on_page(connector: str) -> list[dict]:
    part = sections(PAGE.read_text(encoding="utf-8"))[TITLES[connector]]
    found = [table for table in tables(part) if "in the event" in table.columns]
    return [row for table in found for row in table.rows]


def _base(type_: str) -> str:
    """`numeric(10,2)` → numeric, without sizes and brackets of an array."""
    return re.sub(r"\([^)]*\)|\[\]| unsigned| zerofill|`", "", type_)


def _shown(connector: str) -> dict[str, str]:
    """Name of a type on the page, also other names → the settings in its rows."""
    found: dict[str, str] = {}
    for row in _rows_on_page(connector):
        if "[]" not in row["type"] and row["in Spark"] != "*refused*":
            name = matrix.parsed(connector, row["type"].strip("`"))["name"]
            for known in (name, _base(row["type"])):
                found[known] = found.get(known, "") + row["setting"] + " "
    for name, aliases in matrix.other_names(connector).items():
        found |= {alias: found[name] for alias in aliases if name in found}
    return found


def _is_in(mode: str, settings: str) -> bool:
    return f"`{mode}`" in settings or "any" in settings.split()


# --- the notes -----------------------------------------------------------------------------------


def _chapter(connector: str, title: str) -> str:
    """A part of the chapter on types, by its heading of the third level."""
    text = (shared_folder("spec") / NOTES[connector]).read_text(encoding="utf-8")
    return re.split(r"(?m)^### +", text.split(f"### {title}", 1)[1])[0]


def _parts(connector: str) -> dict[str, str]:
    """Heading → text, of the chapter on types."""
    text = (shared_folder("spec") / NOTES[connector]).read_text(encoding="utf-8")
    found = {title: part for title, part in sections(text).items() if title.startswith("4. ")}
    (chapter,) = [found[title] for title in found if title.startswith(("4. Type", "4. Value"))]
    parts = re.split(r"(?m)^### +(.+)$", chapter)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _rows_of_types(connector: str) -> list[tuple[str, list[str]]]:
    """(the subject of a row, the settings for which its table has a column)."""
    found = []
    for title, text in _parts(connector).items():
        for told, named in OF_MODES.items():
            if re.sub(r"^[0-9.]+ ", "", title).startswith(told):
                modes = tables(text)[0].rows
                found += [(named[0], [row["Mode"].split(" ")[0]]) for row in modes]
        for table in tables(text):
            if table.columns[0] in OF_TYPES:
                modes = _modes(table)
                found += [(row[table.columns[0]], modes) for row in table.rows]
    # not types but values of them: test_the_special_values_are_there
    found = [row for row in found if row[0] not in ("NaN", "±Infinity (PG 14+)")]
    return [row for row in found if not row[0].startswith("… with ")]  # the row above under a mode


def _modes(table: Table) -> list[str]:
    """adaptive (default) → adaptive; a table of one mode has no such columns."""
    allowed = {str(v) for values in matrix.setting_values().values() for v in values}
    names = [column.split(" ")[0] for column in table.columns[1:]]
    return [name for name in names if name in allowed]


def names_in(text: str) -> list[str]:
    """`CHAR, VARCHAR, CHARACTER [VARYING]` → the names, in lower case, without sizes."""
    text = re.sub(r"\((PostGIS|deprecated)[^)]*\)", "", text)
    text = re.sub(r"\(.*?\)(?!\))|\[\(.*?\)\]", "", text.replace("*TEXT", "TEXT, LONGTEXT"))
    text = text.replace("*BLOB", "BLOB, LONGBLOB").replace(" without precision", "")
    text = text.replace("MULTI*", "MULTIPOINT, MULTILINESTRING, MULTIPOLYGON")
    text = text.replace("CHARACTER [VARYING]", "CHARACTER, CHARACTER VARYING")
    text = text.replace(" UNSIGNED", "")
    text = text.replace(" with S default 0", "").replace('/ "DATETIME"', "")
    text = text.replace(" / YEAR TO MONTH", ", INTERVAL YEAR TO MONTH")
    text = re.sub(r"TIME (p<=3|4-6)( / 7)?", "TIME", text)
    names = [name.strip().lower() for name in re.split(r",| / |/(?=NUMERIC)", text)]
    return list(dict.fromkeys(name for name in names if name))
