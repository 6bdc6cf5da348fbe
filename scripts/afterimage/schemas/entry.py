"""One version of a subject in a registry."""

import json
from dataclasses import dataclass

from afterimage.errors import UserError


@dataclass(frozen=True)
class Entry:
    """`id` as in frames; `subject` is None when unknown, and then applies to any topic; `schema` is
    the text of an Avro schema."""

    id: int
    subject: str | None
    version: str | None
    schema: str


@dataclass(frozen=True)
class Passed:
    """A version that is not kept, and why."""

    subject: str | None
    why: str


def why_not(kind: str | None, references) -> str | None:
    """Why a version is not kept, from its type (None means AVRO) and references; else None."""
    if kind not in (None, "AVRO"):
        return f"{kind}, not Avro"
    return "refers to other schemas" if references else None


def remarks(passed: list[Passed]) -> list[str]:
    """A line for each reason: how many versions, of which subjects."""
    said = []
    for why in sorted({p.why for p in passed}):
        subjects = [p.subject or "of no subject" for p in passed if p.why == why]
        names = ", ".join(sorted(set(subjects)))
        said.append(f"passed over, {why}: {len(subjects)} ({names})")
    return said


def entry(where: str, number, subject, version, schema) -> Entry:
    """An Entry from the data of a registry or a file.

    In: the place, for errors; schema as text or as JSON.
    Errors: UserError for an id that is not a number, a schema that is not JSON.
    """
    try:
        number = int(number)
    except (TypeError, ValueError):
        raise UserError(f"{where}: {number!r} is not the id of a schema") from None
    if isinstance(schema, str):
        try:
            parsed = json.loads(schema)
        except json.JSONDecodeError as error:
            raise UserError(f"{where}: the schema of id {number} is not JSON ({error})") from None
        if isinstance(parsed, str) and parsed.lstrip().startswith(("{", "[")):
            schema = parsed
    else:
        schema = json.dumps(schema)
    return Entry(number, subject, None if version is None else str(version), schema)
