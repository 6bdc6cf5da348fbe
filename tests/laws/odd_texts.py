"""Documents in any spelling of Extended JSON, and invalid texts, as records of the connector.

    records(Random(1), 500)

Each value has its own form (strict, canonical, relaxed), with any spaces that JSON allows and
characters escaped or not. Some texts are cut or have an additional character, a duplicate name, or
a wrapper whose content does not match its name.
"""

import json
from random import Random

from tests.laws.extended_json import FORMS, WRITERS
from tests.laws.mongo import Mongo
from tests.oracle import bson

NUMBERS = (
    "0", "-0", "1e5", "1E+10", "-1.50", "0.1e-3", "12345678901", "9223372036854775807", "0.0",
    "-0.0", "1.0E7", "2147483648", "-2147483649", "100000000000000000000.5", "1e400", "NaN",
)  # fmt: skip
LIES = (
    '{"$oid": "12"}', '{"$oid": 5}', '{"$oid": null}', '{"$numberLong": "x"}',
    '{"$numberLong": ""}', '{"$numberLong": 5}', '{"$numberLong": "9223372036854775808"}',
    '{"$numberInt": "3000000000"}', '{"$numberInt": "1.5"}', '{"$date": "yesterday"}',
    '{"$date": true}', '{"$date": {}}', '{"$date": "2019-13-01T00:00:00Z"}',
    '{"$date": {"$numberLong": "soon"}}', '{"$numberDouble": "1,5"}', '{"$numberDecimal": "one"}',
    '{"$timestamp": {"t": -1, "i": 1}}', '{"$timestamp": {"t": 1}}', '{"$uuid": "12"}',
    '{"$binary": "%", "$type": "00"}', '{"$binary": {"base64": "A", "subType": "00"}}',
    '{"$binary": {"base64": "AAA=", "subType": "zz"}}',
)  # fmt: skip


def records(random: Random, count: int) -> list[dict]:
    """So many creates, each of its own document."""
    database = Mongo(random)
    found = []
    for number in range(count):
        document = {"_id": bson.Int32(number), "v": database._any(), "w": {"x": database._any()}}
        document |= {"members": database._members()}
        text = spelled(document, random)
        text = text.replace('"v"', f'"number":{random.choice(NUMBERS)},"v"', 1)
        chance = random.random()
        if chance < 0.15:
            text = damaged(text, random)
        elif chance < 0.3:
            text = text.replace('"v"', '"lie":' + random.choice(LIES) + ',"v"', 1)
        found.append(record(number, text))
    return found


def record(number: int, after: str) -> dict:
    source = {
        "name": "t",
        "rs": "rs0",
        "db": "made_up",
        "collection": "things",
        "connector": "mongodb",
    }
    source |= {
        "ts_ms": 1_700_000_000_000,
        "ord": number + 1,
        "snapshot": "false",
        "version": "2.3.7",
    }
    value = {"before": None, "after": after, "updateDescription": None, "source": source, "op": "c"}
    return {
        "topic": "t.made_up.things",
        "partition": 0,
        "offset": number,
        "key": json.dumps({"id": str(number)}),
        "value": json.dumps(value | {"ts_ms": 1, "transaction": None}, ensure_ascii=False),
        "headers": {},
    }


def spelled(value, random: Random) -> str:
    """A value in any spelling."""

    def space() -> str:
        return random.choice(["", "", " ", "  ", "\n", "\t", "\r\n "])

    def between(parts: list[str], opening: str, closing: str) -> str:
        inner = (space() + "," + space()).join(parts)
        return opening + space() + inner + space() + closing

    if isinstance(value, dict):
        members = [
            string(n, random) + space() + ":" + space() + spelled(m, random)
            for n, m in value.items()
        ]
        return between(members, "{", "}")
    if isinstance(value, list):
        return between([spelled(element, random) for element in value], "[", "]")
    if isinstance(value, str):
        return string(value, random)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    told = WRITERS[random.choice(FORMS)](value)
    return told if isinstance(told, str) else plain(told, space)


def plain(told, space) -> str:
    """A wrapper: its names are never escaped."""
    if isinstance(told, dict):
        members = [f"{json.dumps(n)}{space()}:{space()}{plain(m, space)}" for n, m in told.items()]
        return "{" + space() + (space() + "," + space()).join(members) + space() + "}"
    return json.dumps(told)


def string(text: str, random: Random) -> str:
    """With escapes or without."""
    return json.dumps(text, ensure_ascii=random.random() < 0.3)


def damaged(text: str, random: Random) -> str:
    at = random.randrange(1, len(text))
    match random.randrange(5):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + random.choice(['"', "}", "{", ",", "x", "\\", "\x01"]) + text[at:]
        case 2:
            return text[: at - 1] + text[at:]
        case 3:
            return text + random.choice(["{}", "x", "null", " 1"])
    return text.replace('"v"', '"w"', 1)
