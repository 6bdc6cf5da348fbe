"""What is_plain proves of a record, held against Python's own JSON parser."""

from __future__ import annotations

import json

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from afterimage.macros import Macros

COLUMNS = ["id", "a b", 'q"uo\\te', "after"]
SQL = Macros("envelope/is_plain.sql", "support/text.sql")
# `regex`: possessive quantifiers of `re`, new in Python 3.11, have failed to match now and then.
# Java's \z is \Z of Python.
PLAIN = regex.compile(
    SQL._plain_record([{"field": name} for name in COLUMNS]).replace(r"\z", r"\Z")
)

values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(['","after":{"id":1', '"}', "\\", '{"op":"d"}', "}}", "\n"]),
    st.lists(st.integers() | st.text(), max_size=3),
    st.fixed_dictionaries({"scale": st.integers(), "value": st.text()}),
)
times = st.integers() | st.none()


class Members(list):
    """A JSON object as its members, so that a key may stand in it twice."""


def text_of(value) -> str:
    """Compact JSON, as Kafka Connect writes it."""
    if isinstance(value, Members):
        members = (f"{text_of(name)}:{text_of(member)}" for name, member in value)
        return "{" + ",".join(members) + "}"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@st.composite
def images(draw):
    if draw(st.integers(0, 3)) == 0:
        return None
    names = list(COLUMNS)
    match draw(st.sampled_from(["whole", "whole", "whole", "lacks", "more", "twice", "moved"])):
        case "lacks":
            names.remove(draw(st.sampled_from(names)))
        case "more":
            names.insert(draw(st.integers(0, 4)), draw(st.text()))
        case "twice":
            names.insert(draw(st.integers(0, 4)), draw(st.sampled_from(names)))
        case "moved":
            names = draw(st.permutations(names))
    return Members((name, draw(values)) for name in names)


@st.composite
def records(draw) -> str:
    """An envelope, and now and then something in it that should not be there."""
    # braces in a text of the source, and what might be taken for the keys behind it
    texts = st.text() | st.sampled_from(["}", "{", '"}', '},"op":"u"}', '"},"op":"d"}', "\\}"])
    source = draw(st.dictionaries(st.text(), texts | st.integers(), max_size=3))
    transaction = ("transaction", draw(st.none() | st.just({"id": "1", "total_order": 2})))
    members = [
        ("before", draw(images())),
        ("after", draw(images())),
        ("source", source),
        *draw(st.sampled_from([[], [transaction]])),
        ("op", draw(st.sampled_from("crudtm"))),
        *draw(st.sampled_from([[], [("ts_ms", 1)], [("ts_ms", 1), ("ts_us", None)]])),
        *draw(st.sampled_from([[], [transaction]])),
    ]
    if draw(st.integers(0, 4)) == 0:
        name = draw(st.sampled_from(["op", "before", "after", "source", "payload", "ts_ms"]))
        members.insert(draw(st.integers(0, len(members))), (name, draw(values | images())))
    envelope = text_of(Members(members))
    if draw(st.booleans()):
        schema = draw(values | st.just({"fields": [{"field": "payload"}]}))
        outer = [("schema", schema), ("payload", 0)]
        if draw(st.integers(0, 4)) == 0:
            name = draw(st.sampled_from(["op", "before", "after", "source", "payload", "schema"]))
            outer.insert(1, (name, draw(values | images())))
        envelope = text_of(Members(outer))[:-2] + envelope + "}"
    return envelope + draw(st.sampled_from(["", "", "", "", " ", "\n", " x", '{"a":1}', "}"]))


def names(members: Members) -> list[str]:
    return [name for name, _ in members]


@given(records())
@settings(max_examples=1000, deadline=None)
def test_a_plain_record_holds_what_is_expected_and_nothing_else(record):
    if not PLAIN.match(record):
        return
    document = json.loads(record, object_pairs_hook=Members)  # and nothing follows it
    if names(document)[0] == "schema":
        assert names(document) == ["schema", "payload"]
        document = dict(document)["payload"]
    assert len(set(names(document)) & {"op", "before", "after", "source"}) == 4
    assert all(names(document).count(name) == 1 for name in ("op", "before", "after", "source"))
    for image in (dict(document)["before"], dict(document)["after"]):
        assert image is None or names(image) == COLUMNS


@given(images().filter(lambda image: image and names(image) == COLUMNS), times, st.booleans())
@settings(max_examples=100, deadline=None)
def test_ordinary_records_are_plain(image, time, has_schema):
    members = [
        ("before", None),
        ("after", image),
        ("source", {"lsn": 1}),
        ("op", "u"),
        ("ts_ms", time),
    ]
    envelope = text_of(Members(members))
    assert PLAIN.match(
        '{"schema":{"fields":[]},"payload":' + envelope + "}" if has_schema else envelope
    )


@pytest.mark.parametrize(
    "told",
    [
        [*COLUMNS, "x"],
        ["x", *COLUMNS],
        [*COLUMNS[:2], "x", *COLUMNS[2:]],
        [*COLUMNS, COLUMNS[0]],
        COLUMNS[:-1],
        COLUMNS[1:],
        COLUMNS[::-1],
        [],
    ],
)
@pytest.mark.parametrize("side", ["before", "after"])
def test_a_row_of_other_columns_is_not_plain(told, side):
    images = {"before": Members((name, 1) for name in COLUMNS)} | {
        "after": Members((name, 1) for name in COLUMNS)
    }
    record = [*images.items(), ("source", {"lsn": 1}), ("op", "u")]
    assert PLAIN.match(text_of(Members(record)))
    images[side] = Members((name, 1) for name in told)
    record = [*images.items(), ("source", {"lsn": 1}), ("op", "u")]
    assert not PLAIN.match(text_of(Members(record)))


def test_spark_is_given_the_same_expression():
    quoted = SQL.is_plain([{"field": name} for name in COLUMNS])
    assert quoted.startswith("record_value rlike '") and quoted.count("'") == 2


@pytest.mark.parametrize("name", ["op", "before", "after", "source", "x"])
@pytest.mark.parametrize("value", ['{"a":"b"}', '{"a":{"b":1}}', '"}"', "{}"])
@pytest.mark.parametrize("source", ['{"lsn":1}', '{"a":"}"}', "{}"])
def test_a_key_behind_the_source_is_not_passed_over(source, value, name):
    record = '{{"before":null,"after":null,"source":{}{},"op":"u"}}'
    assert PLAIN.match(record.format(source, ""))
    assert not PLAIN.match(record.format(source, f',"{name}":{value}'))
