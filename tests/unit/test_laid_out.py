"""Long lines of SQL are broken where white space is insignificant, and nowhere else."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from afterimage.macros import Macros

SQL = Macros()
QUOTED = re.compile(r"('(?:[^'\\]|\\.)*'|`[^`]*`|--[^\n]*|/\*.*?\*/)", re.S)

literals = st.text("ab'\\`-(),<> \n", max_size=40).map(
    lambda text: "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
)
names = st.sampled_from(["a", "b.c", "`or (`", "`it's`", "`a -- b`", "source.end", "case_id"])


def wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Nested expressions."""
    shapes = st.sampled_from(
        [
            "f({}, {}, {})",
            "({} and {} and {})",
            "{} between {} and {}",
            "case when {} then {} else {} end",
            "case {} when 'x' then {} when {} then 1 end",
            "{} or {} = {}",
            "sum({}) over (partition by {} order by c, {} rows current row)",
            "(select a, {}, {} from t where {})",
        ]
    )
    return st.builds(str.format, shapes, inner, inner, inner)


plain = st.sampled_from(["null", "1", "cast(a as array<struct<a: int, b: map<string, int>>>)"])
expressions = st.recursive(names | literals | plain, wider, max_leaves=30)
lines = st.tuples(
    expressions, st.sampled_from(["", ",", " as x,", " -- it's 'so", " /* or, that's */"])
).map("    {0[0]}{0[1]}".format)


def words(sql: str) -> list[str]:
    """The tokens of a parser: literals, quoted names and comments unchanged, the rest without white
    space."""
    parts = QUOTED.split(sql)
    return [part if n % 2 else re.sub(r"\s+", "", part) for n, part in enumerate(parts)]


@settings(max_examples=400, deadline=None)
@given(st.lists(lines, min_size=1, max_size=4).map("\n".join))
def test_only_white_space_changes(sql):
    assert words(SQL.laid_out(sql)) == words(sql)


def test_words_stay_apart():
    sql = "select " + " or ".join(f"a{n} and not b{n}" for n in range(20))
    laid_out = SQL.laid_out(sql)
    assert " ".join(laid_out.split()) == sql
    assert max(map(len, laid_out.splitlines())) <= 120


def test_each_part_has_its_line():
    columns = [f"a_column_with_a_long_name_{n}" for n in range(9)]
    sql = f"    coalesce({', '.join(columns)}) as found,"
    expected = ["    coalesce(", *(f"        {name}," for name in columns), "    ) as found,"]
    expected[-2] = expected[-2].rstrip(",")
    assert SQL.laid_out(sql).splitlines() == expected
