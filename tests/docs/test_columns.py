"""docs/reference/columns.md is the output of the macros, and every column is described."""

from afterimage import columns
from afterimage.macros import Macros


def test_the_page_is_fresh():
    again = "make it again: python -m afterimage.columns"
    assert columns.PAGE.read_text(encoding="utf-8") == columns.columns_page(), again


def test_every_column_is_described():
    macros = Macros()
    added = {name for macro in columns.LAYERS.values() for name in getattr(macros, macro)()}
    assert added <= set(columns.meanings())


def test_no_words_are_longer_than_a_comment_of_a_column():
    """The table itself would cut off a longer one (see column_comment)."""
    assert {name for name, words in columns.meanings().items() if len(words) > 256} == set()
