"""The settings in the specification, from the tables and lines of its documents that list them.
Read from $AFTERIMAGE_SHARED/spec, like captures."""

import re
from itertools import product
from pathlib import Path

from afterimage.settings import CONNECTORS

DOCUMENTS = (
    "event-shape-settings.md",
    *(f"connector-{name}.md" for name in CONNECTORS),
    "landing-formats.md",
)
# A name without the beginning that it shares with the one before.
SHORT = {
    "add.headers(.prefix)": "add.headers[.prefix]",
    "add.fields(.prefix)": "add.fields[.prefix]",
    "cursor.pipeline(.order)": "cursor.pipeline[.order]",
    ".action.query": "heartbeat.action.query",
    ".comments": "include.schema.comments",
    ".allow.schema.changes": "incremental.snapshot.allow.schema.changes",
    ".databases.ddl": "schema.history.internal.store.only.captured.databases.ddl",
    "exclude.list": "column.exclude.list",
    "mask.with.N.chars": "column.mask.with.N.chars",
    "mask.hash[.v2].alg.with.salt.s": "column.mask.hash[.v2].alg.with.salt.s",
    "column.mask.hash[.v2]": "column.mask.hash[.v2].alg.with.salt.s",
}
CHOSEN = {"<length>": "N", "<n>": "N", "<alg>": "ALG", "alg": "ALG"}
CHOSEN |= {"<salt>": "SALT", "S": "SALT", "s": "SALT"}


def settings(folder: Path) -> dict[str, set[str]]:
    """Scope → names; a scope is `connector`, `converter` or a class. `*` ends a name that stands
    for several. Settings that only other connectors have are left out."""
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    shape, *connectors, forms = texts.values()
    others: set[str] = set()
    found: dict[str, set[str]] = {"connector": set()}

    matrix, effects = _part(shape, "## 1. "), _part(shape, "## 2. ")
    head = next(_rows(matrix))
    ours = [head.index(system) for system in CONNECTORS.values()]
    for cells in _rows(matrix):
        absent = all(cells[place] == "-" for place in ours)
        (others if absent else found["connector"]).update(_names(cells[0], {"Property"}))
    for text in (effects, *(_part(connector, "## 9. ") for connector in connectors)):
        for cells in _rows(text):
            if not cells[0].startswith("topic routing"):  # repeated where it belongs
                found["connector"] |= _names(cells[0])
    found["connector"] -= others
    found["converter"] = _names(_line(shape, "Converter-level"))
    found["CloudEventsConverter"] = _names(_line(_part(forms, "### 3.4 "), "Options ["))
    avro = _names(_line(_part(forms, "### 3.3 "), "| Converter |"))
    avro = {name for name in avro if not name.startswith("io.")}  # classes
    found["converter"] |= avro - found["connector"]
    tables = {"3.5": "ExtractNewRecordState", "3.7": "ExtractNewDocumentState"}
    for section, scope in (tables | {"3.10": "ByLogicalTableRouter"}).items():
        found[scope] = set().union(*map(_names, _first_cells(_part(forms, f"### {section} "))))
    for cells in _rows(_part(forms, "### 3.11 ")):
        if cells[0].startswith("`"):
            found[cells[0].strip("`")] = _names(cells[1]) - {"jsr223.*"}
    headers = _part(forms, "### 3.8 ")
    found["ExtractChangedRecordState"] = set(re.findall(r"header\.\w+\.name", headers))
    listed = _line(headers, "HeaderToValue:").partition("all mandatory")[0]
    found["HeaderToValue"] = _names(listed) - {"move", "copy"}
    listed = _line(_part(forms, "### 3.12 "), "`partition.payload.fields`").partition(";")[0]
    found["PartitionRouting"] = _names(re.sub(r"\(.*?\)", "", listed))
    return found


def said(folder: Path) -> set[str]:
    """All code text in the documents, as expanded names."""
    texts = ((folder / name).read_text(encoding="utf-8") for name in DOCUMENTS)
    return set().union(*map(_names, texts))


def _names(text: str, without: frozenset | set = frozenset()) -> set[str]:
    """The names in backticks, with each alternative in full."""
    found = set()
    for written in re.findall(r"`([^`\n]+)`", text):
        written = SHORT.get(written, written).partition("=")[0]
        if re.fullmatch(r"[\w.*<>/()|\[\]-]+", written) and written not in without:
            found |= _alternatives(written)
    return found


def _alternatives(written: str) -> set[str]:
    """`a/b.c[.d].<n>` → a.c.N, b.c.N, a.c.d.N, b.c.d.N"""
    optional = re.split(r"\[(.*?)\]", written)
    texts = {"".join(optional[::2]), "".join(optional)}
    found = set()
    for text in texts:
        parts = [part.strip("()") for part in re.split(r"\.(?![^(]*\))", text)]
        choices = [[CHOSEN.get(c, c) for c in re.split(r"[/|]", part)] for part in parts]
        found |= {".".join(chosen) for chosen in product(*choices)}
    return found


def _part(text: str, heading: str) -> str:
    """The text under a heading, up to the next of its level or above."""
    level = heading.split(" ")[0]
    _, there, rest = text.partition(f"\n{heading}")
    assert there, f"no heading {heading!r} any more"
    return re.split(rf"(?m)^#{{2,{len(level)}}} ", rest)[0]


def _line(text: str, begin: str) -> str:
    [line] = [line for line in text.splitlines() if line.startswith(begin)]
    return line


def _rows(text: str):
    """The rows of a text's tables, without separator lines. A bar within backticks does not end a
    cell."""
    for line in text.splitlines():
        if line.startswith("|") and not re.fullmatch(r"[|\-: ]+", line):
            cells = re.findall(r"(?:`[^`]*`|[^|`])+", line.strip().strip("|"))
            yield [cell.strip() for cell in cells]


def _first_cells(text: str):
    """The first cells of the tables whose first column is Option."""
    for block in re.findall(r"(?m)(?:^\|.*\n)+", text):
        rows = list(_rows(block))
        if rows[0][0].startswith("Option"):
            yield from (cells[0] for cells in rows[1:])
