"""`transactions` and `as_of_last_complete`: which transactions are complete in the change logs, and
several tables as they were together, although their topics arrive separately."""

import json
from dataclasses import replace

import pytest

from tests.functional.capture_project import landing_records, project_of, table_name
from tests.functional.conftest import drop
from tests.functional.project import DbtFailed
from tests.functional.transaction_project import states
from tests.oracle.fold import fold
from tests.oracle.postgres import UNKNOWN
from tests.truth.captures import captures
from tests.truth.compare import canonical, canonical_key

TRANSACTIONS = "{{ afterimage.transactions([LOGS], [source('src', 'TABLE')], [HISTORIES]) }}\n"
TOGETHER = (
    "{{ afterimage.as_of_last_complete(ref('hist_src__TABLE'), ref('stg_src__TABLE'),"
    " ref('transactions')) }}\n"
)

ABANDONED = (
    "{{ afterimage.transactions([ref('stg_src__a'), ref('stg_src__b')], [source('src', 'a')],"
    " abandoned=ref('abandoned_transactions')) }}\n"
)
# dbt-spark writes an empty cell of a seed as the text None
SEED = "transaction_id,note\n,its id is not known yet\n12,\n"


def models(tables: list[str], with_histories: bool = True) -> dict[str, str]:
    """name -> SQL of a model: the transactions of the tables, and each table as of the last
    complete one."""
    logs, histories = (
        ", ".join(f"ref('{layer}_src__{table}')" for table in tables) for layer in ("stg", "hist")
    )
    sql = TRANSACTIONS.replace("LOGS", logs)
    sql = sql.replace("HISTORIES", histories if with_histories else "")
    found = {"transactions": sql.replace("TABLE", tables[0])}
    if not with_histories:
        return found
    return found | {f"{table}_together": TOGETHER.replace("TABLE", table) for table in tables}


# --- by hand -----------------------------------------------------------------------------------


def boundary(offset: int, status: str, id_: str, at: int, **counts: int) -> dict:
    collections = [{"data_collection": n, "event_count": c} for n, c in counts.items()] or None
    value = {"status": status, "id": id_, "ts_ms": at, "event_count": sum(counts.values()) or None}
    value["data_collections"] = collections
    return {"topic": "p.transaction", "partition": 0, "offset": offset, "value": value}


def change(table: str, offset: int, tx: int, order: int, id_: int, at: int, lsn: int) -> dict:
    source = {"lsn": lsn, "txId": tx, "snapshot": "false", "name": "p", "schema": "s"}
    source |= {"table": table, "ts_ms": at}
    transaction = {"id": f"{tx}:{lsn}", "total_order": order, "data_collection_order": 1}
    value = {"before": None, "after": {"id": id_}, "source": source, "op": "c"}
    value["transaction"] = transaction
    return {"topic": f"p.s.{table}", "partition": 0, "offset": offset, "value": value}


def message(topic: str, offset: int, at: int, lsn: int) -> dict:
    """What pg_logical_emit_message(false, …) writes: without a transaction, so none counts it."""
    source = {"lsn": lsn, "txId": None, "snapshot": "false", "name": "p", "schema": ""}
    value = {"source": source | {"table": "", "ts_ms": at}, "op": "m", "ts_ms": at}
    value["message"] = {"prefix": "between", "content": "aGk="}
    return {"topic": topic, "partition": 0, "offset": offset, "value": value}


