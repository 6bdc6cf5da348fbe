"""A key column that the connector leaves out of the value (column.exclude.list) is taken from the
record's key, which always contains it."""

import json
from decimal import Decimal

import pytest

PRICE = "1234567890123456789012.12345678"
ROWS = {
    "postgresql": {"lsn": 1, "txId": 1, "snapshot": "false"},
    "mysql": {"file": "bin.1", "pos": 1, "row": 0, "server_id": 1, "snapshot": "false"},
}


def record(connector: str, offset: int, op: str, before=None, after=None, **key) -> dict:
    source = ROWS[connector] | {"lsn": 100 + offset, "pos": 100 + offset, "ts_ms": 1}
    value = {"before": before, "after": after, "source": source, "op": op}
    if offset % 2:  # a schema block makes no difference here
        value = {"schema": {"type": "struct"}, "payload": value}
    wrapped = {"schema": {"type": "struct"}, "payload": key} if offset % 3 == 0 else key
    if after and "price" in after:  # all its digits, which Python's float does not keep
        value = json.dumps(value).replace('"PRICE"', PRICE)
    return {
        "topic": "t.items",
        "partition": 0,
        "offset": offset,
        "key": " " + json.dumps(wrapped),
        "value": value,
    }


@pytest.mark.parametrize("connector", ROWS)
def test_a_key_column_left_out_of_the_value_is_taken_from_the_key(make_project, connector):
    project = make_project(
        f"key_left_out_{connector}",
        source_contract={
            "connector": connector,
            "topic_prefix": "t",
            "settings": {"decimal_format": "NUMERIC", "decimal_handling_mode": "precise"},
        },
        tables={
            "items": {
                "topic": "t.items",
                "key": ["shop", "id"],
                "columns": {
                    "shop": "varchar(9)",
                    "id": "bigint",
                    "name": "varchar(9)",
                    "price": "decimal(30,8)",
                },
            }
        },
    )
    is_whole = connector != "postgresql"

    def before(**row):
        return row if is_whole else None

    apple, pear = {"shop": "a", "id": 1}, {"shop": "b", "id": 2**62}
    project.land(
        [
            record(connector, 0, "c", None, {"shop": "a", "name": "apple"}, **apple),
            record(connector, 1, "c", None, {"name": "pear"}, **pear),
            record(
                connector, 2, "u", before(name="pear"), {"name": "plum", "price": "PRICE"}, **pear
            ),
            record(connector, 3, "d", before(name="apple") or {"shop": "a"}, None, **apple),
            # nothing carries its id
            record(connector, 4, "c", None, {"shop": "c", "name": "fig"}, shop="c"),
            # the key does not replace values of the row
            record(connector, 5, "c", None, {"id": "abc", "name": "nut"}, shop="d", id=5),
        ]
    )
    project.run("run")
    names = ("shop", "id", "name", "price")
    rows = [tuple(row[name] for name in names) for row in project.rows("cur_s__items")]
    assert rows == [("b", 2**62, "plum", Decimal(PRICE))]
    assert {
        row["_cdc_unknown"] for row in project.rows("stg_s__items") if row["_cdc_op"] != "d"
    } == {None, '["price"]'}
    refused = {r["offset"]: (r["reason"], r["detail"]) for r in project.rows("dq_s__quarantine")}
    assert refused == {
        4: ("missing_key", 'no value: id; fields of the row: ["shop","name"]'),
        5: ("value_does_not_fit", "id: abc does not fit bigint"),
    }
