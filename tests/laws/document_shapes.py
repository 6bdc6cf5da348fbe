"""Streams of a generated MongoDB in the other shapes that a converter gives them.

    shaped = ShapedDocuments(("Avro, Confluent",))
    shaped.records(connector.stream)    # as Project.land takes them
    shaped.schemas                      # Avro schemas by their ids

`shapes.py` has what all connectors share. Keys have their own converter, so each key has one of its
topic's forms, always the same. Written from the documentation; independent of the macros.
"""

import json
from datetime import UTC, datetime

from tests.laws.shapes import FRAMES, PLAIN_EVENTS, Shaped, record, text

JSON_TEXT = "io.debezium.data.Json"
DOCUMENT = {"type": "string", "connect.name": JSON_TEXT}
CUT = record("Cut", [{"name": "field", "type": "string"}, {"name": "size", "type": "int"}])
DESCRIPTION = record(
    "UpdateDescription",
    [
        {"name": "removedFields", "type": ["null", {"type": "array", "items": "string"}]},
        {"name": "updatedFields", "type": ["null", DOCUMENT]},
        {"name": "truncatedArrays", "type": ["null", {"type": "array", "items": CUT}]},
    ],
)
KEY = record("Key", [{"name": "id", "type": "string"}])
NUMBERS = {"ts_ms": "long", "ord": "int", "txnNumber": "long", "wallTime": "long"}
# fields of `source` that are numbers in a CloudEvent: those of 32 bits
SMALL = ("ord",)


class ShapedDocuments(Shaped):
    """See the module. `shapes`: those that alternate among the records of one topic, also of
    several streams."""

    def __init__(self, shapes: tuple[str, ...]):
        super().__init__("mongodb", shapes, (), ("_id",))
        self.turns = 0

    def records(self, stream: list[dict]) -> list[dict]:
        found = []
        for landed in stream:
            key, headers = self._key(landed["key"])
            value = None
            if landed["value"] is not None:
                event = json.loads(landed["value"])
                value, of_value = self._in(self.shapes[self.turns % len(self.shapes)], event)
                headers |= of_value
                self.turns += 1
            headers = landed["headers"] | headers
            found.append(landed | {"key": key, "value": value, "headers": headers})
        return found

    def _key(self, key: str) -> tuple:
        """(key, headers), in its own form."""
        framings = [FRAMES[shape] for shape in self.shapes if shape in FRAMES]
        if any(shape.startswith("CloudEvents") and shape != PLAIN_EVENTS for shape in self.shapes):
            framings.append("confluent")
        told = json.loads(key)
        forms = ["json", "block", "id", "text", *framings]
        form = forms[sum(map(ord, key)) % len(forms)]
        match form:
            case "json":
                return key, {}
            case "block":
                field = {"type": "string", "optional": False, "field": "id"}
                struct = {"type": "struct", "fields": [field], "optional": False, "name": "t.Key"}
                return text({"schema": struct, "payload": told}), {}
            case "id":
                return text({"schemaId": 8, "payload": told}), {}
            case "text":
                return text(text(told)), {}
        framed, headers = self._framed(form, KEY, told, in_json=False)
        return framed, {name.replace(".value.", ".key."): id_ for name, id_ in headers.items()}

    def _event(self, shape: str, event: dict) -> tuple:
        value, headers = super()._event(shape, event)
        if isinstance(value, bytes):
            return value, headers
        told = json.loads(value)
        for name in SMALL:
            if (number := told.get(f"iodebezium{name}")) is not None:
                told[f"iodebezium{name}"] = int(number)
        return text(told), headers

    def _place(self, source: dict) -> str:
        return f"ts:{source['ts_ms']};ord:{source['ord']}"

    def _time(self, source: dict) -> str:
        moment = datetime.fromtimestamp(source["ts_ms"] / 1000, UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _data(self, event: dict) -> dict:
        return super()._data(event) | {"updateDescription": event["updateDescription"]}

    def _images_schema(self, event: dict) -> dict:
        fields = [
            {"name": "before", "type": ["null", DOCUMENT]},
            {"name": "after", "type": ["null", DOCUMENT]},
            {"name": "updateDescription", "type": ["null", DESCRIPTION]},
        ]
        return record("Data", fields)

    def _envelope_schema(self, event: dict) -> dict:
        source = [
            {"name": name, "type": ["null", NUMBERS.get(name, "string")]}
            for name in event["source"]
        ]
        transaction = [
            {"name": "id", "type": "string"},
            {"name": "total_order", "type": "long"},
            {"name": "data_collection_order", "type": "long"},
        ]
        fields = [
            *self._images_schema(event)["fields"],
            {"name": "source", "type": record("Source", source)},
            {"name": "op", "type": ["null", "string"]},
            {"name": "ts_ms", "type": ["null", "long"]},
            {"name": "transaction", "type": ["null", record("Transaction", transaction)]},
        ]
        return record("Envelope", fields)

    def _block(self, event: dict) -> dict:
        """The schema block of an envelope, as the JSON converter writes it."""
        image = {"type": "string", "optional": True, "name": JSON_TEXT, "version": 1}
        names = {"type": "array", "items": {"type": "string", "optional": False}, "optional": True}
        cut = [
            {"type": "string", "optional": False, "field": "field"},
            {"type": "int32", "optional": False, "field": "size"},
        ]
        cuts = {"type": "array", "items": {"type": "struct", "fields": cut}, "optional": True}
        update = [
            names | {"field": "removedFields"},
            image | {"field": "updatedFields"},
            cuts | {"field": "truncatedArrays"},
        ]
        return {
            "type": "struct",
            "fields": [
                image | {"field": "before"},
                image | {"field": "after"},
                {"type": "struct", "fields": update, "field": "updateDescription"},
            ],
            "optional": False,
            "name": "t.Envelope",
        }