@pytest.mark.shows("postgresql", "any", "transaction BEGIN", "transaction END")
def test_what_a_transaction_may_lack(make_project):
    """Table `bag` has no key: an update moves its row to another text."""
    tables = {
        name: {"topic": f"p.s.{name}", "key": ["id"], "columns": {"id": "int"}}
        for name in ("a", "b")
    }
    tables["bag"] = {"topic": "p.s.bag", "key": [], "replica_identity": "full"}
    tables["bag"]["columns"] = {"id": "int"}
    project = make_project(
        "transactions_by_hand",
        source="src",
        source_contract={"connector": "postgresql", "topic_prefix": "p"},
        tables=tables,
        extra_models=models(["a", "b", "bag"]) | {"abandoned": ABANDONED},
    )
    whole = {"name": "whole", "arguments": {"hours": 1}}
    tests = [{"name": "transactions", "data_tests": [{"afterimage.cdc_transactions_whole": whole}]}]
    (project.folder / "models" / "tests.yml").write_text(json.dumps({"models": tests}))
    seeds = project.folder / "seeds"
    seeds.mkdir()
    (seeds / "abandoned_transactions.csv").write_text(SEED)
    types = {"column_types": {"transaction_id": "string", "note": "string"}}
    seed = {"seeds": [{"name": "abandoned_transactions", "config": types}]}
    (seeds / "seeds.yml").write_text(json.dumps(seed))
    project.run("seed", "--select", "abandoned_transactions")
    collections = {"s.a": 1, "s.b": 1}
    late = change("b", 1, 12, 2, 12, at=3000, lsn=62)
    moved = change("bag", 1, 14, 2, 101, at=5000, lsn=82)
    moved["value"] |= {"op": "u", "before": {"id": 100}}
    project.land(
        [
            change("a", 0, 9, 1, 9, at=500, lsn=30),  # from before the first boundary
            change("bag", 0, 9, 2, 100, at=500, lsn=31),
            boundary(0, "BEGIN", "10:40", 1000),
            change("a", 1, 10, 1, 10, at=1000, lsn=40),
            message("p.message", 0, at=1000, lsn=40),
            message("p.s.a", 6, at=1000, lsn=40),  # routed to the topic of a table
            change("b", 0, 10, 2, 10, at=1000, lsn=41),
            boundary(1, "END", "10:42", 1000, **collections),
            boundary(1, "END", "10:42", 1000, **collections),  # landed again
            boundary(2, "BEGIN", "11:50", 2000),
            boundary(3, "END", "11:51", 2000, **{"s.other": 3}),
            boundary(4, "BEGIN", "12:60", 3000),
            change("a", 2, 12, 1, 12, at=3000, lsn=61),
            boundary(5, "END", "12:63", 3000, **collections),
            boundary(6, "BEGIN", "13:70", 4000),
            change("a", 3, 13, 1, 13, at=4000, lsn=71),
            boundary(7, "END", "13:72", 4000, **{"s.a": 1}),
            boundary(8, "BEGIN", "14:80", 5000),
            change("a", 4, 14, 1, 14, at=5000, lsn=81),
            moved,
            change("a", 5, 15, 1, 15, at=6000, lsn=91),
        ]
    )
    project.run("run")
    assert states(project) == {
        ("9", None): (("a", None, 1, "earlier", True), ("bag", None, 1, "earlier", True)),
        ("10", "s.a"): ("a", 1, 1, "complete", True),
        ("10", "s.b"): ("b", 1, 1, "complete", True),
        ("11", "s.other"): (None, 3, 0, "not declared", True),
        ("12", "s.a"): ("a", 1, 1, "complete", False),
        ("12", "s.b"): ("b", 1, 0, "missing", False),
        ("13", "s.a"): ("a", 1, 1, "complete", False),
        ("14", None): (("a", None, 1, "open", False), ("bag", None, 1, "open", False)),
        ("15", None): ("a", None, 1, "unbounded", False),
    }

    def together() -> dict[str, list]:
        return {
            name: sorted(row["id"] for row in project.rows(f"{name}_together"))
            for name in ("a", "b", "bag")
        }

    so_far = {"a": [9, 10], "b": [10], "bag": [100]}
    assert together() == so_far
    with pytest.raises(DbtFailed, match="whole"):
        project.run("test", "--select", "whole")
    [abandoned] = project.rows("abandoned", "state = 'abandoned'")
    assert (abandoned["transaction_id"], abandoned["is_settled"]) == ("12", True)
    assert project.rows("abandoned", "state = 'missing'") == []

    # a run that ends between two histories shows nothing new in a single table
    project.land([late])
    project.run("run", "--select", "stg_src__*", "hist_src__a", "hist_src__bag")
    assert together() == so_far
    project.run("run", "--select", "transactions")
    assert together() == so_far
    project.run("run", "--exclude", "cur_*", "dq_*")
    assert together() == {"a": [9, 10, 12, 13], "b": [10, 12], "bag": [100]}
    project.run("test", "--select", "whole")
    rows = project.rows("transactions")
    assert not [row for row in rows if row["state"] == "missing"]
    assert project.rows("abandoned", "state = 'abandoned'") == []  # the change arrived after all
    [tenth] = [row for row in rows if (row["transaction_id"], row["table_name"]) == ("10", "a")]
    assert (tenth["source_name"], tenth["topic"], tenth["ended_order"]) == (
        "src",
        "p.transaction",
        "00000000000000000001",
    )


