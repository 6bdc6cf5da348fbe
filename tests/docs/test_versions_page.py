"""docs/reference/versions.md: each documented difference between versions has a row that a test
covers, or concerns records that no model reads yet.

The differences are read from the notes on the documentation, which are stored with the captures.
"""

import re

import pytest

from tests.docs.markdown import ROOT, links, tables
from tests.truth.captures import shared_folder

PAGE = ROOT / "docs/reference/versions.md"
[ROWS] = [table.rows for table in tables(PAGE.read_text(encoding="utf-8"))]
# as in the notes → as on the page
CALLED = {
    "transaction id": "transaction",
    "NUMBER of scale 0": "NUMBER without digits behind the point",
    "DATE under `connect`": "DATE",
    "headers": "__debezium.context.*",
    "signal filter": "additional-condition",
    "signal types, watermark rows": "watermark rows",
    "schema-change key": "key of a schema change",
    "outbox sample source": "last_snapshot_record",
    "SYS/SYSTEM changes": "SYS and SYSTEM",
    "Db2 1.7.2": "names of topics",
}
# rows of the notes on records that no model reads, as at the end of the page
NO_ROW = {
    "snapshot modes": "modes of a snapshot",
}


def test_no_cell_is_empty():
    assert len(ROWS) > 10
    assert not [row for row in ROWS if not all(row.values())]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["field"])
def test_a_row_is_held_by_a_test(row):
    held = links(row["held by"])
    assert held
    for link in held:
        path = (PAGE.parent / link.partition("#")[0]).resolve()
        assert path.is_file()
        assert "tests" in path.relative_to(ROOT).parts or path.name == "types.md"


@pytest.mark.shared
def test_each_difference_of_the_documents_is_there():
    [notes] = tables((shared_folder("spec") / "versions.md").read_text(encoding="utf-8"))
    assert len(notes.rows) > 15, "another form?"
    fields = " | ".join(row["field"] for row in ROWS)
    end = PAGE.read_text(encoding="utf-8").rpartition("Not here")[2]
    for row in notes.rows:
        thing = row["thing"]
        if thing in NO_ROW:
            assert NO_ROW[thing] in end
            continue
        names = [CALLED[thing]] if thing in CALLED else re.findall(r"[\w.]{4,}|ssn", thing)
        names = [name for name in names if name not in ("envelope", "source", "optional")]
        assert names and not [name for name in names if name not in fields], thing
