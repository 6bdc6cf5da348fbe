"""A Hive metastore holds 256 characters of a column's comment."""

from types import SimpleNamespace

import pytest

from afterimage.macros import Macros


def comment(description: str | None) -> str:
    columns = {"id": {"description": description}}
    macros = Macros(
        model=SimpleNamespace(columns=columns),
    )
    return macros.column_comment("id")


@pytest.mark.parametrize(
    ("description", "shown"),
    [
        (None, ""),
        ("", ""),
        ("Who ordered.\nA customer's number.\n", "Who ordered. A customer\\'s number."),
        ("a" * 256, "a" * 256),
        ("a" * 257, "a" * 255 + "…"),
    ],
)
def test_it_is_as_long_as_a_metastore_holds(description, shown):
    assert comment(description) == (f" comment '{shown}'" if shown else "")


def test_a_column_the_yaml_does_not_know_has_none():
    assert Macros(model=SimpleNamespace(columns={})).column_comment("id") == ""