@pytest.mark.shows("any", "transaction BEGIN", "transaction END", system="connector")
@pytest.mark.parametrize(
    ("connector", "id_", "tx", "collection", "topic", "source"),
    [
        (
            "oracle",
            "5.6.641",
            "0500060081020000",
            "PDB.S.A",
            "p.S.A",
            {"db": "PDB", "schema": "S", "table": "A", "scn": "7", "commit_scn": "8"},
        ),
        (
            "oracle",
            "02000a0037030000",
            "2.10.823",
            "PDB.S.A",
            "p.S.A",
            {"db": "PDB", "schema": "S", "table": "A", "scn": "7", "commit_scn": "8"},
        ),
        (
            "sqlserver",
            "00000025:00000d98:00a2",
            None,
            "d.s.d.a",
            "p.d.s.a",
            {
                "db": "d",
                "schema": "s",
                "table": "a",
                "commit_lsn": "00000025:00000d98:00a2",
                "change_lsn": "00000025:00000d98:0002",
                "event_serial_no": 1,
            },
        ),
        (
            "db2",
            "00000025:00000d98:00a2",
            None,
            "d.s.a",
            "p.s.a",
            {
                "db": "d",
                "schema": "s",
                "table": "a",
                "commit_lsn": "00000025:00000d98:00a2",
                "change_lsn": "00000025:00000d98:0002",
            },
        ),
        (
            "mysql",
            "24bc7850-2c16-11e6-a073-0242ac110002:2",
            None,
            "s.a",
            "p.s.a",
            {
                "db": "s",
                "table": "a",
                "gtid": "24bc7850-2c16-11e6-a073-0242ac110002:2",
                "file": "bin.000003",
                "pos": 154,
                "row": 0,
            },
        ),
        (
            "mariadb",
            "file=bin.000003,pos=154",
            None,
            "s.a",
            "p.s.a",
            {"db": "s", "table": "a", "file": "bin.000003", "pos": 154, "row": 0},
        ),
    ],
)
def test_ids_and_tables_as_connectors_write_them(
    connector, id_, tx, collection, topic, source, make_project
):
    id_type = "number(9)" if connector == "oracle" else "int"
    project = make_project(
        f"transactions_{connector}_{len(id_)}",
        source="src",
        source_contract={"connector": connector, "topic_prefix": "p"},
        tables={"a": {"topic": topic, "key": ["ID"], "columns": {"ID": id_type}}},
        extra_models=models(["a"]),
    )
    value = {"before": None, "after": {"ID": 1}, "op": "c"}
    value["source"] = source | {"name": "p", "txId": tx, "snapshot": "false", "ts_ms": 1000}
    value["transaction"] = {"id": id_, "total_order": 1, "data_collection_order": 1}
    project.land(
        [
            {"topic": topic, "partition": 0, "offset": 0, "value": value},
            boundary(0, "BEGIN", id_, 1000),
            boundary(1, "END", id_, 1000, **{collection: 1}),
        ]
    )
    project.run("run")
    [found] = states(project).values()
    assert found == ("a", 1, 1, "complete", True)
    assert [row["ID"] for row in project.rows("a_together")] == [1]


