"""Converts a database's own type names to types of a contract."""

import re
from collections.abc import Iterable
from typing import Any

from afterimage.scaffold import known

# What may follow the digits of a length: NUMBER(*,0), VARCHAR2(40 BYTE), VARCHAR(10 OCTETS).
UNIT = re.compile(r"(\d)\s+(?:byte|char|octets|codeunits\d+)\b")
ARGUMENTS = re.compile(r"\(\s*(?:max|-?\d+(?:\s*,\s*-?\d+)*)\s*\)")
VALUES = re.compile(r"(enum|set)\s*\(", re.IGNORECASE)


def contract_type(text: str, connector: str) -> str | None:
    """The type of a contract: `character varying(40)` is `varchar(40)`.

    In: a type as the database writes it, with or without its schema (`public.citext`).
    Out: none where contracts of that connector have no such type.
    """
    text = " ".join(text.split())
    if VALUES.match(text):
        text = VALUES.match(text)[1]
    # SQL Server quotes type names: [nvarchar](max)
    text = re.sub(r"\[([a-z]\w*)\]", r"\1", text.lower())
    if connector == "oracle":  # "SYS"."XMLTYPE"
        text = text.replace('"', "")
    text = re.sub(r"(\[\d*\])+$", "[]", text)
    text = UNIT.sub(r"\1", text).replace("(*", "(38")
    for each in (text, re.sub(r'^"?[\w$]+"?\.', "", text)):
        parsed = known.parsed(each, connector)
        if parsed:
            return _canonical(each, parsed, connector)
    return None


def _canonical(text: str, parsed: dict, connector: str) -> str:
    """The shortest text of the same type."""
    arguments = ARGUMENTS.search(text)
    found = known.shown(parsed["name"], connector)
    found += re.sub(r"\s", "", arguments[0]) if arguments else ""
    found += " unsigned" if parsed["is_unsigned"] else ""
    found += "[]" if parsed["is_array"] else ""
    same = known.parsed(found, connector)
    alike = same and all(same[part] == parsed[part] for part in parsed if part != "text")
    return found if alike else text


def is_sent_as(kind: str, seen: Iterable[str], connector: str, settings: dict[str, Any]) -> bool:
    """Whether the decoder of a type reads values of these kinds (see guessed.kind_of)."""
    kinds = {each for each in seen if each not in ("null", "unsent")}
    literal = known.literal(kind, connector, settings) or ""
    if literal.startswith("array"):
        return all(each.endswith("[]") or each == "array" for each in kinds)
    if literal.startswith("struct"):
        return kinds <= {"object", "numeric"}
    if literal in ("smallint", "int", "bigint"):
        return kinds <= {"bigint", "long"}
    if literal in ("float", "double"):
        return kinds <= {"double precision", "bigint", "not finite", "long"}
    if literal == "boolean":
        return kinds <= {"boolean"}
    return kind == "hstore" or not any(each.endswith("[]") or each == "array" for each in kinds)


def are_alike(left: Any, right: Any, connector: str) -> bool:
    """Whether two texts name one type. An integer's width (`int(11)`) is only for display."""
    parsed = [known.parsed(str(each), connector) for each in (left, right)]
    if not all(parsed):
        return left == right
    one, other = (
        each | {"text": "", "arguments": [] if _is_whole(each, connector) else each["arguments"]}
        for each in parsed
    )
    return one == other


def _is_whole(parsed: dict, connector: str) -> bool:
    family = known.family(parsed["name"], connector)
    # some read TINYINT(1) as a boolean
    return family == "integer" or (family == "tinyint" and parsed["arguments"] != [1])
