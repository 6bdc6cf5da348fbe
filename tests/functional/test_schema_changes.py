"""`schema_changes` and the models built from it: structures, their differences, columns missing
from contracts.

Expected values are the statements of the captures (source.sql) and the documentation's samples."""

import json
from datetime import UTC, datetime

import pytest

from afterimage.scaffold import known
from tests.functional.capture_project import landing_records, project_of
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.truth.captures import captures

TABLE = "{{ config(materialized='table') }}\n"


def models(tables: list[str]) -> dict[str, str]:
    logs = "[" + ", ".join(f"ref('stg_src__{table}')" for table in tables) + "]"
    landing = f"[source('src', '{tables[0]}')]"
    return {
        "changes": f"{TABLE}{{{{ afterimage.schema_changes({logs}, {landing}) }}}}\n",
        "structures": TABLE + "{{ afterimage.table_structures(ref('changes')) }}\n",
        "differences": TABLE + "{{ afterimage.structure_changes(ref('changes')) }}\n",
        "drift": f"{TABLE}{{{{ afterimage.contract_drift({logs}, {landing}, ref('changes')) }}}}\n",
    }


def metrics_model(tables: list[str]) -> str:
    logs = "[" + ", ".join(f"ref('stg_src__{table}')" for table in tables) + "]"
    of_source = f"{logs}, [source('src', '{tables[0]}')]"
    return f"{{{{ afterimage.metrics({of_source}, schema_changes=ref('changes')) }}}}\n"


def of_capture(name: str, tables: list[str], spark, tmp_path, **contracts):
    """The capture's project with only the change logs of some tables, and the models over them."""
    capture = captures()[name]
    project = project_of(capture, tmp_path / "project", spark, f"drift_{name.replace('-', '_')}")
    project.tables = {table: project.tables[table] for table in tables}
    for table, contract in contracts.items():
        project.tables[table] = project.tables[table] | contract
    # some have their own arguments, which take precedence
    project.source_contract["side_topics"] = {}
    project.layers = {key: ["stg"] for key in tables}
    project.extra_models = models(tables)
    project.extra_models["metrics"] = metrics_model(tables)
    for stale in (tmp_path / "project" / "models").glob("*.sql"):
        stale.unlink()
    project.write()
    project.land(landing_records(capture.records))
    project.run("run", "--exclude", "dq_*")
    return project


def differences(project, where: str = "true") -> list[tuple]:
    rows = project.rows("differences", where)
    names = ("table_in_source", "difference", "column_name", "was", "is_now")
    rows.sort(key=lambda row: (row["position"] or "", *(row[name] or "" for name in names)))
    return [tuple(row[name] for name in names) for row in rows]


def newest_types(project) -> dict[str, dict[str, str]]:
    """table of the source -> column -> type, of the newest structures"""
    found: dict[str, dict[str, str]] = {}
    for row in project.rows("structures", "is_current"):
        found.setdefault(row["table_in_source"], {})[row["column_name"]] = row["type"]
    return found


def read_alike(left: str, right: str, connector: str) -> bool:
    """Whether two texts are one type in a contract."""
    one, other = known.parsed(left, connector), known.parsed(right, connector)
    alike = ("name", "is_unsigned", "is_array")
    texts = known.connector(connector)["types"]["text"]
    if one["name"] in texts and other["name"] in texts:
        return True
    return all(one[key] == other[key] for key in alike) and (
        not (one["arguments"] and other["arguments"]) or one["arguments"] == other["arguments"]
    )


# --- captures ----------------------------------------------------------------------------------


@pytest.mark.shared
def test_of_mysql(spark, tmp_path, compared):
    project = of_capture(
        "mysql9-full",
        ["customers", "orders"],
        spark,
        tmp_path,
        customers={"columns": {"id": "int unsigned", "last_name": "varchar(50)", "note": "text"}},
        orders={"key": ["order_no"]},
    )
    try:
        told = project.rows("changes")
        noise = [row for row in told if row["is_snapshot"]]
        assert len({row["offset"] for row in noise}) == 14
        assert not [row for row in told if row["is_alarm"] or row["fault"] or row["is_repeat"]]
        assert differences(project, "difference <> 'table found'") == [
            ("shop.customers", "column added", "vip", None, "tinyint(1)"),
            ("shop.customers", "column renamed", "remark", "note", "remark"),
            ("shop.customers", "length changed", "last_name", "varchar(50)", "varchar(200)"),
            ("shop.customers", "column dropped", "remark", "text", None),
            ("shop.late", "table created", None, None, "shop.late"),
            ("shop.later", "table renamed", None, "shop.late", "shop.later"),
        ]
        spec = captures()["mysql9-full"].spec
        types = newest_types(project)
        for name, table in spec.tables.items():
            if name not in types:
                continue
            assert list(types[name]) == list(table.columns)
            for column, kind in table.columns.items():
                assert read_alike(types[name][column], kind.declared, "mysql"), column
                compared["types of columns told by schema changes"] += 1
        assert types["shop.later"] == {"id": "int", "v": "json"} and "shop.late" not in types
        asked = {
            (row["table_name"], row["drift"], row["column_name"]): row["contract_change"]
            for row in project.rows("drift")
        }
        scaffold = "afterimage scaffold --topic mysql9full.{} --landing drift_mysql9_full_landing"
        assert asked == {
            ("customers", "not declared", "first_name"): "columns: {first_name: varchar(50)}",
            ("customers", "not declared", "email"): "columns: {email: varchar(80)}",
            ("customers", "not declared", "vip"): "columns: {vip: tinyint(1)}",
            ("customers", "not declared", "updated_at"): "columns: {updated_at: timestamp(3)}",
            ("customers", "type differs", "last_name"): "columns: {last_name: varchar(200)}",
            ("customers", "gone", "note"): "# note stays in columns while history is to show it; "
            "a full refresh without it forgets it",
            # a column that was added and dropped requires nothing, though records have it
            ("customers", "not declared", "remark"): "afterimage drift --table src.customers",
            ("orders", "key differs", None): "key: [order_no, line]",
            **{
                (name, "table not declared", None): scaffold.format(name) + ".events"
                for name in ("shop.types", "shop.Mixed_Case", "shop.nopk", "shop.later")
            },
        }
        [gone] = project.rows("drift", "drift = 'gone'")
        assert gone["since_position"] == "0000000002.000000003167.0000000000"  # its rename
        metrics_of_mysql(project, ["customers", "orders"])
    finally:
        drop(spark, project)


