"""Scripts of statements as steps; no server here."""

from pathlib import Path

import pytest

# The modules imported next need it; it comes with the `live` extra.
pytest.importorskip("psycopg")

from tests.live.capture import source_sql
from tests.live.mysql import MysqlError, as_text, find_mysqld
from tests.live.script import read_script, title_of
from tests.live.workload import Step

SCRIPT = """\
-- What it is
-- for.

-- a remark; it ends nothing;
create table shop.a (
  id int);
insert into shop.a values ('-- no comment; and no end'),
-- mark 7
  (2);
-- the snapshot happens here
-- mark 1
insert into shop.mark values (1);
delete from shop.a;
"""


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "script.sql"
    file.write_text(text)
    return file


def test_statements_marks_and_the_snapshot(tmp_path: Path) -> None:
    file = written(tmp_path, SCRIPT)
    assert title_of(file) == "What it is\nfor."
    assert read_script(file) == [
        Step("sql", "create table shop.a (\n  id int)"),
        Step("sql", "insert into shop.a values ('-- no comment; and no end'),\n-- mark 7\n  (2)"),
        Step("snapshot"),
        Step("mark", "insert into shop.mark values (1)", mark=1),
        Step("sql", "delete from shop.a"),
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("-- mark 1\ninsert into shop.mark values (1);\n", "the snapshot happens here"),
        ("-- the snapshot happens here\nselect 1;\n", "marks"),
        ("-- the snapshot happens here\n-- mark 1\nselect 1\n", "no ; at the end of 'select 1'"),
    ],
)
def test_what_is_no_script_is_told(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_script(written(tmp_path, text))


@pytest.mark.parametrize(
    "script", sorted((Path(__file__).parent / "scripts").glob("*.sql")), ids=lambda s: s.stem
)
def test_the_shipped_scripts_read(script: Path) -> None:
    steps = read_script(script)
    marks = [step.mark for step in steps if step.mark]
    assert marks == list(range(1, len(marks) + 1))
    assert steps[-1].mark == marks[-1], "the engine stops at the last mark"
    assert "mark values (0" in source_sql(steps), "a row for the end of the snapshot"
    assert len(title_of(script)) > 40


@pytest.mark.parametrize(
    ("data_type", "sql"),
    [
        ("bit", "cast(`c` + 0 as char)"),
        ("varbinary", "concat('0x', lower(hex(`c`)))"),
        ("mediumblob", "concat('0x', lower(hex(`c`)))"),
        ("point", "st_astext(`c`, 'axis-order=long-lat')"),
        ("vector", "vector_to_string(`c`)"),
        ("float", "cast(cast(`c` as double) as char)"),
        ("datetime", "cast(`c` as char)"),
    ],
)
def test_mysql_values_as_text(data_type: str, sql: str) -> None:
    assert as_text("`c`", data_type) == sql


def test_a_folder_without_mysqld_is_told(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("AFTERIMAGE_MYSQL", str(tmp_path))
    with pytest.raises(MysqlError, match="holds no usr/sbin/mysqld"):
        find_mysqld()
