"""The JSON of a record: payload and schema block."""

import json
import re

NULL_PAYLOAD = re.compile(rb'"payload"\s*:\s*null\s*[,}]')


class Long(str):
    """The digits of a number that does not fit bigint."""


def unpacked(raw: bytes) -> tuple[dict | None, dict | None]:
    """Payload and schema of a record's JSON; no payload when it is not a JSON object."""
    document = parsed(raw)
    if isinstance(document, str):  # JSON within a JSON string
        document = parsed(document.encode(errors="replace"))
    if not isinstance(document, dict):
        return None, None
    if document.keys() == {"schema", "payload"}:
        payload, schema = document["payload"], document["schema"]
        schema = schema if isinstance(schema, dict) else None
        return (payload if isinstance(payload, dict) else None), schema
    return document, None


def is_null(raw: bytes | None) -> bool:
    """Whether a value means that there is no row: no value, the text null, or a null payload."""
    if raw is None or raw.strip() == b"null":
        return True
    # Checked first, as records may be long.
    if not NULL_PAYLOAD.search(raw):
        return False
    document = parsed(raw)
    return (
        isinstance(document, dict)
        and document.keys() == {"schema", "payload"}
        and (document["payload"] is None)
    )


def parsed(raw: bytes):
    """The document of a text; none when it is not JSON."""
    try:
        return json.loads(raw, parse_int=_whole)
    except (ValueError, RecursionError):
        return None


def text_of(raw: bytes | None) -> str:
    """A header's value: converters write a text with or without quotes."""
    document = parsed(raw) if raw is not None else None
    return document if isinstance(document, str) else (raw or b"").decode(errors="replace")


def _whole(digits: str) -> int | str:
    """An integer that fits bigint; otherwise a text marked as too long."""
    # Longer ones are checked first: int() refuses thousands of digits.
    fits = len(digits) <= 20 and -(2**63) <= int(digits) < 2**63
    return int(digits) if fits else Long(digits)
