"""Bad input: each kind is refused with its reason, the run continues, the counts are right, and
after the fix the record enters exactly once. One stream, so that accounting covers all of it
together."""

import json
from collections import Counter

CONTRACT = {
    "topic": "t.public.items",
    "key": ["id"],
    "columns": {
        "id": "int",
        "amount": "numeric(4,2)",
        "note": "text",
        "day": "date",
        "photo": "bytea",
    },
}
SOURCE = {
    "connector": "postgresql",
    "settings": {"decimal_handling_mode": "string"},
    "topic_prefix": "t",
}


def image(number: int, **changed) -> dict:
    return {"id": number, "amount": "1.50", "note": "x", "day": 1, "photo": "AQI=", **changed}


def event(lsn: int, op: str = "c", before=None, after=None, **changed) -> dict:
    return {
        "before": before,
        "after": after,
        "source": {
            "ts_ms": 1000 + lsn,
            "snapshot": "false",
            "lsn": lsn,
            "txId": lsn,
            "db": "d",
            "schema": "public",
            "table": "items",
        },
        "op": op,
        "ts_ms": 2000 + lsn,
        "transaction": None,
        **changed,
    }


def text(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


GOOD = text(event(1, after=image(1)))
BAD = {
    "broken_json": [
        '{"before":null,"after":{"id":2',
        text(event(2, after=image(2))) + " trailing",
        text(event(3, after=image(3))) * 2,
        text(event(18, after=image(18))) + "," + text(event(19, after=image(19))),
        text(event(20, after=image(20))) + ',"x":1',
        '1,"documents":' + text(event(21, after=image(21))),
        "[1]",
        '"text"',
    ],
    "wrong_envelope": ['{"hello":"world"}', text({"id": 4, "amount": "1.00"})],
    # the models use x and o, Debezium does not
    "unknown_op": [text(event(5, op=op, after=image(5))) for op in "zxo"],
    "missing_position": [
        text(event(6, after=image(6)) | {"source": {"snapshot": "false", "ts_ms": 1}})
    ],
    "missing_image": [text(event(7, op="u"))],
    "missing_key": [
        text(event(8, after=image(8) | {"id": None})),
        text(event(9, after={"amount": "1.00"})),
    ],
    "duplicate_json_key": [
        text(event(10, after=image(10))).replace('"note":"x"', '"note":"x","note":"y"'),
        text(event(22, after=image(22))).replace('"op":"c"', '"op":"c","op":"d"'),
        text(event(23, after=image(23)))[:-1] + ',"after":' + text(image(24)) + "}",
    ],
    "value_does_not_fit": [
        text(event(11, after=image(11, amount="123.45"))),  # overflow
        text(event(12, after=image(12, amount="1.239"))),  # a scale that would be rounded
        text(event(13, after=image(13, amount="abc"))),
        text(event(25, after=image(25, amount="12345E-4"))),  # 1.2345
        text(event(14, after=image(14, day="2024-01-01"))),  # a date is days
        text(event(15, after=image("15"))),  # a key of the wrong JSON kind
        text(event(16, after=image(16, photo="not base64!"))),
    ],
    "not_utf8": [b'{"before":null,"after":{"id":17,"note":"\xff\xfe"}}'],
}


BEGIN = {"status": "BEGIN", "id": "5:9", "event_count": None, "data_collections": None, "ts_ms": 1}
END = BEGIN | {"status": "END", "event_count": 0, "data_collections": []}
DDL = {"source": {"table": "items"}, "ts_ms": 1, "databaseName": "d", "schemaName": "public"}
DDL |= {"ddl": "ALTER TABLE items", "tableChanges": []}
NOTIFICATION = {"id": "1", "aggregate_type": "Initial Snapshot", "type": "STARTED"}
# what a router may send to the topic of a table, with and without a schema block
OF_THE_CONNECTOR = {
    "heartbeat": [{"ts_ms": 1}, {"ts_ms": 1, "ts_us": 1, "ts_ns": 1}],
    "transaction": [BEGIN, END],
    "schema_change": [DDL],
    "notification": [NOTIFICATION | {"additional_data": {}, "timestamp": 1}],
    "tombstone": [None],
}


def records_of_the_connector() -> list[tuple[str, str]]:
    """(kind, value)."""
    return [
        (kind, text(value))
        for kind, others in OF_THE_CONNECTOR.items()
        for other in others
        for value in (
            other,
            {"schema": None, "payload": other},
            {"payload": other, "schema": {"type": "struct"}},
        )
    ]


def records() -> list[dict]:
    values = [GOOD] + [value for values in BAD.values() for value in values]
    values += [value for _, value in records_of_the_connector()]
    return [
        {
            "topic": "t.public.items",
            "partition": 0,
            "offset": n,
            "timestamp": 1,
            "key": None,
            "value": value,
            "headers": {},
        }
        for n, value in enumerate(values)
    ]


def test_bad_records_are_refused_with_their_reason_and_enter_once_when_mended(make_project):
    project = make_project(
        "bad_input", source="shop", source_contract=SOURCE, tables={"items": dict(CONTRACT)}
    )
    project.land(
        [
            *records(),
            {"line": "this line was no record"},
            {"topic": "t.public.other", "partition": 0, "offset": 0, "value": "{}"},
        ]
    )
    project.run("run")

    refused = {}
    for row in project.rows("dq_shop__quarantine"):
        refused.setdefault(row["reason"], []).append(row)
    assert {reason: len(rows) for reason, rows in refused.items()} == {
        reason: len(values) for reason, values in BAD.items()
    } | {"unreadable_line": 1}
    assert refused["unreadable_line"][0]["record_value"] == "this line was no record"
    assert refused["unreadable_line"][0]["line"] is not None
    details = sorted(row["detail"] for row in refused["value_does_not_fit"])
    assert any("amount" in d and "123.45" in d and "numeric(4,2)" in d for d in details), details
    assert any("photo" in d for d in details) and any(
        "day" in d and "2024-01-01" in d for d in details
    ), details
    assert all(row["record_value"] for row in refused["broken_json"])
    number_bad = sum(map(len, BAD.values()))
    counts = project.counts()
    ignored = Counter(kind for kind, _ in records_of_the_connector())
    assert counts[("items", "landed", None)] == number_bad + 1 + ignored.total()
    assert {kind: n for (_, outcome, kind), n in counts.items() if outcome == "ignored"} == ignored
    assert counts[("items", "staged", None)] == 1
    assert {kind: n for (_, outcome, kind), n in counts.items() if outcome == "refused"} == {
        r: len(v) for r, v in BAD.items()
    } | {"unreadable_line": 1}
    assert counts[(None, "unrouted", "unknown_topic")] == 1
    assert [row["id"] for row in project.rows("cur_shop__items")] == [1]

    # nothing new: nothing is retried, nothing is written
    before = project.files()
    project.run("run")
    assert project.files() == before

    # the contract is widened: what fits now enters exactly once, at its position in the log
    project.tables["items"]["columns"] = CONTRACT["columns"] | {"amount": "numeric(8,3)"}
    project.write()
    project.run("run", "--full-refresh")
    assert project.counts()[("items", "staged", None)] == 3
    project.tables["items"]["columns"] = CONTRACT["columns"] | {
        "amount": "numeric(8,3)",
        "note": "varchar(10)",
    }
    project.write()
    project.run("run")
    counts = project.counts()
    assert counts[("items", "staged", None)] == 3
    assert counts[("items", "refused", "value_does_not_fit")] == 5
    assert ("items", "pending", None) not in counts
    assert {row["id"]: str(row["amount"]) for row in project.rows("cur_shop__items")} == {
        1: "1.500",
        11: "123.450",
        12: "1.239",
    }


def test_a_refused_record_that_fits_later_enters_once_without_a_full_refresh(make_project):
    project = make_project(
        "mended",
        source="shop",
        source_contract=SOURCE,
        tables={"items": {**CONTRACT, "columns": {"id": "smallint", "note": "text"}}},
    )
    later = text(event(21, op="u", after={"id": 70000, "note": "second"}))
    project.land(
        [
            {
                "topic": "t.public.items",
                "partition": 0,
                "offset": 0,
                "timestamp": 1,
                "value": text(event(20, after={"id": 7, "note": "first"})),
            },
            {
                "topic": "t.public.items",
                "partition": 0,
                "offset": 1,
                "timestamp": 1,
                "value": later,
            },
        ]
    )
    project.run("run")
    assert [r["reason"] for r in project.rows("dq_shop__quarantine")] == ["value_does_not_fit"]

    project.tables["items"]["settings"] = {
        "unavailable_value_placeholder": "other"
    }  # any change of the contract
    project.write()
    project.run("run")
    assert [r["reason"] for r in project.rows("dq_shop__quarantine")] == ["value_does_not_fit"], (
        "tried again, refused again"
    )
    counts = project.counts()
    assert (
        counts[("items", "refused", "value_does_not_fit")] == 1
        and ("items", "pending", None) not in counts
    )

    project.land(
        [
            {
                "topic": "t.public.items",
                "partition": 0,
                "offset": 2,
                "timestamp": 1,
                "value": later.replace("70000", "7"),
            }
        ]
    )
    project.run("run")
    assert [(r["id"], r["note"]) for r in project.rows("cur_shop__items")] == [(7, "second")]
    assert project.counts()[("items", "staged", None)] == 2


def test_base64_that_is_none_is_refused_and_stops_nothing(make_project):
    columns = {"id": "int", "n": "numeric(10,2)", "m": "numeric", "b": "varbit", "c": "bit(3)"}
    good = {"id": 1, "n": "AOI=", "m": {"scale": 1, "value": "Dw=="}, "b": "BQ==", "c": "BQ=="}
    bad = [
        {"n": "A"},
        {"n": "AQ="},
        {"n": "!!!!"},
        {"n": ""},
        {"m": {"scale": 1, "value": "A"}},
        {"b": "A"},
        {"c": "B"},
    ]
    rows = [good] + [good | {"id": n} | changed for n, changed in enumerate(bad, 2)]
    project = make_project(
        "base64",
        source="shop",
        tables={"items": {"topic": "t.public.items", "key": ["id"], "columns": columns}},
    )
    place = {"topic": "t.public.items", "partition": 0}
    project.land(
        [place | {"offset": n, "value": text(event(n, after=row))} for n, row in enumerate(rows)]
    )
    project.run("run")
    assert [
        (r["id"], str(r["n"]), r["m"], r["b"], r["c"]) for r in project.rows("cur_shop__items")
    ] == [(1, "2.26", "1.5", "101", "101")]
    assert project.counts()[("items", "refused", "value_does_not_fit")] == len(bad)
