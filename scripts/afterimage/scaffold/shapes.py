"""Records as changes of a row: Debezium's envelopes and CloudEvents. Rows without envelopes are
recognised here and read in `unwrapped.py`."""

import re
from dataclasses import dataclass, field
from typing import Any

from afterimage.scaffold import known


@dataclass
class Change:
    """One change, as far as its record describes it."""

    format: str
    op: str
    connector: str
    prefix: str
    database: str
    schema_name: str
    table: str
    before: Any
    after: Any
    fields: list[dict] = field(default_factory=list)  # of the image, in the schema block


def change_of(document: dict, schema: dict | None, topic: str) -> Change | None:
    """The change in a record; none when it is neither an envelope nor a CloudEvent."""
    if isinstance(document.get("source"), dict) and document.get("op") in known.OPERATIONS:
        source = document["source"]
        return Change(
            "debezium_json",
            document["op"],
            *(str(source.get(name) or "") for name in ("connector", "name", "db")),
            str(source.get("schema") or ""),
            str(source.get("table") or source.get("collection") or ""),
            document.get("before"),
            document.get("after"),
            image_fields(schema),
        )
    if "specversion" in document and isinstance(document.get("data"), dict):
        return _of_cloud_event(document, topic)
    return None


def image_fields(schema: dict | None) -> list[dict]:
    """The fields of `after` in a schema block."""
    for part in (schema or {}).get("fields") or []:
        if part.get("field") == "after":
            return part.get("fields") or []
    return []


def names_in_topic(topic: str) -> tuple[str, str, str]:
    """Prefix, schema (for MySQL the database) and table, from the connector's topic names."""
    *before, table = topic.split(".")
    *prefix, schema = before or [""]
    return ".".join(prefix), schema, table


def _of_cloud_event(event: dict, topic: str) -> Change | None:
    """Without extension attributes, `source` and the topic name replace them."""
    # /debezium/<connector>/<topic.prefix>
    found = re.fullmatch(r"/debezium/([^/]+)/(.+)", str(event.get("source") or ""))
    if not found and "iodebeziumconnector" not in event:
        return None
    connector, prefix = found.groups() if found else ("", "")
    data, schema = event["data"], None
    if data.keys() == {"schema", "payload"} and isinstance(data["payload"], dict):
        data, schema = data["payload"], data["schema"]
    before, after = data.get("before"), data.get("after")
    _, schema_name, table = names_in_topic(topic)
    connector = str(event.get("iodebeziumconnector") or connector)
    op = event.get("iodebeziumop")
    if connector == "mongodb":  # its deletes have no document, and it has no truncates
        is_update = data.get("updateDescription") or (before is not None and after is not None)
        op = op or ("u" if is_update else "x" if after is not None else "d")
    elif before is None and after is None:
        op = "t"
    elif not op:
        op = ("u" if before is not None else "x") if after is not None else "d"
    return Change(
        "cloudevents",
        op,
        connector,
        str(event.get("iodebeziumname") or prefix),
        str(event.get("iodebeziumdb") or ""),
        str(event.get("iodebeziumschema") or schema_name),
        str(event.get("iodebeziumtable") or event.get("iodebeziumcollection") or table),
        before,
        after,
        image_fields(schema),
    )


def is_no_row(document: dict) -> bool:
    """Whether an object that is not a change is another record of the connector."""
    names = document.keys()
    return (
        ("source" in names and "op" in names)
        or {"status", "id", "event_count"} <= names  # BEGIN, END
        or ("databaseName" in names and bool(names & {"ddl", "tableChanges"}))
        or names <= {"ts_ms", "ts_us", "ts_ns"}  # heartbeat
        or {"aggregate_type", "type"} <= names  # notification
        or "specversion" in names
        or is_of_datastream(document)
    )


def is_of_datastream(document: dict) -> bool:
    return {"read_method", "source_metadata", "payload"} <= document.keys()
