"""Shards of one table on several MySQL servers in one model: a key is unique only in each of them
(contract: `key_within`), and each has its own log positions."""

import pytest

OLD_KEY, NEW_KEY = "__debezium.oldkey", "__debezium.newkey"


def place(file: int, position: int) -> str:
    return f"{file:010d}.{position:012d}.{0:010d}"


class Server:
    """Writes records of its shard, into its own topic or a shared one."""

    def __init__(self, name: str, topic: str, offsets):
        self.name, self.topic, self.offsets = name, topic, offsets

    def record(self, file: int, position: int, op: str, before=None, after=None, **headers):
        def image(row):
            return row and {"id": row[0], "note": row[1]}

        source = {"name": self.name, "db": "shop", "table": "o", "row": 0, "snapshot": "false"}
        source |= {"file": f"bin.{file:06d}", "pos": position, "ts_ms": 1_700_000_000_000}
        return {
            "topic": self.topic,
            "partition": 0,
            "offset": next(self.offsets),
            "value": {"op": op, "before": image(before), "after": image(after), "source": source},
            "headers": {name: f'{{"id":{key}}}' for name, key in headers.items()},
        }


@pytest.mark.parametrize("shared", [False, True], ids=["a-topic-each", "one-topic"])
def test_a_key_of_each_server_lives_its_own_life(shared, make_project, compared):
    topics = ["all.shop.o"] if shared else ["s1.shop.o", "s2.shop.o"]
    project = make_project(
        "servers_shared" if shared else "servers",
        source="src",
        source_contract={"connector": "mysql", "topic_prefix": "all" if shared else "s1"},
        tables={
            "o": {
                "topic": topics,
                "key": ["id"],
                "key_within": "physical_table",
                "truncate_empties": "partition",
                "columns": {"id": "int", "note": "varchar(9)"},
            }
        },
    )
    offsets = iter(range(100))
    s1 = Server("s1", topics[0], offsets)
    s2 = Server("s2", topics[-1], offsets)
    project.land(
        [s1.record(9, 500, "c", None, (1, "a")), born := s2.record(2, 4, "c", None, (1, "b"))]
    )
    project.run("run")
    project.land(
        [
            s1.record(9, 600, "u", (1, "a"), (1, "A")),
            s2.record(2, 90, "d", (1, "b"), None, **{NEW_KEY: 2}),
            s2.record(2, 90, "c", None, (2, "b"), **{OLD_KEY: 1}),
            s2.record(2, 95, "c", None, (3, "x")),
            dict(born, offset=next(offsets)),  # redelivered
            s2.record(3, 100, "t"),
        ]
    )
    project.run("run")
    versions = {
        (
            row["_cdc_key"].split(".")[0],
            row["id"],
            row["note"],
            row["_cdc_position"],
            row["_cdc_end_position"],
            row["_cdc_end_reason"],
        )
        for row in project.rows("hist_src__o")
    }
    assert versions == {
        ("s1", 1, "a", place(9, 500), place(9, 600), "update"),
        ("s1", 1, "A", place(9, 600), None, None),
        ("s2", 1, "b", place(2, 4), place(2, 90), "key change"),
        ("s2", 2, "b", place(2, 90), place(3, 100), "truncate"),
        ("s2", 3, "x", place(2, 95), place(3, 100), "truncate"),
    }
    assert [(row["id"], row["note"]) for row in project.rows("cur_src__o")] == [(1, "A")]
    counts = project.counts()
    assert not [c for c in counts if c[1] in ("alarm", "pending", "refused")], counts
    assert counts["o", "duplicate", "redelivered"] == 1
    compared["rows of hist_ with what was written by hand"] += len(versions)


def lsn(change: int) -> str:
    """The position of a change as SQL Server writes LSNs, and the commit after it."""
    return f"00000025:{change:08x}:0002"