def metrics_of_mysql(project, tables: list[str]) -> None:
    """Every metric of `streaming` and `schema-history`, as computed from the capture's records."""
    records = captures()["mysql9-full"].records
    told = [(r, json.loads(r.value)) for r in records if r.value]
    changes = [(r, v) for r, v in told if r.topic.removeprefix("mysql9full.shop.") in tables]
    streamed = [(r, v) for r, v in changes if v["op"] != "r"]
    ends = {v["id"] for r, v in told if r.topic.endswith(".transaction") and v["status"] == "END"}
    newest, value = max(streamed, key=lambda each: (each[1]["ts_us"], each[1]["source"]["pos"]))
    file = int(value["source"]["file"].split(".")[1])
    statements = [v for r, v in told if r.topic == "mysql9full"]
    position = f"{file:010d}.{value['source']['pos']:012d}.{value['source']['row']:010d}"
    expected = {
        ("streaming", "LastEvent"): f"{newest.topic} 0:{newest.offset} {value['op']}",
        ("streaming", "TotalNumberOfEventsSeen"): str(len(streamed)),
        ("streaming", "MilliSecondsBehindSource"): str(
            (value["ts_us"] - value["source"]["ts_us"]) // 1000
        ),
        ("streaming", "SourceEventPosition"): position,
        ("streaming", "LastTransactionId"): value["transaction"]["id"],
        ("streaming", "CapturedTables"): ",".join(f"mysql9full.shop.{name}" for name in tables),
        ("streaming", "NumberOfCommittedTransactions"): str(len(ends)),
        ("streaming", "BinlogFilename"): str(file),
        ("streaming", "BinlogPosition"): str(value["source"]["pos"]),
        ("snapshot", "TotalNumberOfEventsSeen"): str(len(changes) - len(streamed)),
        ("snapshot", "CapturedTables"): ",".join(f"mysql9full.shop.{name}" for name in tables),
        ("schema-history", "ChangesApplied"): str(len(statements)),
        ("schema-history", "LastAppliedChange"): statements[-1]["ddl"],
    }
    for name, op in (("Create", "c"), ("Update", "u"), ("Delete", "d")):
        seen = str(sum(v["op"] == op for _, v in streamed))
        expected["streaming", f"TotalNumberOf{name}EventsSeen"] = seen
    rows = project.rows("metrics", "since = 'landing' and table_name is null")
    found = {(row["context"], row["metric"]): row["value"] for row in rows}
    assert {key: found.get(key) for key in expected} == expected
    assert {row["connector"] for row in rows} == {"mysql9full"}
    # by the clock of the query
    now = datetime.now(UTC).timestamp() * 1000
    for key, at in {
        ("streaming", "MilliSecondsSinceLastEvent"): value["ts_ms"],
        ("schema-history", "MilliSecondsSinceLastAppliedChange"): statements[-1]["ts_ms"],
    }.items():
        assert now - at - 600_000 < int(found[key]) <= now - at, key
    # all of it by one run of the connector, which may have omitted nothing else
    of_run = project.rows("metrics", "since = 'start' and table_name is null")
    runs = {row["metric"]: row["value"] for row in of_run if row["context"] == "streaming"}
    assert runs["TotalNumberOfEventsSeen"] == str(len(streamed))
    of_tables = project.rows("metrics", "since = 'landing' and metric = 'TotalNumberOfEventsSeen'")
    assert {
        row["table_name"]: row["value"] for row in of_tables if row["context"] == "streaming"
    } == {None: str(len(streamed))} | {
        name: str(sum(r.topic.endswith(f".{name}") for r, _ in streamed)) for name in tables
    }


@pytest.mark.shared
def test_of_mariadb(spark, tmp_path, compared):
    project = of_capture(
        "mariadb-inventory",
        ["parts", "members"],
        spark,
        tmp_path,
        parts={"columns": {"box": "int", "slot": "varchar(10)", "sku": "bigint", "n": "int"}},
    )
    try:
        assert differences(project, "difference <> 'table found'") == [
            ("store.members", "column added", "points", None, "int"),
            ("store.members", "column dropped", "old_col", "int", None),
            ("store.parts", "type changed", "n", "int", "bigint"),
            ("store.late", "table created", None, None, "store.late"),
            ("store.items", "column added", "colour", None, "varchar(10)"),
            (
                "store.items",
                "labels changed",
                "size",
                "'S', 'M', 'L', 'x,l'",
                "'XS', 'S', 'M', 'L', 'x,l'",
            ),
        ]
        types = newest_types(project)
        for name, table in captures()["mariadb-inventory"].spec.tables.items():
            assert types[name].keys() == table.columns.keys()
            for column, kind in table.columns.items():
                assert read_alike(types[name][column], kind.declared, "mariadb"), column
                compared["types of columns told by schema changes"] += 1
        asked = {
            (row["table_name"], row["column_name"], row["contract_change"])
            for row in project.rows("drift", "drift = 'type differs'")
        }
        # an int read as bigint loses nothing; the earlier int type is reported all the same
        before = 'former_types: {"n": {"0000000006.000000000427.0000000000": int}}'
        assert asked == {
            ("parts", "sku", "columns: {sku: bigint unsigned}"),
            (
                "parts",
                "n",
                f'columns: {{"n": bigint}}\n{before}',
            ),
        }
    finally:
        drop(spark, project)


def test_types_as_told(spark, tmp_path, compared):
    project = of_capture("mysql-types", ["times"], spark, tmp_path)
    try:
        types = newest_types(project)
        for name, table in captures()["mysql-types"].spec.tables.items():
            for column, kind in table.columns.items():
                assert read_alike(types[name][column], kind.declared, "mysql"), (name, column)
                compared["types of columns told by schema changes"] += 1
    finally:
        drop(spark, project)


