"""Outboxes as a consumer project: the models a reader has, and their rows as the oracle's
events."""

import json

from tests.oracle.outbox import Event

LANDED = "source('s', 'NAME')"
MODELS = {
    "NAME_records": "{{ afterimage.outbox_records(FROM) }}\n",
    "NAME_events": "{{ afterimage.outbox_events(ref('NAME_records')) }}\n",
    "NAME_refused": "{{ afterimage.outbox_quarantine(ref('NAME_records')) }}\n",
    "NAME_accounting": "{{ afterimage.outbox_accounting(ref('NAME_records'), FROM) }}\n",
}


def models_of(name: str, from_: str = LANDED, only: tuple[str, ...] = tuple(MODELS)) -> dict:
    """name -> SQL of the models of one outbox, read from its landing table or a change log."""
    return {
        model.replace("NAME", name): sql.replace("FROM", from_).replace("NAME", name)
        for model, sql in MODELS.items()
        if model in only
    }


def events_of(project, name: str) -> dict[str, Event]:
    """event id -> Event; a duplicate id fails."""
    found = {}
    for row in project.rows(f"{name}_events"):
        assert row["event_id"] not in found
        found[row["event_id"]] = Event(
            id=row["event_id"],
            type=row["event_type"],
            aggregate_type=row["aggregate_type"],
            aggregate_id=row["aggregate_id"],
            payload=row["payload"],
            kind=row["payload_kind"],
            placed=tuple(sorted((row["placed"] or {}).items())),
        )
    return found


def refused_of(project, name: str) -> dict[tuple, str]:
    """coordinate -> reason"""
    return {
        (row["topic"], row["partition"], row["offset"]): row["reason"]
        for row in project.rows(f"{name}_refused")
    }


def counts_of(project, name: str) -> dict[tuple, int]:
    """(outcome, kind) -> records, of all topics together"""
    found: dict[tuple, int] = {}
    for row in project.rows(f"{name}_accounting"):
        key = (row["outcome"], row["kind"])
        found[key] = found.get(key, 0) + row["records"]
    return found


def value_of(payload: str | None):
    """A payload as a JSON value."""
    return None if payload is None else json.loads(payload)