# --- captures ----------------------------------------------------------------------------------


def settled_records(records: list, spec) -> tuple[list, set]:
    """Records of snapshots and of the transactions whose ENDs came before the first incomplete one;
    and the ids of those transactions. Records after the last END of some partition do not count.
    Records are PostgreSQL's, in delivery order."""
    values = [(r, json.loads(r.value)) for r in records if r.value]
    there: dict[tuple, set] = {}
    for record, value in values:
        table, transaction = spec.by_topic(record.topic), value.get("transaction")
        if table and transaction:
            place = (str(value["source"]["txId"]), table.name)
            there.setdefault(place, set()).add(transaction["total_order"])
    settled = set()
    ends = [
        (record, value)
        for record, value in values
        if record.topic.endswith(".transaction") and value["status"] == "END"
    ]
    newest = {record.partition: number for number, (record, _) in enumerate(ends)}
    for _, end in ends[: min(newest.values()) + 1]:
        id_ = end["id"].partition(":")[0]
        counts = {c["data_collection"]: c["event_count"] for c in end["data_collections"]}
        if any(
            len(there.get((id_, name), ())) < count
            for name, count in counts.items()
            if name in spec.tables
        ):
            break
        settled.add(id_)
    kept = [
        record
        for record, value in values
        if spec.by_topic(record.topic)
        and (value["op"] == "r" or str(value["source"]["txId"]) in settled)
    ]
    return kept, settled


@pytest.mark.shared
def test_tables_of_a_capture_are_those_of_one_moment(spark, tmp_path, compared):
    """One topic is behind the others. The visible rows of all tables are those of an independent
    fold of the settled transactions."""
    capture = captures()["pg-inventory"]
    records = capture.records[:2600]
    lagging = [n for n, r in enumerate(records) if r.topic == "inv.shop.order_lines"][-25:]
    landed = [record for n, record in enumerate(records) if n not in lagging]
    project = project_of(capture, tmp_path / "project", spark, "transactions_capture")
    names = ["customers", "orders", "order_lines", "products"]
    try:
        project.tables = {name: project.tables[name] for name in names}
        project.extra_models = models(names)
        project.write()
        for stale in (tmp_path / "project" / "models").glob("*_src__*.sql"):
            if stale.stem.split("__")[1] not in (*names, "quarantine", "accounting"):
                stale.unlink()
        spec = capture.former_spec
        for part in (landed, [records[n] for n in lagging]):
            project.land(landing_records(part))
            project.run("run")
            so_far = landed if part is landed else records
            kept, settled = settled_records(
                [r for r in so_far if not spec.by_topic(r.topic) or table_of(r, spec) in names],
                narrowed(spec, names),
            )
            rows = project.rows("transactions")
            ours = {row["transaction_id"] for row in rows if row["is_settled"]}
            assert ours == settled
            compared["settled transactions of a capture"] += len(settled)
            folded = fold(kept, narrowed(spec, names))
            for table in narrowed(spec, names).tables.values():
                got = project.rows(f"{table_name(table.name)}_together")
                assert differing(table, folded.current[table.name], got) == []
                compared["rows of tables together with a fold of settled transactions"] += len(got)
    finally:
        drop(spark, project)


