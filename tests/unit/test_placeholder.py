"""unavailable.value.placeholder in the connector's own spelling of bytes."""

import pytest

from tests.functional.cells import MACROS

HEX = "hex:c3a9E280A6"


@pytest.mark.parametrize(
    ("connector", "placeholder"),
    [
        ("postgresql", "é…"),
        ("mysql", "é…"),
        # their configurations do not read it
        ("mariadb", HEX),
        ("sqlserver", HEX),
        ("oracle", HEX),
    ],
)
def test_who_reads_bytes(connector, placeholder):
    may_be_hex = MACROS.placeholder_may_be_hex({"connector": connector, "settings": {}})
    settings = MACROS.with_placeholder({"unavailable_value_placeholder": HEX}, may_be_hex)
    assert settings["unavailable_value_placeholder"] == placeholder
    assert bytes(MACROS.placeholder_bytes(settings)) == placeholder.encode()


def test_bytes_that_are_no_text():
    settings = MACROS.with_placeholder({"unavailable_value_placeholder": "hex:61FF00"}, True)
    assert settings["unavailable_value_placeholder"] == "a\ufffd\0"
    assert bytes(MACROS.placeholder_bytes(settings)) == b"a\xff\0"
    assert MACROS.placeholder_numbers(settings) == "array(97, -1, 0)"


def test_numbers_of_a_text_are_bytes_of_java():
    assert MACROS.placeholder_numbers({"unavailable_value_placeholder": "é"}) == "array(-61, -87)"
