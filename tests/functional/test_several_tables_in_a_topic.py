"""A router may send the changes of several tables to one topic. Rows with one key would overwrite
each other and the truncate of one table would empty the other: reported, or refused if the contract
names its tables."""


def change(offset: int, table: str, op: str = "c", **row) -> dict:
    source = {"lsn": 100 + offset, "txId": 1, "snapshot": "false", "name": "t"}
    source |= {"schema": "shop", "table": table}
    value = {"before": None, "after": row or None, "source": source, "op": op}
    return {"topic": "t.all", "partition": 0, "offset": offset, "value": value}


RECORDS = [
    change(0, "orders", id=1, note="an order"),
    change(1, "orders", id=2, note="another"),
    change(2, "customers", id=1, note="no order"),
    change(3, "customers", op="t"),
]


def made(make_project, name: str, **contract):
    table = {"topic": "t.all", "key": ["id"], "columns": {"id": "int", "note": "text"}} | contract
    return make_project(
        name,
        tables={"orders": table},
    )


def test_it_is_an_alarm(make_project):
    project = made(make_project, "several_unsaid")
    project.land(RECORDS)
    project.run("run")
    assert project.counts()["orders", "alarm", "several_source_tables"] == 2


def test_others_are_refused_where_the_contract_names_its_tables(make_project):
    project = made(make_project, "several_said", source_tables=["shop.orders"])
    project.land(RECORDS)
    project.run("run")
    assert [row["note"] for row in project.rows("cur_s__orders")] == ["an order", "another"]
    refused = project.rows("dq_s__quarantine")
    assert {(row["offset"], row["reason"], row["detail"]) for row in refused} == {
        (2, "other_table", "table: shop.customers"),
        (3, "other_table", "table: shop.customers"),
    }
    assert not [count for count in project.counts() if count[1] == "alarm"]


def test_two_tables_share_a_topic(make_project):
    """Each takes its own changes and counts the other's as not its own."""
    project = make_project(
        "several_shared",
        tables={
            "orders": {
                "topic": "t.all",
                "source_tables": ["shop.orders"],
                "key": ["id"],
                "columns": {"id": "int", "note": "text"},
            },
            "customers": {
                "topic": "t.all",
                "source_tables": ["shop.customers"],
                "key": ["id"],
                "columns": {"id": "bigint", "note": "text"},
            },
        },
    )
    project.land([*RECORDS, change(4, "customers", id=2, note="new"), change(5, "notes", id=1)])
    for _ in range(2):
        project.run("run")
        notes = {
            table: [row["note"] for row in project.rows(f"cur_s__{table}")]
            for table in ("orders", "customers")
        }
        assert notes == {"orders": ["an order", "another"], "customers": ["new"]}
        assert project.counts() == {
            ("orders", "landed", None): 6,
            ("orders", "staged", None): 2,
            ("orders", "ignored", "other_table"): 3,
            ("orders", "refused", "other_table"): 1,
            ("customers", "landed", None): 6,
            ("customers", "staged", None): 3,
            ("customers", "ignored", "other_table"): 2,
            ("customers", "refused", "other_table"): 1,
        }


def test_rows_without_envelopes_tell_it_by_a_header(make_project):
    project = make_project(
        "several_unwrapped",
        source_contract={
            "connector": "postgresql",
            "topic_prefix": "t",
            "format": "unwrapped",
            "add_headers": ["table"],
        },
        tables={
            "orders": {
                "topic": "t.all",
                "key": ["id"],
                "columns": {"id": "int", "note": "text"},
                "source_tables": ["orders"],
            }
        },
        layers={"orders": ["stg", "hist", "cur"]},
    )

    def row(offset: int, value: dict | None, table: str | None) -> dict:
        headers = {"__table": table} if table else {}
        record = {"topic": "t.all", "partition": 0, "offset": offset, "headers": headers}
        return record | {"key": {"id": 1}, "value": value}

    project.land(
        [
            row(0, {"id": 1, "note": "an order"}, "orders"),
            row(1, {"id": 1, "note": "no order"}, "customers"),
            row(2, None, "customers"),
            row(3, None, None),
        ]
    )
    project.run("run")
    assert [r["note"] for r in project.rows("cur_s__orders")] == ["an order"]
    refused = {r["offset"]: (r["reason"], r["detail"]) for r in project.rows("dq_s__quarantine")}
    assert refused[1] == ("other_table", "table: customers")
    assert refused[3] == (
        "other_table",
        "table: t.all (the topic: no header of this tombstone tells its table)",
    )
    assert refused.keys() == {1, 2, 3}


def test_pluggable_databases_share_a_topic(make_project):
    """Oracle's topics name only schema and table; only `source` has the database."""

    def row(offset: int, database: str, note: str) -> dict:
        source = {
            "scn": str(100 + offset),
            "commit_scn": str(200 + offset),
            "txId": f"1.2.{offset}",
        }
        source |= {"name": "o", "db": database, "schema": "APP", "table": "T", "snapshot": "false"}
        value = {"op": "c", "before": None, "after": {"ID": 1, "NOTE": note}, "source": source}
        return {"topic": "o.APP.T", "partition": 0, "offset": offset, "value": value}

    table = {
        "topic": "o.APP.T",
        "key": ["ID"],
        "columns": {"ID": "number(9)", "NOTE": "varchar2(9)"},
    }
    project = make_project(
        "several_databases",
        source_contract={"connector": "oracle", "topic_prefix": "o"},
        tables={
            "first": table | {"source_tables": ["PDB1.APP.T"]},
            "second": table | {"source_tables": ["PDB2.APP.T"]},
        },
    )
    project.land([row(0, "PDB1", "one"), row(1, "PDB2", "other")])
    project.run("run")
    notes = {
        name: sorted(row["NOTE"] for row in project.rows(f"cur_s__{name}"))
        for name in ("first", "second")
    }
    assert notes == {"first": ["one"], "second": ["other"]}