@pytest.mark.shared
def test_with_schema_blocks(spark, tmp_path):
    project = of_capture("mysql9-schema", ["customers"], spark, tmp_path)
    try:
        assert {row["fault"] for row in project.rows("changes")} == {None}
        assert len(differences(project, "difference <> 'table found'")) == 6
    finally:
        drop(spark, project)


# --- by hand -----------------------------------------------------------------------------------


def column(name: str, kind: str, length=None, scale=None, place=1, optional=True) -> dict:
    return {
        "name": name,
        "jdbcType": 4,
        "nativeType": None,
        "typeName": kind,
        "typeExpression": kind,
        "charsetName": None,
        "length": length,
        "scale": scale,
        "position": place,
        "optional": optional,
        "autoIncremented": False,
        "generated": False,
    }


def structure(*columns: dict, key=("id",)) -> dict:
    placed = [each | {"position": place} for place, each in enumerate(columns, 1)]
    return {"defaultCharsetName": None, "primaryKeyColumnNames": list(key), "columns": placed}


def message(offset: int, ddl: str | None, *changes: tuple, pos=None, snapshot="false") -> dict:
    """A schema change of MySQL. changes: (type, id, table)"""
    source = {"name": "p", "db": "s", "table": "", "snapshot": snapshot, "ts_ms": 1000 + offset}
    source |= {"file": "b.000001", "pos": 100 * offset if pos is None else pos, "row": 0}
    value = {"source": source, "ts_ms": 2000 + offset, "databaseName": "s", "schemaName": None}
    value["ddl"] = ddl
    value["tableChanges"] = [{"type": t, "id": i, "table": table} for t, i, table in changes]
    return {"topic": "p", "partition": 0, "offset": offset, "timestamp": 3000, "value": value}


def row(table: str, offset: int, op: str, pos: int, **after) -> dict:
    source = {"name": "p", "db": "s", "table": table, "snapshot": "false", "ts_ms": 1000}
    source |= {"file": "b.000001", "pos": pos, "row": 0}
    value = {"before": None, "after": after or None, "source": source, "op": op, "ts_ms": 1000}
    return {"topic": f"p.s.{table}", "partition": 0, "offset": offset, "value": value}


def no_place(told: dict, at: int | None) -> dict:
    """A message without position, and with another clock or none."""
    for name in ("file", "pos", "row", "ts_ms"):
        del told["value"]["source"][name]
    if at is not None:
        told["value"]["source"]["ts_ms"] = at
    return told


def made(make_project, name: str, tables=("a", "b"), **contract):
    """A project of MySQL unless the contract names another connector."""
    columns = {"id": "int", "v": "varchar(10)"}
    project = make_project(
        name,
        source="src",
        source_contract={"connector": "mysql", "topic_prefix": "p"} | contract,
        tables={
            table: {"topic": f"p.s.{table}", "key": ["id"], "columns": columns} for table in tables
        },
        layers={key: ["stg"] for key in tables},
        extra_models=models(list(tables)),
    )
    project.extra_models["alarms"] = "select * from {{ ref('changes') }} where is_alarm\n"
    (project.folder / "models" / "tests.yml").write_text(
        "models: [{name: changes, data_tests: [afterimage.cdc_no_end_by_ddl: {name: ended}]},"
        " {name: drift, data_tests: [afterimage.cdc_contract_fits: {name: fits}]}]\n"
    )
    project.write()
    return project


ID, V = column("id", "INT", optional=False), column("v", "VARCHAR", 10)


