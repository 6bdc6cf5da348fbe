"""A refused decimal is shown with the setting it was read by: its value may fit the type."""

import pytest

from tests.types.cells import decoder, default_settings


@pytest.mark.parametrize("mode", ["precise", "string", "double"])
@pytest.mark.parametrize(
    ("connector", "kind"),
    [
        ("postgresql", "numeric(12,2)"),
        ("postgresql", "numeric"),
        ("postgresql", "numeric(60,2)"),
        ("postgresql", "numeric(12,2)[]"),
        ("postgresql", "money"),
        ("mysql", "decimal(12,2)"),
        ("sqlserver", "decimal(12,2)"),
        ("oracle", "number(12,2)"),
        ("db2", "decimal(12,2)"),
    ],
)
@pytest.mark.parametrize("decimal_format", ["BASE64", "NUMERIC"])
def test_the_mode_is_named(connector, kind, mode, decimal_format):
    settings = {"decimal_handling_mode": mode, "decimal_format": decimal_format}
    found = decoder(connector, kind, default_settings() | settings)
    assert found["under"] == f" under decimal_handling_mode {mode}"