@pytest.mark.shared
def test_rows_without_envelopes(spark, tmp_path, compared):
    """pg-unwrap has no txId, but the transaction's id. A truncate, which the transformation drops,
    is missing, and blocks all that follows."""
    capture = captures()["pg-unwrap"]
    project = project_of(capture, tmp_path / "project", spark, "transactions_unwrapped")
    names = ["customers", "orders"]
    try:
        project.tables = {name: project.tables[name] for name in names}
        project.layers = {name: ["stg"] for name in names}
        project.extra_models = models(names, with_histories=False)
        for stale in (tmp_path / "project" / "models").glob("*.sql"):
            stale.unlink()
        project.write()
        project.land(landing_records(capture.records))
        project.run("run", "--exclude", "dq_*")
        there: dict[tuple, set] = {}
        ends = {}
        for record in capture.records:
            value = json.loads(record.value or "null") or {}
            if record.topic.endswith(".transaction") and value["status"] == "END":
                ends[value["id"].split(":")[0]] = value["data_collections"]
            elif value.get("__transaction_id"):
                place = (value["__transaction_id"].split(":")[0], record.topic.split(".", 1)[1])
                there.setdefault(place, set()).add(value["__transaction_total_order"])
        expected = {}
        for id_, told in ends.items():
            for entry in told:
                collection, count = entry["data_collection"], entry["event_count"]
                is_ours = collection in ("demo.customers", "demo.orders")
                staged = len(there.get((id_, collection), ())) if is_ours else 0
                state = "not declared" if not is_ours else "complete"
                state = "missing" if is_ours and staged < count else state
                expected[id_, collection] = (count, staged, state)
        found = project.rows("transactions")
        got = {
            (row["transaction_id"], row["data_collection"]): tuple(
                row[name] for name in ("reported", "staged", "state")
            )
            for row in found
        }
        assert got == expected
        missing = [row for row in found if row["state"] == "missing"]
        assert [(row["table_name"], row["reported"] - row["staged"]) for row in missing] == [
            ("orders", 1)
        ]
        behind = [row for row in found if row["ended_order"] > missing[0]["ended_order"]]
        assert behind and not any(row["is_settled"] for row in behind)
        compared["transactions and tables of rows without envelopes"] += len(got)
    finally:
        drop(spark, project)


def table_of(record, spec) -> str:
    return table_name(spec.by_topic(record.topic).name)


def narrowed(spec, names: list[str]):
    return replace(spec, tables={n: t for n, t in spec.tables.items() if table_name(n) in names})


def differing(table, expected: list[dict], got: list[dict]) -> list:
    """Keys whose rows differ in columns that both know."""
    theirs = {canonical_key(table, row): row for row in expected}
    ours = {canonical_key(table, row): row for row in got}
    different = sorted(theirs.keys() ^ ours.keys(), key=repr)
    for key in theirs.keys() & ours.keys():
        special = json.loads(ours[key]["_cdc_special"] or "{}")
        unknown = json.loads(ours[key]["_cdc_unknown"] or "[]")
        for column, kind in table.columns.items():
            expected = theirs[key].get(column)
            if expected is UNKNOWN or column in unknown:
                is_same = expected is UNKNOWN and column in unknown
            else:
                found = special.get(column, ours[key][column])
                is_same = canonical(kind, expected) == canonical(kind, found)
            if not is_same:
                different.append((key, column))
    return different


@pytest.mark.shared
def test_their_topic_in_avro(spark, tmp_path):
    capture = captures()["pg-avro"]
    project = project_of(capture, tmp_path / "project", spark, "transactions_avro")
    try:
        project.extra_models = models(["customers", "orders"])
        project.write()
        project.land(landing_records(capture.records))
        project.run("run")
        found = project.rows("transactions")
        assert len({row["transaction_id"] for row in found}) == 9
        assert {row["state"] for row in found} == {"complete"}
        ends = [json.loads(r.value) for r in capture.envelopes if r.topic.endswith("transaction")]
        told = sum(end["event_count"] for end in ends if end["status"] == "END")
        assert sum(row["reported"] for row in found) == told
    finally:
        drop(spark, project)