@pytest.mark.shows(
    "any",
    *(
        f"schema change, {kind}"
        for kind in ("of a snapshot", "create", "alter", "drop", "rename", "truncate", "no table")
    ),
    system="connector",
)
@pytest.mark.parametrize("connector", ["mysql", "mariadb"])
def test_what_statements_alone_tell(connector, make_project):
    project = made(make_project, f"schema_by_hand_{connector}", connector=connector)
    project.land(
        [
            message(0, "DROP TABLE IF EXISTS `s`.`a`", ("DROP", '"s"."a"', None), snapshot="true"),
            message(
                1,
                "CREATE TABLE `a` (…)",
                ("CREATE", '"s"."a"', structure(ID, V)),
                snapshot="true",
                pos=0,
            ),
            message(2, "create table b (…)", ("CREATE", '"s"."b"', structure(ID, V))),
            # several statements, a comment and a text that contain semicolons
            message(
                3,
                "/* a; b */ alter table a comment 'x; drop table b'; truncate table `a`;",
                ("ALTER", '"s"."a"', structure(ID, V)),
            ),
            message(4, "drop table b", ("DROP", '"s"."b"', None)),
            message(5, "drop table b", ("DROP", '"s"."b"', None), pos=400),  # redelivered
            # the documented form of a rename, and one of two tables at once
            message(6, "rename table c to d", ("ALTER", '"s"."c","s"."d"', structure(ID))),
            message(7, "rename table `e` to `f`, g to t2.g"),
            message(8, "drop database other"),
            message(9, "create view v as select 1"),
            {"topic": "p", "partition": 0, "offset": 10, "value": "{broken"},
            {"topic": "p", "partition": 0, "offset": 11, "value": {"ts_ms": 1}},
            {"topic": "p", "partition": 0, "offset": 12, "value": None},
            message(
                13,
                "RENAME TABLE `late TO` TO later",
                ("ALTER", '"s"."later"', structure(ID)),
            ),
            # rows were removed without events
            message(14, "ALTER TABLE b TRUNCATE PARTITION p0"),
            message(15, "alter table `s`.`b` exchange partition p0 with table old_b"),
            message(16, "create or replace table b (id int)"),
            # not such statements: of a session, after a comment mark, within other quotes
            message(17, "DROP /*!40005 TEMPORARY */ TABLE `a`"),
            message(18, "# c; drop table b\nanalyze table a"),
            message(19, 'analyze table a comment "x; drop table b"'),
            message(20, "truncate table b wait 5"),
            message(21, "rename user b to c"),
            message(22, "ALTER TABLE g2 ADD x INT, RENAME TO `h;2`"),
            message(23, "/*!50001 drop table if exists */ `b`"),
            no_place(message(24, "truncate table a"), at=500),
            row("a", 0, "c", 50, id=1, v="x"),
        ]
    )
    project.run("run", "--exclude", "dq_*")
    told = [
        (r["offset"], r["change"], r["former_table"], r["table_in_source"], r["fault"])
        for r in sorted(
            project.rows("changes"), key=lambda r: (r["offset"], r["change_number"] or 0)
        )
    ]
    assert told == [
        (0, "drop", None, "s.a", None),
        (1, "create", None, "s.a", None),
        (2, "create", None, "s.b", None),
        (3, "alter", None, "s.a", None),
        (3, "truncate", None, "s.a", None),
        (4, "drop", None, "s.b", None),
        (5, "drop", None, "s.b", None),
        (6, "rename", "s.c", "s.d", None),
        (7, "rename", "s.e", "s.f", None),
        (7, "rename", "s.g", "t2.g", None),
        (8, "drop database", None, "other", None),
        (9, "other", None, None, None),
        (10, None, None, None, "broken JSON"),
        (11, None, None, None, "no schema change"),
        (12, None, None, None, "no value"),
        (13, "rename", "s.late TO", "s.later", None),
        (14, "partition emptied", None, "s.b", None),
        (15, "partition emptied", None, "s.b", None),
        (15, "partition emptied", None, "s.old_b", None),
        (16, "replaced", None, "s.b", None),
        (17, "other", None, None, None),
        (18, "other", None, None, None),
        (19, "other", None, None, None),
        (20, "truncate", None, "s.b", None),
        (21, "other", None, None, None),
        (22, "rename", "s.g2", "s.h;2", None),
        (23, "drop", None, "s.b", None),
        (24, "truncate", None, "s.a", None),
    ]
    alarms = {(r["offset"], r["table_name"]) for r in project.rows("alarms", "not is_repeat")}
    of_b = {(offset, "b") for offset in (4, 14, 15, 16, 20, 23)}
    assert alarms == {(3, "a"), (24, "a"), *of_b}
    assert {r["offset"] for r in project.rows("alarms", "is_repeat")} == {5}
    with pytest.raises(DbtFailed, match="ended"):
        project.run("test", "--select", "ended")
    # the stream of `a` shows it after all
    project.land([row("a", 1, "t", 300)])
    project.run("run", "--exclude", "dq_*")
    assert {r["table_name"] for r in project.rows("alarms")} == {"b"}
    found = differences(project, "difference like 'table %' or difference like 'partition %'")
    assert [row for row in found if row[1] not in ("table found", "table created")] == [
        ("s.a", "table emptied", None, "s.a", None),
        ("s.a", "table emptied", None, "s.a", None),
        ("s.b", "table dropped", None, "s.b", None),
        ("s.d", "table renamed", None, "s.c", "s.d"),
        ("s.later", "table renamed", None, "s.late TO", "s.later"),
        ("s.b", "partition emptied", None, "s.b", None),
        ("s.b", "partition emptied", None, "s.b", None),
        ("s.old_b", "partition emptied", None, "s.old_b", None),
        ("s.b", "table replaced", None, "s.b", None),
        ("s.b", "table emptied", None, "s.b", None),
        ("s.b", "table dropped", None, "s.b", None),
    ]
    [dropped] = [r for r in project.rows("drift") if r["drift"] == "table gone"]
    assert (dropped["table_name"], dropped["since_position"]) == (
        "b",
        "0000000001.000000000400.0000000000",
    )


def test_another_table_takes_the_name(make_project):
    """The rows before belong to another table; not so for a tool that changes tables online, and
    for a table that is the same one by its contract."""
    project = made(make_project, "schema_swapped")
    project.tables["b"] |= {"topic": ["p.s.b", "p.s.b2"]}
    project.write()
    project.land(
        [
            row("a", 0, "c", 50, id=1, v="x"),
            row("b", 0, "c", 50, id=1, v="x"),
            message(1, "rename table new_a to a", pos=40),  # no row was there
            message(2, "RENAME TABLE `a` TO `_a_del`, `_a_gho` TO `a`"),
            message(3, "rename table a to _a_old, _a_new to a"),
            message(4, "rename table b to del_b, b2 to b"),
            message(5, "rename table a to del_a, new_a to a"),
        ]
    )
    project.run("run", "--select", "stg_src__a", "stg_src__b", "changes", "alarms")
    names = ("offset", "table_name", "former_table", "table_in_source")
    alarms = [tuple(r[name] for name in names) for r in project.rows("alarms")]
    assert alarms == [(5, "a", "s.new_a", "s.a")]
    with pytest.raises(DbtFailed, match="ended"):
        project.run("test", "--select", "ended")
    assert {r["is_alarm"] for r in project.rows("changes", "offset <> 5")} == {False}


def test_an_operator_says_what_became_of_the_rows(make_project):
    """As in docs/how-to/schema-changes.md, also without the alarm of accounting."""
    place = {"position": "0000000001.000000000400.0000000000", "source_ts": "2026-01-31 10:00:00"}
    ended = {"event": "1", "kind": "snapshot_complete", "source_name": "src", "table_name": "b"}
    project = made(make_project, "schema_operator", tables=("b",))
    project.layers = {}
    project.operator_events = [ended | place | {"note": "dropped"}]
    (project.folder / "models" / "more.yml").write_text(
        "models: [{name: dq_src__accounting, data_tests: [afterimage.cdc_conservation: {name: adds,"
        " config: {where: \"kind is distinct from 'complete_snapshot_read_nothing'\"}}]}]\n"
    )
    project.write()
    project.land([row("b", 0, "c", 50, id=1, v="x"), message(4, "drop table b")])
    project.run("seed")
    project.run("run")
    assert project.rows("alarms") == [] and project.rows("cur_src__b") == []
    project.run("test", "--select", "ended", "adds")
    # the log restarted with smaller positions: the operator's entry is from before
    epoch = {"event": "2", "kind": "epoch", "source_name": "src", "table_name": ""}
    project.operator_events.append(epoch | {"landed_from": "2026-02-01 00:00:00"})
    project.write()
    later = {"timestamp": 1_772_000_000_000}
    project.land([message(20, "truncate table b", pos=10) | later])
    project.run("seed")
    project.run("run", "--exclude", "dq_*")
    assert [(r["offset"], r["epoch"]) for r in project.rows("alarms")] == [(20, "e0001.")]


