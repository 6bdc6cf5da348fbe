"""`as_of`: the rows of a history at a position or an instant."""

from datetime import UTC, datetime

import pytest

from tests.functional.project import DbtFailed
from tests.functional.small_stream import keyed

INSTANT = "timestamp '2023-11-14 22:13:20'"  # 1700000000, where the stream's ts_ms start


@pytest.fixture
def project(make_project):
    made = make_project(
        "asked",
        source="src",
        tables={
            "keyed": {"topic": "t.p.keyed", "key": ["id"], "columns": {"id": "int", "note": "text"}}
        },
    )
    made.land(
        [
            keyed(0, 100, "c", (1, "a")),
            keyed(1, 110, "c", (2, "b")),
            keyed(2, 200, "u", (1, "B")),
            keyed(3, 300, "d", before=(2, None)),
        ]
    )
    return made


def ask(project, name: str, arguments: str) -> None:
    text = "{{ afterimage.as_of(ref('hist_src__keyed'), " + arguments + ") }}\n"
    (project.folder / "models" / f"{name}.sql").write_text(text, encoding="utf-8")


# What the database held after everything up to a position in its log.
ROWS_AT = {
    99: [],
    100: [(1, "a")],
    110: [(1, "a"), (2, "b")],
    199: [(1, "a"), (2, "b")],
    200: [(1, "B"), (2, "b")],
    299: [(1, "B"), (2, "b")],
    300: [(1, "B")],
}


def test_the_rows_of_a_position_and_of_its_instant(project):
    for place in ROWS_AT:
        ask(project, f"at_position_{place}", f"position='{place:020d}'")
        shift = f"{INSTANT} + interval {place} milliseconds"
        ask(project, f"at_instant_{place}", f'at="{shift}"')
    project.run("run")
    for place, rows in ROWS_AT.items():
        for kind in ("position", "instant"):
            found = project.rows(f"at_{kind}_{place}")
            assert sorted((row["id"], row["note"]) for row in found) == rows, (kind, place)
    opened = {row["note"]: row["valid_from"] for row in project.rows("at_position_110")}
    second = datetime.fromtimestamp(1700000000, UTC).replace(tzinfo=None)
    assert opened["a"].replace(tzinfo=None, microsecond=0) == second


@pytest.mark.parametrize("arguments", ["", "position='1', at='now()'"], ids=["neither", "both"])
def test_one_of_the_two_must_be_said(project, arguments):
    ask(project, "asked", arguments)
    with pytest.raises(DbtFailed, match="as_of: give exactly one of position"):
        project.run("run", "--select", "asked")
