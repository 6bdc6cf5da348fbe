"""A table of a thousand columns: no statement may nest so deeply that it exceeds Java's stack or
method size."""

WIDTH = 1000
COLUMNS = {"id": "int"} | {f"c{n}": ("text", "int")[n % 2] for n in range(1, WIDTH)}


def row(id_: int, text: str) -> dict:
    return {"id": id_} | {f"c{n}": (text, n)[n % 2] for n in range(1, WIDTH)}


def record(offset: int, op: str, before: dict | None, after: dict | None, **more) -> dict:
    value = {
        "op": op,
        "before": before,
        "after": after,
        "source": {"lsn": 100 + offset, "ts_ms": 1700000000000, "txId": 1, "snapshot": "false"},
    }
    return {"topic": "t.p.wide", "partition": 0, "offset": offset, "value": value | more}


def test_both_statements_read_it(make_project):
    project = make_project(
        "wide",
        source_contract={"connector": "postgresql", "replica_identity": "full"},
        tables={"wide": {"topic": "t.p.wide", "key": ["id"], "columns": COLUMNS}},
    )
    project.land(
        [
            record(0, "c", None, row(1, "a")),
            record(1, "u", row(1, "a"), row(1, "b")),
            # with an undeclared field: for the exact statement
            record(2, "u", row(1, "b"), row(1, "c") | {"later": "x"}),
            record(3, "c", None, row(2, "d")),
        ]
    )
    project.run("run")
    rows = [(r["id"], r["c2"], r["c999"]) for r in project.rows("cur_s__wide")]
    assert sorted(rows) == [(1, "c", 999), (2, "d", 999)]