def test_tables_that_end(make_project):
    """A dropped database is all its tables; a table that was renamed; shards are one table."""
    project = made(make_project, "schema_database")
    project.tables["b"] |= {
        "topic": ["p.s.b", "p.s.b2"],
        "columns": {"id": "int", "v": "bigint"},
    }
    project.write()
    number, large = column("v", "INT"), column("v", "BIGINT")
    project.land(
        [
            message(0, "drop database `s`"),
            row("a", 0, "c", 50, id=1, v="x"),
            message(1, "create table a (…)", ("CREATE", '"s"."a"', structure(ID, V))),
            message(2, "create table b (…)", ("CREATE", '"s"."b"', structure(ID, number))),
            message(3, "create table b2 (…)", ("CREATE", '"s"."b2"', structure(ID, large))),
            message(4, "alter …", ("ALTER", '"s"."b"', structure(ID, large))),
            message(5, "alter …", ("ALTER", '"s"."b"', structure(ID, number))),
            message(6, "rename table a to a2", ("ALTER", '"s"."a2"', structure(ID, V))),
            message(7, "create table c (…)", ("CREATE", '"s"."c"', structure(ID))),
            message(8, "drop table c", ("DROP", '"s"."c"', None)),
        ]
    )
    project.run("run", "--exclude", "dq_*")
    alarms = sorted((r["table_name"], r["is_repeat"]) for r in project.rows("alarms"))
    assert alarms == [("a", False), ("b", False)]
    assert [r["was"] for r in project.rows("differences", "difference = 'database dropped'")] == [
        "s",
        "s",
    ]
    names = ("table_name", "drift", "column_name", "reported", "since_position", "contract_change")
    place = "0000000001.{:012d}.0000000000".format
    asked = {tuple(r[name] for name in names) for r in project.rows("drift")}
    scaffold = "afterimage scaffold --topic p.s.a2 --landing schema_database_landing.events"
    assert asked == {
        ("a", "table gone", None, "s.a2", place(600), "topic: [p.s.a, p.s.a2]"),
        ("s.a2", "table not declared", None, None, place(600), scaffold),
        (
            *("b", "type differs", "v", "int", place(500)),
            f'columns: {{v: int}}\nformer_types: {{v: {{"{place(500)}": bigint}}}}',
        ),
    }
    # a drop without a time is one
    project.land([no_place(message(9, "drop table b", ("DROP", '"s"."b"', None)), at=None)])
    project.run("run", "--select", "changes", "structures")
    current = {r["table_in_source"] for r in project.rows("structures", "is_current")}
    assert "s.c" not in current and "s.a2" in current


def test_a_topic_made_anew(make_project):
    """Offsets repeat, later and with other messages: each counts as one, in landing order."""
    project = made(make_project, "schema_anew")
    project.extra_models["metrics"] = metrics_model(["a", "b"])
    project.write()
    create, alter = ("CREATE", '"s"."a"', structure(ID, V)), "alter table b …"
    unplaced = no_place(message(5, None, ("CREATE", '"s"."d"', structure(ID, V))), at=None)
    unplaced_later = no_place(message(3, None, ("ALTER", '"s"."d"', structure(ID))), at=None)
    before = [
        message(0, "create table a (…)", create, pos=100),
        message(1, "create table b (…)", ("CREATE", '"s"."b"', structure(ID, V)), pos=150),
        message(2, alter, ("ALTER", '"s"."b"', structure(ID)), pos=160),
        unplaced,
        message(9, "rename table a to a1", ("ALTER", '"s"."a1"', structure(ID, V)), pos=200),
    ]
    after = [
        message(0, "create table a (…)", create, pos=300),
        message(1, alter, ("ALTER", '"s"."b"', structure(ID)), pos=160),
        message(2, "rename table a to a2", ("ALTER", '"s"."a2"', structure(ID, V)), pos=400),
        unplaced_later,
        message(5, "truncate table a2", pos=500),
    ]
    project.land([*before, *(each | {"timestamp": 9000} for each in after)])
    project.run("run", "--exclude", "dq_*")
    names = ("offset", "change", "table_in_source", "former_table", "is_repeat")
    told = {
        landed: sorted(
            (tuple(r[name] for name in names) for r in project.rows("changes", f"{seconds}")),
            key=str,
        )
        for landed, seconds in (
            ("before", "unix_millis(landed_at) = 3000"),
            ("after", "unix_millis(landed_at) = 9000"),
        )
    }
    assert told == {
        "before": [
            (0, "create", "s.a", None, False),
            (1, "create", "s.b", None, False),
            (2, "alter", "s.b", None, False),
            (5, "create", "s.d", None, False),
            (9, "rename", "s.a1", "s.a", False),
        ],
        "after": [
            (0, "create", "s.a", None, False),
            (1, "alter", "s.b", None, True),
            (2, "rename", "s.a2", "s.a", False),
            (3, "alter", "s.d", None, False),
            (5, "truncate", "s.a2", None, False),
        ],
    }
    assert newest_types(project)["s.d"] == {"id": "int"}
    [gone] = project.rows("drift", "drift = 'table gone'")
    assert (gone["table_name"], gone["reported"]) == ("a", "s.a2")
    metrics = {r["metric"]: r["value"] for r in project.rows("metrics")}
    assert metrics["ChangesApplied"] == "10"
    assert metrics["LastAppliedChange"] == "truncate table a2"


