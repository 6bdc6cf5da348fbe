"""decimal.format=NUMERIC of the JSON converter, through the models: numbers in rows, keys, arrays
and headers are exact, and base64 that looks like a number is not read as one."""

import json
from decimal import Decimal

CONTRACT = {
    "topic": "t.items",
    "key": ["id"],
    "replica_identity": "full",
    "columns": {
        "id": "numeric(20,2)",
        "amount": "numeric(30,8)",
        "parts": "numeric(10,2)[]",
        "attrs": "hstore",
        "sequence": "numeric(10)",
    },
}
LONG = "1234567890123456789012.12345678"
# longer than the JSON reader allows, next to a similar value
BESIDE = {
    "whole": "7" * 2000,
    "part": "-0." + "1" * 2000 + "0",
    "both": ["8" * 1001, "9.25"],
    "rate": "1.0000000000000000001",
    "text": json.dumps({"note": '\\"', "wide": int("7" * 1001)}),
}


def event(offset: int, op: str, after: str | None, before="null", headers=None) -> dict:
    """A record whose images are JSON text as the converter writes it."""
    source = json.dumps({"lsn": 100 + offset, "txId": offset, "snapshot": "false"})
    return {
        "topic": "t.items",
        "partition": 0,
        "offset": offset,
        "value": f'{{"before":{before},"after":{after or "null"},"source":{source},"op":"{op}"}}',
        "headers": headers or {},
    }


def row(id_="1.10", amount="1.5", parts="[1.10]", attrs='{"k":"v"}') -> str:
    return f'{{"id":{id_},"amount":{amount},"parts":{parts},"attrs":{attrs},"sequence":5}}'


QUOTED = {
    0: (row(amount='"1234"'), "amount"),  # three bytes of base64
    1: (row(parts='[5,"1234"]'), "parts"),
    2: (row(id_='"1234"'), "id"),
}


def test_decimals_as_json_numbers(make_project):
    project = make_project(
        "decimal_format",
        source_contract={
            "connector": "postgresql",
            "topic_prefix": "t",
            "settings": {"decimal_format": "NUMERIC"},
        },
        tables={"items": CONTRACT},
    )
    long = row("123456789012345678.91", LONG, "[1.10,null,7]")
    numbers = ",".join(
        f'"{name}":{json.dumps(v) if name == "text" else json.dumps(v).replace(chr(34), "")}'
        for name, v in BESIDE.items()
    )
    beside = f"{row('4.00')[:-1]},{numbers}}}"
    project.land(
        [
            *(event(offset, "c", after) for offset, (after, _) in QUOTED.items()),
            event(10, "c", row("1.10", "1E-8")),
            # a whole number, and texts that look like members of the row
            event(11, "c", row("2.00", "5", "[7]", '{"amount":"1234","parts":"[1"}')),
            event(12, "c", long),
            event(13, "c", row("3.30", "1.123456789")),
            event(14, "c", beside),
            event(15, "c", f'{row("5.00")},"op":"d","after":{beside}'),
            event(20, "d", None, row("1.10", "1E-8"), {"__debezium.newkey": '{"id":1.20}'}),
            event(21, "c", row("1.20", "1E-8"), headers={"__debezium.oldkey": '{"id":1.10}'}),
        ]
    )
    project.run("run")
    found = {r["id"]: (r["amount"], r["parts"]) for r in project.rows("cur_s__items")}
    assert found == {
        Decimal("1.20"): (Decimal("1E-8"), [Decimal("1.10")]),
        Decimal("2.00"): (Decimal(5), [Decimal(7)]),
        Decimal("4.00"): (Decimal("1.5"), [Decimal("1.10")]),
        Decimal("123456789012345678.91"): (Decimal(LONG), [Decimal("1.10"), None, Decimal(7)]),
    }
    extras = [r["_cdc_extra"] for r in project.rows("stg_s__items")]
    assert [json.loads(extra, parse_float=str) for extra in extras if extra] == [BESIDE]
    previous = [r["_cdc_previous_key"] for r in project.rows("stg_s__items")]
    assert sorted(key for key in previous if key) == ["1.10", "1.20"]
    refused = {r["offset"]: r["detail"] for r in project.rows("dq_s__quarantine")}
    assert refused.keys() == {*QUOTED, 13, 15}
    for offset, (_, column) in QUOTED.items():
        assert f"{column}: a text where a JSON number was expected" in refused[offset]
    assert refused[13].startswith("amount: ") and "numeric(30,8)" in refused[13]
