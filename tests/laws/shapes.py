"""Streams of generated databases in the other shapes that a converter or a transformation gives
them.

    shaped = Shaped("sqlserver", "Avro, Confluent", contract)
    shaped.records(database.stream)     # as Project.land takes them
    shaped.schemas                      # Avro schemas by their ids

Written from the documentation of Debezium's converters and of ExtractNewRecordState; independent of
the macros. What a shape cannot carry is left out here too: truncates of rows, the operation and the
transaction of CloudEvents without attributes.
"""

import base64
import io
import json
from dataclasses import dataclass, field

import fastavro

TEXTS = ("JSON", "JSON, schema block", "JSON, schema by id", "JSON in a JSON text")
EVENTS = ("CloudEvents", "CloudEvents, data in Avro", "CloudEvents, in Avro")
PLAIN_EVENTS = "CloudEvents, no attributes"
ROWS = tuple(
    f"row, {mode}"
    for mode in ("drop", "tombstone", "delete-to-tombstone", "rewrite", "rewrite-with-tombstone")
)
# fields of `source` that give a change's position; with PLAIN_EVENTS they are in the event's id
PLACES = {
    "postgresql": ["lsn", "txId", "sequence"],
    "mysql": ["file", "pos"],
    "mariadb": ["file", "pos"],
    "sqlserver": ["change_lsn", "commit_lsn", "event_serial_no"],
    "oracle": ["scn", "commit_scn", "lcr_position"],
    "db2": ["change_lsn", "commit_lsn"],
}
# fields added to a row: in `__source_…`, as by add.fields
ADDED = {
    "postgresql": ["lsn", "sequence"],
    "mysql": ["file", "pos", "row"],
    "mariadb": ["file", "pos", "row"],
    "sqlserver": ["commit_lsn", "change_lsn", "event_serial_no"],
    "oracle": ["scn", "commit_scn"],
    "db2": ["commit_lsn", "change_lsn"],
}
FRAMES = {"Avro, Confluent": "confluent", "Avro, Apicurio": "apicurio"}
FRAMES["Avro, id in headers"] = "headers"


def contract_of(connector: str, shape: str) -> dict:
    """What a contract declares for a shape."""
    if shape.startswith("row"):
        mode = shape.removeprefix("row, ")
        # a delete without a row has no position: then the offsets order all changes
        places = ADDED[connector] if mode.startswith("rewrite") else []
        added = ["op", *(f"source.{name}" for name in (*places, "snapshot"))]
        return {
            "format": "unwrapped",
            "delete_tombstone_handling_mode": mode,
            "add_fields": [*added, "transaction.id", "transaction.total_order"],
        }
    if shape.startswith("CloudEvents"):
        return {"format": "cloudevents"}
    return {"avro_framing": FRAMES[shape]} if shape in FRAMES else {}