def test_columns_that_changed(make_project):
    """Nullability, default, key, quoted names; and a signal that carries a structure."""
    project = made(make_project, "schema_columns", tables=("a",), helper_tables={"s.sig": "signal"})
    odd = column('we"ird `c', "INT")
    value = {"database": "s", "schema": None}
    value["changes"] = [{"type": "ALTER", "id": '"s"."a"', "table": structure(ID, key=())}]
    after = {"id": "1", "type": "schema-changes", "data": json.dumps(value)}
    project.land(
        [
            message(0, "c", ("CREATE", '"s"."a"', structure(ID, V, odd)), snapshot="true"),
            message(
                1,
                "alter table a …",
                (
                    "ALTER",
                    '"s"."a"',
                    structure(
                        ID | {"comment": "the key"},
                        V | {"optional": False, "defaultValueExpression": "x"},
                        odd,
                        key=("v",),
                    ),
                ),
            ),
            message(
                2,
                'alter table a change column `we"ird ``c` "n" int',
                (
                    "ALTER",
                    '"s"."a"',
                    structure(
                        ID | {"comment": "the key"},
                        V | {"optional": False, "defaultValueExpression": "x"},
                        column("n", "INT"),
                        key=("v",),
                    ),
                ),
            ),
            row("sig", 0, "c", 900, **after),
        ]
    )
    project.run("run", "--exclude", "dq_*")
    assert differences(project) == [
        ("s.a", "table found", None, None, "s.a"),
        ("s.a", "comment changed", "id", None, "the key"),
        ("s.a", "default changed", "v", None, "x"),
        ("s.a", "key changed", None, "id", "v"),
        ("s.a", "nullability changed", "v", "null", "not null"),
        ("s.a", "column added", "n", None, "int"),
        ("s.a", "column dropped", 'we"ird `c', "int", None),
        ("s.a", "column dropped", "n", "int", None),
        ("s.a", "column dropped", "v", "varchar(10)", None),
        ("s.a", "comment changed", "id", "the key", None),
        ("s.a", "key changed", None, "v", ""),
    ]
    assert {r["reported_by"] for r in project.rows("changes")} == {"topic", "signal"}
    with pytest.raises(DbtFailed, match="fits"):
        project.land([message(3, "x", ("ALTER", '"s"."a"', structure(ID, V, odd)), pos=9999)])
        project.run("run", "--exclude", "dq_*")
        project.run("test", "--select", "fits")
    [asked] = project.rows("drift", "drift = 'not declared'")
    assert asked["contract_change"] == 'columns: {"we\\"ird `c": int}'


SAMPLES = {
    # 001:11814, 001:20228, 001:813; types as the samples write them
    "oracle": (
        {"scn": "1513734", "commit_scn": "1513754", "db": "ORCLPDB1", "schema": "DEBEZIUM"},
        '"ORCLPDB1"."DEBEZIUM"."CUSTOMERS"',
        [column("ID", "NUMBER", 9, 0), column("FIRST_NAME", "VARCHAR2", 255)],
        "server1.DEBEZIUM.CUSTOMERS",
        {"ID": "number(9,0)", "FIRST_NAME": "varchar2(255)"},
    ),
    "sqlserver": (
        {
            "change_lsn": None,
            "commit_lsn": "00000025:00000d98:00a2",
            "event_serial_no": None,
            "db": "testDB",
            "schema": "dbo",
        },
        '"testDB"."dbo"."customers"',
        [column("id", "int identity", 10, 0), column("first_name", "varchar", 255)],
        "server1.testDB.dbo.customers",
        {"id": "int", "first_name": "varchar(255)"},
    ),
    "db2": (
        {"change_lsn": None, "commit_lsn": "00000025:00000d98:00a2", "db": "TESTDB"}
        | {"schema": "DB2INST1"},
        '"TESTDB"."DB2INST1"."CUSTOMERS"',
        [column("ID", "int identity", 10, 0), column("FIRST_NAME", "varchar", 255)],
        "server1.DB2INST1.CUSTOMERS",
        {"ID": "int", "FIRST_NAME": "varchar(255)"},
    ),
}


