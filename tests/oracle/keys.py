"""The key of a record in each form of converters and transformations."""

import json
import re
from decimal import Decimal

from tests.oracle.spec import Table


def key_object(text: str, table: Table) -> dict:
    """Column → literal. A key of one column may be only its value, in JSON or as it is; an object
    may be the output of Kafka Connect's `Struct.toString`."""
    text = text.strip()
    if found := re.fullmatch(r"Struct\{(.*)\}", text, re.DOTALL):
        parts = [found[1]] if len(table.key) == 1 else found[1].split(",")
        return dict(part.split("=", 1) for part in parts)
    try:
        told = json.loads(text, parse_float=Decimal, parse_constant=str)
    except ValueError:
        told = text
    if isinstance(told, dict) and told.keys() == {"schema", "payload"}:
        told = told["payload"]
    if isinstance(told, dict):
        return told
    return {table.key[0]: told} if len(table.key) == 1 else {}
