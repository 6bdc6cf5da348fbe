"""Counts in messages."""

from afterimage.counted import counted


def test_the_noun_goes_with_the_number():
    assert [counted(number, "record") for number in (0, 1, 2447)] == [
        "0 records",
        "1 record",
        "2,447 records",
    ]
    assert counted(1, "guess", "guesses") == "1 guess"
    assert counted(62, "guess", "guesses") == "62 guesses"