@pytest.mark.shows(
    "any",
    *(f"schema change, {kind}" for kind in ("create", "alter", "drop")),
    system="connector",
)
@pytest.mark.parametrize(
    "connector",
    [
        pytest.param(
            "oracle",
            marks=pytest.mark.shows(
                "any",
                *(
                    f"schema change, {kind}"
                    for kind in ("of a snapshot", "rename", "truncate", "no table")
                ),
                system="connector",
            ),
        ),
        *(
            pytest.param(
                name,
                marks=pytest.mark.shows("any", "schema change, no text", system="connector"),
            )
            for name in ("sqlserver", "db2")
        ),
    ],
)
def test_as_the_documents_show_them(connector, make_project):
    source, id_, columns, topic, types = SAMPLES[connector]
    key = columns[0]["name"]
    project = make_project(
        f"schema_sample_{connector}",
        source="src",
        source_contract={"connector": connector, "topic_prefix": "server1"},
        tables={"customers": {"topic": topic, "key": [key], "columns": {key: types[key]}}},
        layers={"customers": ["stg"]},
        extra_models=models(["customers"]),
    )
    attributes = {"attributes": [{"customAttribute": "value"}]}
    renamed = [columns[0], columns[1] | {"name": "renamed"}]
    first, second = (structure(*of, key=[key]) | attributes for of in (columns, renamed))
    steps = [("CREATE", id_, first, None), ("ALTER", id_, second, None)]
    if connector == "oracle":  # its messages have statements
        others = ",".join(id_.replace("CUSTOMERS", name) for name in ("OLD", "NEW"))
        steps = [
            ("CREATE", id_, first, 'CREATE TABLE "DEBEZIUM"."CUSTOMERS" (…);'),
            (
                "ALTER",
                id_,
                second,
                'ALTER TABLE "CUSTOMERS" RENAME COLUMN FIRST_NAME TO "renamed";',
            ),
            ("ALTER", others, first, "ALTER TABLE OLD RENAME TO NEW;"),
            (None, None, None, "CREATE INDEX I ON CUSTOMERS (ID);"),
            ("ALTER", id_, second, "truncate table debezium.customers"),
        ]
    steps.append(("DROP", id_, None, "drop table CUSTOMERS" if connector == "oracle" else None))
    for offset, (type_, of, table, ddl) in enumerate(steps):
        snapshot = "true" if connector == "oracle" and not offset else "false"
        value = {"source": source | {"name": "server1", "snapshot": snapshot, "ts_ms": 0}}
        value |= {"ts_ms": 1588252618953, "databaseName": source["db"], "ddl": ddl}
        value["schemaName"] = source["schema"]
        value["tableChanges"] = [{"type": type_, "id": of, "table": table}] if type_ else []
        record = {"topic": "server1", "partition": 0, "offset": offset}
        project.land([record | {"value": {"schema": {"type": "struct"}, "payload": value}}])
    other = id_.replace(columns_table := id_.split('"')[-2], "Other")
    value = {"source": source | {"name": "server1", "snapshot": "false", "ts_ms": 0}, "ddl": None}
    value["tableChanges"] = [{"type": "CREATE", "id": other, "table": structure(*columns)}]
    record = {"topic": "server1", "partition": 0, "offset": len(steps), "value": value}
    project.land([record])
    # once its changes carry the table's name, its topic carries nothing else
    change = {"name": "server1", "table": columns_table, "snapshot": "false", "ts_ms": 0}
    change |= {name: given or "00000025:00000d98:00a2" for name, given in source.items()}
    change |= {"ts_ms": 0, "event_serial_no": 1} if connector == "sqlserver" else {}
    change |= {"txId": "5.6.641", "event_serial_no": 1}
    image = {"before": None, "after": {key: 1}, "source": change, "op": "c", "ts_ms": 1}
    project.land([{"topic": topic, "partition": 0, "offset": 0, "value": image}])
    project.run("run", "--exclude", "dq_*quarantine")
    assert len(project.rows("stg_src__customers")) == 1, project.counts()
    changes = project.rows("changes")
    told = sorted(
        (r["offset"], r["change"], r["table_name"], r["fault"], r["is_alarm"]) for r in changes
    )
    assert [(change, table) for _, change, table, _, _ in told] == [
        ("create", "customers"),
        ("alter", "customers"),
        *(
            [
                ("rename", None),
                ("other", None),
                ("alter", "customers"),  # the message's account of the table, and its statement
                ("truncate", "customers"),
            ]
            if connector == "oracle"
            else []
        ),
        ("drop", "customers"),
        ("create", None),
    ]
    asked = project.rows("drift", "drift = 'table not declared'")
    topics = {row["contract_change"].split()[3] for row in asked}
    names = {"Other", "NEW"} if connector == "oracle" else {"Other"}
    assert topics == {topic.replace(columns_table, name) for name in names}
    assert {fault for _, _, _, fault, _ in told} == {None}
    ends = ("truncate", "drop")
    assert [alarm for *_, alarm in told] == [change in ends for _, change, *_ in told]
    first = {
        r["column_name"]: r["type"]
        for r in project.rows("structures", "version = 1 and table_name is not null")
    }
    assert first == types
    customers = id_.replace('"', "")
    assert {row[1:] for row in differences(project, f"table_in_source = '{customers}'")} == {
        ("table found" if connector == "oracle" else "table created", None, None, customers),
        ("column renamed", "renamed", columns[1]["name"], "renamed"),
        ("table dropped", None, customers, None),
        *([("table emptied", None, customers, None)] if connector == "oracle" else []),
    }
    assert all(known.parsed(kind, connector) for kind in types.values())


# --- without such a topic ----------------------------------------------------------------------


def change_of_postgres(offset: int, op: str, schema: bool = False, **after) -> dict:
    source = {"lsn": 100 + offset, "txId": 1, "snapshot": "false", "name": "p", "ts_ms": 1000}
    source |= {"schema": "s", "table": "a"}
    value = {"before": None, "after": after, "source": source, "op": op}
    if schema:
        fields = [
            {"type": "int32", "optional": False, "field": "id"},
            {"type": "int64", "name": "io.debezium.time.MicroTimestamp", "field": "at"},
            {"type": "string", "optional": True, "field": "note"},
        ]
        image = {"type": "struct", "fields": fields, "optional": True, "field": "after"}
        block = {"type": "struct", "fields": [image], "name": "p.s.a.Envelope"}
        value = {"schema": block, "payload": value}
    return {"topic": "p.s.a", "partition": 0, "offset": offset, "value": value}


def test_keys_of_records_that_are_wider(make_project):
    """Rows that differ only in a column of the record's key would be one row to the models."""
    columns = {"id": "int", "tenant": "int"}
    topics = ["wide", "as_declared", "other", "routed", "struct", "structs", "renamed", "former"]
    topics += ["flat"]
    former = {"former_names": {"id": ["no"]}}
    flat = {"format": "unwrapped", "delete_tombstone_handling_mode": "rewrite"}
    project = make_project(
        "drift_of_keys",
        source="src",
        source_contract={"connector": "postgresql", "topic_prefix": "p"},
        tables={
            name: {"topic": f"p.s.{name}", "key": ["id"], "columns": columns}
            | (former if name in ("renamed", "former") else {})
            | (flat if name == "flat" else {})
            for name in topics
        },
        layers={name: ["stg"] for name in topics},
        extra_models={
            "drift": TABLE
            + "{{ afterimage.contract_drift(["
            + ", ".join(f"ref('stg_src__{name}')" for name in topics)
            + "], [source('src', 'wide')]) }}\n"
        },
    )
    wide = {"tenant": 7, "id": 1}
    key_of_router = {"id": 1, "__dbz__physicalTableIdentifier": "p.s.a"}
    keys = {
        "wide": [{"id": 1}, wide],
        "as_declared": [wide, {"id": 1}],
        # message.key.columns may name other columns than the key's
        "other": [{"tenant": 7}],
        # and if no before image shows a key that changes
        "flat": [{"tenant": 7}],
        "routed": [key_of_router],
        # as a string converter writes them
        "struct": ["Struct{id=1}"],
        "structs": ["Struct{tenant=7,id=1}"],
        # the column had another name
        "renamed": [{"no": 1}],
        "former": [{"tenant": 7, "no": 1}],
    }
    project.land(
        [
            (
                {"partition": 0, "offset": offset, "value": {"id": 1, "tenant": 7}}
                if name == "flat"
                else change_of_postgres(offset, "c", id=1, tenant=7)
            )
            | {"topic": f"p.s.{name}", "key": key}
            for name in topics
            for offset, key in enumerate(keys[name])
        ]
    )
    project.run("run", "--exclude", "dq_*")
    found = project.rows("drift")
    assert {
        (row["drift"], row["reported_by"], row["declared"], row["contract_change"]) for row in found
    } == {
        ("key differs", "observed", "id", "key: [tenant, id]"),
        ("key differs", "observed", "id", "key: [tenant]"),
    }
    assert {row["table_name"]: row["reported"] for row in found} == {
        "wide": "tenant, id",
        "structs": "tenant, id",
        "former": "tenant, no",
        "flat": "tenant",
    }


