"""What a connector wrote is what is read: random values of each type through `encode`, and back
through the macros on Spark. Literals of other types are refused, whatever they are."""

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.types.cells import Cell, default_settings
from tests.types.encode import KINDS, Kind
from tests.types.read import read

MANY = 20  # values of each kind; hypothesis begins with the simplest
DRAW = settings(
    max_examples=MANY,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def cell_of(kind: Kind, literal: str) -> tuple[Cell, dict]:
    cell = Cell(kind.connector, "", kind.type, {}, literal, None, None, False, False, "", "")
    return cell, default_settings() | kind.settings


def drawn(kind: Kind, number: int) -> list:
    """Values of a kind, collected because a query costs the same for one as for many."""
    values = []

    @seed(number)
    @DRAW
    @given(kind.values)
    def draw(value):
        values.append(value)

    draw()
    return values


@pytest.mark.parametrize("connector", ["postgresql", "mysql"])
@pytest.mark.parametrize("number", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))])
def test_what_was_written_is_read(spark, compared, connector, number):
    values = [
        (kind, value)
        for kind in KINDS
        if kind.connector == connector
        for value in drawn(kind, number)
    ]
    found = read(spark, connector, [cell_of(kind, kind.literal(v)) for kind, v in values])
    compared["random values encoded and decoded"] += len(values)
    wrong = [
        f"{kind}: {kind.literal(value)} is read as {got}, not {kind.text(value)!r}"
        for (kind, value), got in zip(values, found, strict=True)
        if (got.value, got.special, got.refused, got.not_sent)
        != (kind.text(value), None, False, False)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("connector", ["postgresql", "mysql"])
def test_what_is_none_of_the_type_is_refused(spark, compared, connector):
    tried = [
        (kind, literal) for kind in KINDS if kind.connector == connector for literal in kind.wrong
    ]
    found = read(spark, connector, [cell_of(kind, literal) for kind, literal in tried])
    compared["wrong literals refused"] += len(tried)
    taken = [
        f"{kind}: {literal} is read as {got}"
        for (kind, literal), got in zip(tried, found, strict=True)
        if not got.refused
    ]
    assert not taken, "\n".join(taken)
