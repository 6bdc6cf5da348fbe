"""Changes whose order or number is known only from their delivery are counted and shown; with an
order in the transaction there are none."""

COLUMNS = {"id": "int", "v": "int"}


def change(offset: int, op: str, before, after, order: int | None = None, table: str = "keyed"):
    """A change of one compressed MySQL transaction: all at one position in the binary log."""

    def image(row):
        return row and dict(zip(COLUMNS, row, strict=True))

    source = {"file": "bin.000001", "pos": 500, "row": 0, "gtid": "g:7", "snapshot": "false"}
    value = {"op": op, "before": image(before), "after": image(after), "source": source}
    if order is not None:
        value["transaction"] = {"id": "g:7", "total_order": order}
    headers = {"__debezium.context.runId": "A"}
    place = {"topic": f"t.{table}", "partition": 0, "offset": offset}
    return place | {"value": value, "headers": headers}


def test_ties_are_counted(make_project):
    project = make_project(
        "ambiguous",
        source_contract={"connector": "mysql"},
        tables={
            name: {"topic": f"t.{name}", "key": [] if name == "bag" else ["id"], "columns": COLUMNS}
            for name in ("keyed", "ordered", "other", "bag")
        },
    )
    to_and_fro = [
        ("c", None, (1, 0)),
        ("u", (1, 0), (1, 1)),
        ("u", (1, 1), (1, 0)),
        ("u", (1, 0), (1, 1)),
        ("c", None, (2, 0)),
    ]
    project.land([change(n, *told) for n, told in enumerate(to_and_fro)])
    project.land([change(n, *told, n + 1, "ordered") for n, told in enumerate(to_and_fro)])
    # also at that position in the log, with a key and a row that another table has there
    project.land([change(0, *to_and_fro[0], table="other")])
    project.land([change(n, "c", None, (7, 7), table="bag") for n in range(3)])
    project.land(
        [change(3, "c", None, (8, 8), table="bag"), change(4, "d", (8, 8), None, table="bag")]
    )
    project.run("run")
    counts = project.counts()
    assert {key: n for key, n in counts.items() if key[1] == "ambiguous"} == {
        ("keyed", "ambiguous", "order_by_landing"): 4,
        ("keyed", "ambiguous", "equal_changes"): 2,
        ("bag", "ambiguous", "equal_changes"): 3,
        ("bag", "ambiguous", "order_by_landing"): 2,
    }
    assert not [key for key in counts if key[1] == "alarm"]
    assert [row["v"] for row in project.rows("cur_s__keyed") if row["id"] == 1] == [1]
    assert len(project.rows("cur_s__bag")) == 3