def test_of_postgresql(make_project):
    project = make_project(
        "drift_postgresql",
        source="src",
        source_contract={"connector": "postgresql", "topic_prefix": "p"},
        tables={
            "a": {"topic": "p.s.a", "key": ["id"], "columns": {"id": "int", "gone": "text"}},
        },
        layers={"a": ["stg"]},
        extra_models={
            "drift": TABLE
            + "{{ afterimage.contract_drift([ref('stg_src__a')], [source('src', 'a')]) }}\n"
        },
    )
    (project.folder / "models" / "tests.yml").write_text(
        "models: [{name: drift, data_tests: [afterimage.cdc_contract_fits: {name: fits}]}]\n"
    )
    project.land(
        [
            change_of_postgres(0, "c", id=1, gone="x"),
            change_of_postgres(1, "u", id=1, gone="y", list=[1], at=7),
            change_of_postgres(2, "c", schema=True, id=2, at=5, note="n"),
            change_of_postgres(3, "c", id=3, at=5, note="n", list=[2]),
        ]
    )
    project.run("run", "--exclude", "dq_*")
    names = ("drift", "column_name", "reported_by", "reported", "since_position", "records")
    found = sorted(tuple(r[name] for name in names) for r in project.rows("drift"))
    assert found == [
        ("gone", "gone", "observed", None, "00000000000000000102", 2),
        ("not declared", "at", "observed", "BIGINT", "00000000000000000101", 3),
        ("not declared", "list", "observed", "ARRAY", "00000000000000000101", 2),
        ("not declared", "note", "observed", "STRING", "00000000000000000102", 2),
    ]
    # a record at the same offset of a recreated topic is another one
    anew = change_of_postgres(3, "c", schema=True, id=3, at=5, note="n")
    project.land([anew | {"timestamp": 1_772_000_000_000}])
    project.run("run", "--select", "drift")
    assert {r["reported_by"] for r in project.rows("drift")} == {"observed"}
    # once the newest record with it has a schema, that gives the type
    project.land([change_of_postgres(4, "c", schema=True, id=4, at=5, note="n")])
    project.run("run", "--exclude", "dq_*")
    told = {r["column_name"]: (r["reported_by"], r["reported"]) for r in project.rows("drift")}
    assert told["at"] == ("schema block", "io.debezium.time.MicroTimestamp")
    assert told["note"] == ("schema block", "string")
    asked = {r["contract_change"] for r in project.rows("drift", "drift = 'not declared'")}
    assert asked == {"afterimage drift --table src.a"}
    # declared since: rows from before, which keep it with their undeclared fields, are not affected
    project.tables["a"]["columns"] |= {"at": "timestamp", "list": "int[]", "note": "text"}
    project.tables["a"]["null_when_not_sent"] = []
    project.write()
    project.run("run", "--exclude", "dq_*")
    told = {(r["drift"], r["column_name"], r["records"]) for r in project.rows("drift")}
    assert told == {
        ("gone", "gone", 3),
        ("kept in _cdc_extra", "at", 4),
        ("kept in _cdc_extra", "list", 2),
        ("kept in _cdc_extra", "note", 3),
    }
    project.run("test", "--select", "fits")
    project.run("run", "--full-refresh", "--select", "stg_src__a", "drift")
    assert "kept in _cdc_extra" not in {r["drift"] for r in project.rows("drift")}


@pytest.mark.shared
def test_of_a_registry(spark, tmp_path):
    capture = captures()["pg-avro"]
    project = project_of(capture, tmp_path / "project", spark, "drift_registry")
    try:
        columns = dict(project.tables["customers"]["columns"])
        del columns["added"], columns["seen"]
        project.tables = {"customers": project.tables["customers"] | {"columns": columns}}
        project.layers = {"customers": ["stg"]}
        project.extra_models = {
            "drift": TABLE + "{{ afterimage.contract_drift([ref('stg_src__customers')],"
            " [source('src', 'customers')]) }}\n"
        }
        for stale in (tmp_path / "project" / "models").glob("*.sql"):
            stale.unlink()
        project.write()
        project.run("run", "--exclude", "dq_*")  # the registry has it before any record arrives
        told = {
            (r["column_name"], r["reported_by"], r["reported"], r["records"])
            for r in drifted(project)
        }
        assert told == {
            ("added", "registry", "string", 0),
            ("seen", "registry", "io.debezium.time.ZonedTimestamp", 0),
        }
        project.land(landing_records(capture.records))
        project.run("run", "--exclude", "dq_*")
        seen = {r["column_name"]: r["records"] for r in drifted(project)}
        topic = "pgavro.public.customers"
        rows = [json.loads(r.value) for r in capture.envelopes if r.topic == topic and r.value]
        images = [(v["after"] or v["before"]) for v in rows]
        assert seen == {name: sum(name in image for image in images) for name in ("added", "seen")}
    finally:
        drop(spark, project)


def drifted(project) -> list[dict]:
    return project.rows("drift", "drift = 'not declared'")
