"""MongoDB: a connector that restarts within one cluster time. Its redeliveries, with the same
numbers or others, leave the rows right, or accounting names the documents."""

import json

import pytest

SECOND = 1_719_800_000_000
IN_A_TRANSACTION = {"lsid": '{"id": "s"}', "txnNumber": 7}
# A: before the connector restarts. The document, its qty, ord and total_order of its change
FIRST = [
    ("sent_again", 1, 7, None),
    ("sent_again", 2, 8, None),
    ("counted_again", 1, 7, None),
    ("counted_again", 2, 8, None),
    ("sent_again_counted_again", 1, 7, None),
    ("transaction_sent_again", 1, 20, None),
    ("transaction_sent_again", 2, 20, None),
    ("order_sent_again", 1, 20, 1),
    ("order_sent_again", 2, 20, 2),
    ("order_counted_again", 1, 20, 6),
    ("order_counted_again", 2, 20, 7),
    ("other", 1, 20, 8),
    ("order_sent_again_counted_again", 1, 20, 9),
    ("order_sent_again_counted_again", 2, 20, 10),
]
# B: after it
SECOND_RUN = [
    ("sent_again", 1, 7, None),
    ("sent_again", 2, 8, None),
    ("sent_again", 3, 9, None),
    # the later changes are before all of it
    ("counted_again", 3, 1, None),
    # the change itself, under another number
    ("sent_again_counted_again", 1, 1, None),
    ("transaction_sent_again", 1, 20, None),
    ("transaction_sent_again", 2, 20, None),
    ("transaction_sent_again", 3, 20, None),
    ("order_sent_again", 1, 20, 1),
    ("order_sent_again", 2, 20, 2),
    ("order_sent_again", 3, 20, 3),
    ("order_counted_again", 3, 20, 1),
    ("other", 2, 20, 11),
    ("order_sent_again_counted_again", 2, 20, 2),
    ("order_sent_again_counted_again", 3, 20, 3),
]
HELD = {name: qty for name, qty, *_ in [*FIRST, *SECOND_RUN]}
# what the rows show instead
WRONG = {"counted_again": 2, "order_counted_again": 2, "order_sent_again_counted_again": 2}
NAMED = {
    ("alarm", "position_went_back"): {"counted_again", "sent_again_counted_again"},
    ("ambiguous", "transaction_order_restarted"): {
        "order_counted_again",
        "order_sent_again_counted_again",
    },
    # its create is after the update that was counted again
    ("alarm", "row_created_twice"): {"counted_again"},
    # without transaction metadata
    ("ambiguous", "order_by_landing"): {"transaction_sent_again"},
}


def change(offset: int, run: str, name: str, qty: int, order: int, total_order: int | None) -> dict:
    """The first change of a document creates it; all others are partial updates."""
    op = "c" if qty == 1 else "u"
    source = {"name": "t", "rs": "rs0", "db": "p", "collection": "docs", "snapshot": "false"}
    source |= {"ts_ms": SECOND, "ord": order} | (IN_A_TRANSACTION if order == 20 else {})
    updated = {"updatedFields": f'{{"qty": {qty}}}', "removedFields": None, "truncatedArrays": None}
    value = {"op": op, "before": None, "source": source}
    value["after"] = f'{{"_id": "{name}", "qty": {qty}}}' if op == "c" else None
    value["updateDescription"] = updated if op == "u" else None
    if total_order:
        value["transaction"] = {"id": "s:7", "total_order": total_order}
    return {
        "topic": "t.p.docs",
        "partition": 0,
        "offset": offset,
        "key": {"id": json.dumps(name)},
        "value": value,
        "headers": {"__debezium.context.runId": run},
    }


@pytest.mark.shows("mongodb", "JSON", "create", "update without a document", "in a transaction")
def test_rows_are_right_or_their_documents_are_named(make_project):
    project = make_project(
        "mongo_restarts",
        source_contract={"connector": "mongodb", "topic_prefix": "t"},
        tables={
            "docs": {
                "topic": "t.p.docs",
                "key": ["_id"],
                "columns": {"_id": "string", "qty": "int"},
            }
        },
    )
    sent = [("A", *told) for told in FIRST] + [("B", *told) for told in SECOND_RUN]
    records = [change(offset, *told) for offset, told in enumerate(sent)]
    for delivered in (records[: len(FIRST)], records[len(FIRST) :]):
        project.land(delivered)
        project.run("run")
    rows = {row["_id"]: row["qty"] for row in project.rows("cur_s__docs")}
    named = {
        (row["outcome"], row["kind"]): {example.split('"')[1] for example in row["examples"]}
        for row in project.rows("dq_s__accounting", "examples is not null")
    }
    assert named == NAMED
    assert rows == HELD | WRONG
    assert WRONG.keys() <= set().union(*named.values())