def test_a_key_of_each_database_of_sql_server_lives_its_own_life(make_project, compared):
    """One server, whose LSNs count separately in each of its databases (key_within as for
    servers)."""
    project = make_project(
        "databases_of_sql_server",
        source="src",
        source_contract={"connector": "sqlserver", "topic_prefix": "s"},
        tables={
            "o": {
                "topic": ["s.d1.dbo.o", "s.d2.dbo.o"],
                "key": ["id"],
                "key_within": "physical_table",
                "truncate_empties": "partition",
                "columns": {"id": "int", "note": "nvarchar(9)"},
            }
        },
    )
    offsets = iter(range(100))

    def record(database: str, change: int, op: str, before=None, after=None, serial=1) -> dict:
        source = {"name": "s", "db": database, "schema": "dbo", "table": "o", "snapshot": "false"}
        source |= {"change_lsn": lsn(change), "commit_lsn": lsn(change), "event_serial_no": serial}
        images = (row and {"id": row[0], "note": row[1]} for row in (before, after))
        value = dict(zip(("before", "after"), images, strict=True)) | {"source": source, "op": op}
        topic = f"s.{database}.dbo.o"
        return {"topic": topic, "partition": 0, "offset": next(offsets), "value": value}

    born = record("d2", 4, "c", None, (1, "b"))
    project.land([record("d1", 900, "c", None, (1, "a")), born])
    project.run("run")
    project.land(
        [
            record("d1", 910, "u", (1, "a"), (1, "A"), serial=2),
            record("d2", 90, "d", (1, "b"), None),
            record("d2", 90, "c", None, (2, "b"), serial=2),
            dict(born, offset=next(offsets)),  # redelivered
        ]
    )
    project.run("run")
    versions = {
        (row["_cdc_key"].split(".")[1], row["id"], row["note"], row["_cdc_end_reason"])
        for row in project.rows("hist_src__o")
    }
    assert versions == {
        ("d1", 1, "a", "update"),
        ("d1", 1, "A", None),
        ("d2", 1, "b", "delete"),  # no header of SQL Server links it to its new key
        ("d2", 2, "b", None),
    }
    rows = [(row["id"], row["note"]) for row in project.rows("cur_src__o")]
    assert sorted(rows) == [(1, "A"), (2, "b")]
    counts = project.counts()
    assert not [c for c in counts if c[1] in ("alarm", "pending", "refused")], counts
    assert counts["o", "duplicate", "redelivered"] == 1
    compared["rows of hist_ with what was written by hand"] += len(versions)


IN_KEY = "__dbz__physicalTableIdentifier"


def flat(key: int, row: dict | None, shard: str | None, **told) -> dict:
    """A row without an envelope, or its delete, in a topic that all shards share."""
    named = {IN_KEY: f"srv.app.{shard}"} if shard else {}
    return {"key": {"id": key} | named, "value": row and row | told}


def event(place: int, op: str, row: dict, shard: str | None) -> dict:
    """A CloudEvent without attributes: only the record's key carries the shard."""
    images = {"before": row, "after": None} if op == "d" else {"before": None, "after": row}
    value = {"specversion": "1.0", "type": "io.debezium.connector.mysql.DataChangeEvent"}
    value |= {"id": f"name:srv;file:bin.000003;pos:{place};row:0", "source": "/debezium/mysql/srv"}
    value |= {"time": "2023-11-14T22:13:20.000Z", "data": images}
    return flat(row["id"], None, shard) | {"value": value}


def test_a_record_that_has_its_shard_in_its_key_alone(make_project):
    """Rows without envelopes and CloudEvents without attributes, routed into one topic: each delete
    ends the row of its own shard. A record without a shard is refused, or reported if the contract
    declares keys unique."""
    shards = {"key_within": "physical_table", "truncate_empties": "partition"}
    columns = {"id": "int", "v": "varchar(9)"}
    named = {"add_fields": ["op", "name", "db", "table"]}
    project = make_project(
        "shards_in_keys",
        source="src",
        source_contract={"connector": "mysql", "topic_prefix": "t"},
        tables={
            name: {"topic": f"t.app.{name}", "key": ["id"], "columns": columns} | more
            for name, more in {
                "flat": {"format": "unwrapped"} | named | shards,
                "event": {"format": "cloudevents"} | shards,
                "unsaid": {"format": "unwrapped"},
            }.items()
        },
    )

    def row(v: str) -> dict:
        return {"id": 1, "v": v}

    def of(shard: str) -> dict:
        return {"__op": "c", "__name": "srv", "__db": "app", "__table": shard}

    landed = {
        "flat": [
            *(flat(1, row(v), shard, **of(shard)) for v, shard in (("a", "t1"), ("b", "t2"))),
            flat(1, None, "t1"),
            flat(1, None, None),  # the row that it ends is unknowable
        ],
        "event": [
            event(100, "c", row("a"), "t1"),
            event(200, "c", row("b"), "t2"),
            event(300, "d", row("a"), "t1"),
            event(400, "d", row("b"), None),
        ],
        "unsaid": [flat(1, row("a"), "t1"), flat(1, row("b"), "t2"), flat(1, None, "t1")],
    }
    project.land(
        [
            record | {"topic": f"t.app.{table}", "partition": 0, "offset": offset}
            for table, records in landed.items()
            for offset, record in enumerate(records)
        ]
    )
    project.run("run")
    for table in ("flat", "event"):
        assert [row["v"] for row in project.rows(f"cur_src__{table}")] == ["b"], table
        [refused] = project.rows("dq_src__quarantine", f"table_name = '{table}'")
        assert refused["reason"] == "missing_key" and IN_KEY in refused["detail"], refused
    assert project.counts()["unsaid", "alarm", "several_source_tables"] > 0