@dataclass
class Shaped:
    """`shapes`: those that alternate among the records of one topic; a truncate is delivered in
    each."""

    connector: str
    shapes: tuple[str, ...]
    columns: tuple[str, ...]
    key: tuple[str, ...]
    schemas: list[dict] = field(default_factory=list)
    _last: dict[int, dict] = field(default_factory=dict)  # id → the row as last sent
    _alone: dict[str, bool] = field(default_factory=dict)  # event → whether a value was unchanged

    def records(self, stream: list[dict]) -> list[dict]:
        """A generated stream in these shapes, with keys and tombstones as a connector sends
        them."""
        found, turns = [], 0
        for record in stream:
            if record["value"] is None:  # its tombstones are made below
                continue
            event = json.loads(record["value"])
            self._straighten(event)
            self._vary(event)
            row = event["after"] or event["before"]
            is_keyed = bool(row and self.key)
            key = json.dumps({name: row[name] for name in self.key}) if is_keyed else None
            shapes = self.shapes if event["op"] == "t" else [self.shapes[turns % len(self.shapes)]]
            turns += 1
            for shape in shapes:
                if shape.startswith("row") and event["op"] == "t":
                    continue
                if shape == PLAIN_EVENTS and event["source"]["snapshot"] == "incremental":
                    continue  # a row read during open transactions looks like a later change
                value, headers = self._in(shape, event)
                if value is not None or (shape.startswith("row") and shape != "row, drop"):
                    headers = record["headers"] | headers
                    found.append(record | {"key": key, "value": value, "headers": headers})
                if event["op"] == "d" and key and has_tombstone(shape):
                    found.append(record | {"key": key, "value": None})
        return in_order(found)

    def _straighten(self, event: dict) -> None:
        """One form of a NUMBER in each field, as one version of a connector writes it."""
        for image in (event["before"], event["after"]):
            if image:
                image["id"] = number_of(image["id"])
        serial = event["source"].get("event_serial_no")
        if serial is not None:
            event["source"]["event_serial_no"] = int(serial)

    def _vary(self, event: dict) -> None:
        """Sometimes leaves out an unchanged long value, like a column added later; sometimes adds
        an undeclared column."""
        before, after = event["before"], event["after"]
        images = [image for image in (before, after) if image]
        if self._leaves_big_alone(event):
            for image in images:
                del image["big"]
        if event["op"] in "cu" and after["id"] % 3 == 0:
            for image in images:
                image["added_later"] = "x"

    def _leaves_big_alone(self, event: dict) -> bool:
        """Whether an update left the long value unchanged: by its before image, or without one by
        the row last sent. A redelivery is the same event."""
        before, after = event["before"], event["after"]
        told = text([event["op"], event["source"], before, after])
        if told not in self._alone:
            # PostgreSQL's before image is the key, with NULL for all else
            is_known = before and self.connector != "postgresql"
            was = before if is_known else self._last.get((after or {}).get("id"))
            is_alone = bool(self.key and event["op"] == "u" and was)
            self._alone[told] = is_alone and was["big"] == after["big"]
        if after:
            self._last[after["id"]] = dict(after)
        elif before:
            self._last.pop(before["id"], None)
        else:
            self._last.clear()
        return self._alone[told]

    def _in(self, shape: str, event: dict) -> tuple:
        """(value, headers) of an event in a shape; None if the shape has no record of it."""
        if shape in FRAMES:
            return self._framed(FRAMES[shape], self._envelope_schema(event), event)
        if shape.startswith("CloudEvents"):
            return self._event(shape, event)
        if shape.startswith("row"):
            return self._row(shape.removeprefix("row, "), event), {}
        if shape == "JSON, schema block":
            return text({"schema": self._block(event), "payload": event}), {}
        if shape == "JSON, schema by id":
            return text({"schemaId": 7, "payload": event}), {}
        return (text(text(event)) if shape == "JSON in a JSON text" else text(event)), {}

    def _row(self, mode: str, event: dict) -> str | None:
        if event["op"] == "d" and not mode.startswith("rewrite"):
            return None
        row = dict(event["before"] if event["op"] == "d" else event["after"])
        if mode.startswith("rewrite"):
            row["__deleted"] = str(event["op"] == "d").lower()
        places = ADDED[self.connector] if mode.startswith("rewrite") else []
        if self._has_op(mode, event["op"], row):  # the field was not there from the start
            row["__op"] = event["op"]
        for name in (*places, "snapshot"):
            row[f"__source_{name}"] = event["source"].get(name)
        for name in ("id", "total_order"):
            row[f"__transaction_{name}"] = (event["transaction"] or {}).get(name)
        return text(row)

    def _has_op(self, mode: str, op: str, row: dict) -> bool:
        """With a position, a row that a snapshot read during open transactions must differ from one
        that was changed there."""
        if not mode.startswith("rewrite"):
            return bool(row["id"] % 2)
        return op in "rd" or bool(row["id"] % 3)

    def _event(self, shape: str, event: dict) -> tuple:
        source = event["source"]
        told = {
            "id": f"name:{source.get('name', 'server1')};{self._place(source)}",
            "source": f"/debezium/{self.connector}/server1",
            "specversion": "1.0",
            "type": f"io.debezium.connector.{self.connector}.DataChangeEvent",
            "time": self._time(source),
            "datacontenttype": "application/avro" if "Avro" in shape else "application/json",
        }
        if shape != PLAIN_EVENTS:
            told["iodebeziumop"] = event["op"]
            for name, value in source.items():
                told["iodebezium" + name.replace("_", "")] = None if value is None else str(value)
            for name in ("id", "total_order"):
                value = (event["transaction"] or {}).get(name)
                attribute = "iodebeziumtx" + name.replace("_", "")
                told[attribute] = None if value is None else str(value)
        data = self._data(event)
        if "Avro" not in shape:
            return text(told | {"data": data}), {}
        body, _ = self._framed("confluent", self._images_schema(data), data)
        if shape == "CloudEvents, data in Avro":
            return text(told | {"data": base64.b64encode(body).decode()}), {}
        fields = [{"name": name, "type": ["null", "string"]} for name in told]
        fields.append({"name": "data", "type": "bytes"})
        schema = {"type": "record", "name": "CloudEvent", "fields": fields}
        return self._framed("confluent", schema, told | {"data": body}, in_json=False)

    def _place(self, source: dict) -> str:
        return ";".join(f"{name}:{shown(source.get(name))}" for name in PLACES[self.connector])

    def _time(self, source: dict) -> str:
        return "2023-11-14T22:13:20.120Z"

    def _data(self, event: dict) -> dict:
        return {"before": event["before"], "after": event["after"]}

    # --- schemas ------------------------------------------------------------------------------

    def _framed(self, framing: str, schema: dict, value: dict, in_json: bool = True) -> tuple:
        number = self._number(schema)
        body = io.BytesIO()
        parsed = fastavro.parse_schema(schema, {})
        fastavro.schemaless_writer(body, parsed, self._binary(value) if in_json else value)
        if framing == "headers":
            return body.getvalue(), {"apicurio.value.globalId": number.to_bytes(8, "big")}
        width = 4 if framing == "confluent" else 8
        return b"\0" + number.to_bytes(width, "big") + body.getvalue(), {}

    def _number(self, schema: dict) -> int:
        for entry in self.schemas:
            if entry["schema"] == schema:
                return entry["id"]
        self.schemas.append({"id": len(self.schemas) + 1, "subject": None, "schema": schema})
        return len(self.schemas)

    def _binary(self, value: dict) -> dict:
        """Decimals are bytes in Avro, which JSON has in base64."""
        found = dict(value)
        for side in ("before", "after"):
            if self.connector == "oracle" and found[side] and found[side]["n"] is not None:
                found[side] = found[side] | {"n": base64.b64decode(found[side]["n"])}
        return found

    def _value_schema(self, event: dict) -> dict:
        types = {"id": "long", "d": "long"}
        if self.connector == "oracle":
            types["n"] = {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}
        fields = [
            {"name": name, "type": ["null", types.get(name, "string")]}
            for name in event["after"] or event["before"] or self.columns
        ]
        return {"type": "record", "name": "Value", "fields": fields}

    def _images_schema(self, event: dict) -> dict:
        fields = [
            {"name": "before", "type": ["null", self._value_schema(event)]},
            {"name": "after", "type": ["null", "Value"]},
        ]
        return {"type": "record", "name": "Data", "fields": fields}

    def _envelope_schema(self, event: dict) -> dict:
        numbers = {"lsn", "pos", "row", "ts_ms", "event_serial_no", "ssn", "redo_thread"}
        numbers |= {"txId"} if self.connector == "postgresql" else set()
        source = [
            {"name": name, "type": ["null", "long" if name in numbers else "string"]}
            for name in event["source"]
        ]
        transaction = [{"name": "id", "type": "string"}, {"name": "total_order", "type": "long"}]
        return {
            "type": "record",
            "name": "Envelope",
            "fields": [
                *self._images_schema(event)["fields"],
                {"name": "source", "type": record("Source", source)},
                {"name": "op", "type": "string"},
                {"name": "ts_ms", "type": ["null", "long"]},
                {"name": "transaction", "type": ["null", record("Transaction", transaction)]},
            ],
        }

    def _block(self, event: dict) -> dict:
        """The schema block of an envelope, as the JSON converter writes it."""
        kinds = {"id": {"type": "int32"}, "d": {"type": "int32", "name": "io.debezium.time.Date"}}
        if self.connector == "oracle":
            kinds["d"] = {"type": "int64", "name": "io.debezium.time.Timestamp"}
            decimal = "org.apache.kafka.connect.data.Decimal"
            kinds["n"] = {"type": "bytes", "name": decimal, "parameters": {"scale": "2"}}
        row = [
            {**kinds.get(name, {"type": "string"}), "optional": True, "field": name}
            for name in event["after"] or event["before"] or self.columns
        ]
        struct = {"type": "struct", "fields": row, "optional": True, "name": "t.Value"}
        return {
            "type": "struct",
            "fields": [struct | {"field": "before"}, struct | {"field": "after"}],
            "optional": False,
            "name": "t.Envelope",
        }


def has_tombstone(shape: str) -> bool:
    """Whether a record without value follows the record of a delete."""
    return not shape.startswith("row") or shape == "row, rewrite-with-tombstone"


def in_order(records: list[dict]) -> list[dict]:
    """The records with their own offsets, in order of arrival."""
    offsets: dict[int, int] = {}
    found = []
    for record_ in records:
        partition = record_["partition"]
        offsets[partition] = offsets.get(partition, -1) + 1
        found.append(record_ | {"offset": offsets[partition]})
    return found


def number_of(value) -> int:
    """An id in any form of a NUMBER."""
    if isinstance(value, int):
        return value
    digits = value if isinstance(value, str) else value["value"]
    return int.from_bytes(base64.b64decode(digits), "big", signed=True)


def record(name: str, fields: list[dict]) -> dict:
    return {"type": "record", "name": name, "fields": fields}


def shown(value) -> str:
    return "null" if value is None else str(value)


def text(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
