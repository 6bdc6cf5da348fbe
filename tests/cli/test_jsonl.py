"""The readers of JSON lines, without Spark."""

import io
import json

import pytest

from afterimage.errors import UserError
from afterimage.readers import jsonl, jsonl_base64
from afterimage.readers.record import Broken, Record


def read(*lines: str | bytes) -> list[Record | Broken]:
    data = [line.encode() if isinstance(line, str) else line for line in lines]
    return list(jsonl.read(io.BytesIO(b"\n".join(data))))


def event(**fields) -> str:
    return json.dumps({"topic": "t", "partition": 1, "offset": 2, "value": None} | fields)


def test_every_field():
    line = event(timestamp=1700000000123, key="k", value="vä", headers={"a": "1", "b": None})
    assert read(line) == [
        Record(1, "t", 1, 2, 1700000000123, b"k", "vä".encode(), [("a", b"1"), ("b", None)])
    ]


def test_tombstone_and_the_text_null_differ():
    assert [record.value for record in read(event(value=None), event(value="null"))] == [
        None,
        b"null",
    ]


def test_lines_end_at_newline_only():
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\r"
    raw = event(value=text).encode() + b"\r"
    unescaped = ('{"topic":"t","partition":1,"offset":3,"value":"' + text[:5] + '"}').encode()
    records = read(raw, unescaped, b"", b"  ")
    assert [(record.line, record.value) for record in records] == [
        (1, text.encode()),
        (2, text[:5].encode()),
    ]


@pytest.mark.parametrize(
    "literal",
    [
        '{"a": 1.10,  "b":[1E5, 12345678901234567890.123]}',
        '{"a":1,"a":2}',
        "[]",
        "{}",
        "1.10",
        "true",
        '{"deep":{"x\\"y":"}{"}}',
        "9" * 5000,
    ],
)
def test_json_values_land_as_the_text_they_are(literal):
    line = (
        f'{{"key" : {literal} , "topic":"t","partition":1,"offset":2, "value":{literal},'
        f'"headers":{{"h":{literal},"s":"x"}}}}'
    )
    (record,) = read(line)
    assert record.key == record.value == literal.encode()
    assert record.headers == [("h", literal.encode()), ("s", b"x")]
    listed = line.replace(
        f'{{"h":{literal},"s":"x"}}',
        f'[{{"key":"h","value": {literal} }}, {{"value":"x","key":"s"}},{{"key":"n"}}]',
    )
    assert read(listed)[0].headers == [("h", literal.encode()), ("s", b"x"), ("n", None)]


def test_header_names_may_repeat():
    line = event()[:-1] + ', "headers": {"h": "1", "h": "2"}}'
    assert read(line)[0].headers == [("h", b"1"), ("h", b"2")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("kaputt", "not JSON: Expecting value at column 1"),
        (event()[:-5], "not JSON"),
        (event() + event(), "not JSON: Extra data"),
        ("[1]", "not a JSON object"),
        ('"x"', "not a JSON object"),
        (event(value=float("nan")), "not JSON: NaN"),
        (event(topic=None), "topic"),
        (event(topic=""), "topic"),
        (event(topic=5), "topic"),
        (event(partition=None), "partition"),
        (event(partition="1"), "partition"),
        (event(partition=2**31), "partition"),
        (event(offset=1.0), "offset"),
        (event(offset=True), "offset"),
        (event(offset=2**63), "offset"),
        (event().replace("2", "9" * 5000), "offset"),
        (event(timestamp="2024-01-01"), "timestamp"),
        (event(timestamp=2**60), "timestamp"),
        ('{"topic":"t","partition":1,"offset":2}', "value is missing"),
        (event()[:-1] + ', "value": 1}', "a name appears twice"),
        (event(headers="x"), "headers"),
        (event(headers=["x"]), "headers"),
        (event(headers=[{"key": None, "value": "x"}]), "headers"),
        (event(headers=[{"name": "a", "value": "x"}]), "headers"),
        (event(value="\ud800"), "surrogate"),
        (event(topic="\ud800"), "surrogate"),
        (event(headers={"\ud800": "x"}), "surrogate"),
        (event(value="x").encode().replace(b"x", b"\xff"), "not UTF-8"),
        ('{"value":' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deep"),
    ],
)
def test_a_line_that_is_no_record_comes_out_whole(line, reason):
    raw = line.encode() if isinstance(line, str) else line
    broken, good = read(raw, event())
    assert isinstance(broken, Broken)
    assert (broken.line, broken.raw) == (1, raw)
    assert reason in broken.reason
    assert good.line == 2


def test_byte_order_mark_at_the_start():
    assert isinstance(read(b"\xef\xbb\xbf" + event().encode())[0], Record)


def test_fields_without_a_column_are_named():
    assert read(event(broker=3, tstype="create"))[0].other in (
        ("broker", "tstype"),
        ("tstype", "broker"),
    )


def test_a_line_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(jsonl, "LONGEST_LINE", 1 << 20)
    with pytest.raises(UserError, match="line 2 is longer than 1 MB"):
        read(event(), b"x" * (1 << 20))


def test_base64():
    line = event(key="AAH/", value="", headers=[{"key": "h", "value": "/w=="}])
    bad = event(value="not base64!")
    good, broken = jsonl_base64.read(io.BytesIO(f"{line}\n{bad}".encode()))
    assert (good.key, good.value, good.headers) == (b"\x00\x01\xff", b"", [("h", b"\xff")])
    assert broken.raw == bad.encode()
