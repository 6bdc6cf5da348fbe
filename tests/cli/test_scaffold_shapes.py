"""Contracts from records that are not envelopes: rows alone, and CloudEvents."""

import json

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from tests.cli.faults import contract_faults
from tests.truth.captures import captures

from afterimage.cli import main
from afterimage.contract import contract_schema
from afterimage.errors import UserError
from afterimage.macros import MACROS
from afterimage.scaffold import known, records_of_files, scaffold

TRUTH = MACROS.parent / "tests" / "truth"
TOPIC = "pg1.shop.orders"


def written(root, source="s") -> tuple[dict, dict[str, dict]]:
    """The contract's keys for the source, and for each table."""
    path = root / f"models/staging/{source}/_{source}__sources.yml"
    document = yaml.safe_load(path.read_text())
    assert not list(Draft202012Validator(contract_schema()).iter_errors(document))
    entry = document["sources"][0]
    assert contract_faults(entry) == []
    tables = {each["name"]: each["config"]["meta"]["cdc"] for each in entry["tables"]}
    return entry["config"]["meta"]["cdc"], tables


def test_a_contract_that_is_wrong_has_faults():
    cdc = {"connector": "postgresql", "format": "unwrapped", "topic": TOPIC, "key": []}
    table = {"name": "t", "config": {"meta": {"cdc": cdc | {"columns": {"id": "wide"}}}}}
    found = contract_faults({"name": "s", "tables": [table]})
    assert len(found) == 2 and "rows without envelopes need one" in found[0] + found[1]


PLACES = {
    "postgresql": ["lsn"],
    "mysql": ["file", "pos"],
    "mariadb": ["source.file", "source.pos"],
    "oracle": ["scn"],
    "sqlserver": ["commit_lsn"],
    "db2": ["commit_lsn"],
}


@pytest.mark.parametrize("connector", PLACES)
def test_a_place_that_deletes_do_not_have_is_a_fault(connector):
    def faults(**more) -> str:
        column = {"ID": "number(9)"} if connector == "oracle" else {"id": "int"}
        cdc = {"connector": connector, "format": "unwrapped", "topic": TOPIC, "columns": column}
        cdc |= {"key": list(column), "add_fields": ["op", *PLACES[connector]]} | more
        table = {"name": "t", "config": {"meta": {"cdc": cdc}}}
        return "".join(contract_faults({"name": "s", "tables": [table]}))

    said = faults()
    assert "delete_tombstone_handling_mode: a delete is a record without a row" in said
    assert all(place.removeprefix("source.") in said for place in PLACES[connector])
    assert faults(delete_tombstone_handling_mode="delete-to-tombstone") == said
    for more in (
        {"delete_tombstone_handling_mode": "rewrite"},
        {"delete_tombstone_handling_mode": "drop"},
        {"add_headers": PLACES[connector]},
        {"add_fields": ["op"]},
    ):
        assert faults(**more) == ""
    # the field that orders changes at one position, for rows alone
    assert "no transaction.total_order" in faults(
        add_headers=PLACES[connector], add_fields=["op", "total_order"]
    )


def row(value, key=None, headers=(), topic=TOPIC):
    texts = [None if part is None else json.dumps(part).encode() for part in (key, value)]
    return topic, *texts, tuple((name, text.encode()) for name, text in headers)


def contract_of(root, *records, **given) -> dict:
    scaffold(root, records, "landing.events", source="s", force=True, **given)
    over, tables = written(root)
    return over | tables["orders"]


@pytest.mark.parametrize(
    "name", ["pg-unwrap", "pg-unwrap-tombstone", "pg-cloudevents", "pg-cloudevents-plain"]
)
def test_contracts_of_captures(tmp_path, name):
    capture = captures()[name]
    spec = yaml.safe_load((TRUTH / f"{name}.yml").read_text())
    events = capture.folder / "events.jsonl.gz"
    said = scaffold(tmp_path, records_of_files([events]), "landing.events", source="s")
    over, tables = written(tmp_path)
    defaults = {key: known.KEYS[key].get("default") for key in spec["contract"]}
    assert defaults | over == over | spec["contract"]
    assert over["connector"] == "postgresql" and over["topic_prefix"] == name.replace("-", "_")
    by_topic = {table["topic"]: table for table in tables.values()}
    assert by_topic.keys() == {table["topic"] for table in spec["tables"].values()}
    for title, table in spec["tables"].items():
        found = by_topic[table["topic"]]
        assert found["key"] == table["key"], title
        former = found["columns"].keys() - table["columns"].keys()
        assert former <= set(table.get("former_columns", ())), title
        assert found["columns"].keys() >= table["columns"].keys(), title
    side = [line for line in said if line.startswith("passed over")]
    assert all(f"{over['topic_prefix']}.transaction" in line for line in side)


def test_rows_that_do_not_say_their_connector(tmp_path):
    record = row({"id": 1, "note": "a"}, key={"id": 1})
    with pytest.raises(UserError, match=r"do not name their connector: give --connector \(postgre"):
        contract_of(tmp_path, record)
    assert not (tmp_path / "models").exists()
    with pytest.raises(UserError, match="--connector vitess; supported: postgresql, mysql"):
        contract_of(tmp_path, record, connector="vitess")
    found = contract_of(tmp_path, record, connector="mysql")
    assert found["connector"] == "mysql" and found["format"] == "unwrapped"
    assert found["columns"] == {"id": "bigint", "note": "text"}
    # A topic with the connector's default name contains its prefix.
    assert found["topic_prefix"] == "pg1"


def test_the_option_of_the_command_line(tmp_path):
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    events = tmp_path / "events.jsonl"
    record = {"topic": TOPIC, "partition": 0, "offset": 1, "key": {"id": 1}, "value": {"id": 1}}
    events.write_text(json.dumps(record) + "\n")
    arguments = ["scaffold", str(events), "--all-topics", "--project-dir", str(tmp_path)]
    failed = CliRunner().invoke(main, arguments)
    assert failed.exit_code == 1 and "give --connector" in failed.output
    done = CliRunner().invoke(main, [*arguments, "--connector", "mariadb", "--source", "s"])
    assert done.exit_code == 0, done.output
    assert written(tmp_path)[0]["connector"] == "mariadb"


@pytest.mark.parametrize(
    ("added", "headers", "connector"),
    [
        ({"__lsn": 5}, (), "postgresql"),
        ({"__source_lsn": 5}, (), "postgresql"),
        ({"__scn": "5"}, (), "oracle"),
        ({"__commit_lsn": "00:00:00", "__event_serial_no": 1}, (), "sqlserver"),
        ({"__connector": "db2", "__commit_lsn": "00:00:00"}, (), "db2"),
        ({"__connector": "mariadb", "__file": "b.1", "__pos": 4}, (), "mariadb"),
        ({}, [("__source_connector", '"mysql"')], "mysql"),
        ({}, [("__debezium.context.connectorName", '"mysql"')], "mysql"),
    ],
)
def test_what_tells_the_connector(tmp_path, added, headers, connector):
    record = row({"id": 1} | added, {"id": 1}, headers)
    assert contract_of(tmp_path, record)["connector"] == connector
    other = "mysql" if connector != "mysql" else "mariadb"
    with pytest.raises(UserError, match=f"has connector {connector}, not {other}"):
        contract_of(tmp_path, record, connector=other)


def test_fields_and_headers_that_were_added(tmp_path):
    value = {"id": 1, "op": "x", "__secret": 1, "__deleted": "false"}
    value |= {"__op": "c", "__source_ts_ms": 1, "__transaction_id": "1", "__total_order": 1}
    record = row(
        value, {"id": 1}, [("__db", "depot"), ("__source_table", '"Orders"'), ("mine", "")]
    )
    found = contract_of(tmp_path, record, connector="postgresql")
    assert found["add_fields"] == ["op", "source.ts_ms", "transaction.id", "total_order"]
    assert found["add_headers"] == ["db", "source.table"]
    # A field that the transformation does not write is a column, even if its name is like a
    # field's.
    assert list(found["columns"]) == ["id", "op", "__secret"]
    text = (tmp_path / "models/staging/s/_s__sources.yml").read_text()
    remark = "could also be a date or time, which Debezium sends as a number; or a field that"
    assert f"__secret: bigint  # guess: {remark}" in text
    # Read back as the macros do.
    contract = {key: known.KEYS[key].get("default") for key in known.KEYS} | found
    fields = known.MACROS.added_fields(contract)
    assert [field["field"] for field in fields] == [
        *("__deleted", "__op", "__source_ts_ms", "__transaction_id", "__total_order")
    ]


def test_another_prefix_is_known_by_the_operation(tmp_path):
    records = [
        row(
            {"id": 1, "shop": "c", "cdc.op": op, "cdc.lsn": 7, "__deleted": "false"},
            {"id": 1},
            [("h_op", op)],
        )
        for op in ("c", "u")
    ]
    found = contract_of(tmp_path, *records)
    assert found["add_fields"] == ["op", "lsn"] and found["add_fields_prefix"] == "cdc."
    assert found["add_headers"] == ["op"] and found["add_headers_prefix"] == "h_"
    assert list(found["columns"]) == ["id", "shop"]


@pytest.mark.parametrize(
    ("added", "connector"),
    [
        ({"__lsn": 5}, "postgresql"),
        ({"__source_file": "b.1", "__source_pos": 4}, "mysql"),
        ({"__scn": "5"}, "oracle"),
        ({"__commit_lsn": "00:00:00", "__change_lsn": "00:00:00"}, "db2"),
    ],
)
def test_a_place_that_deletes_do_not_have_is_left_out(tmp_path, added, connector):
    sample = [row({"id": 1, "__op": "c"} | added, {"id": 1}), row(None, {"id": 1})]
    said = scaffold(tmp_path, sample, "landing.events", source="s", connector=connector)
    over, tables = written(tmp_path)
    assert over["add_fields"] == ["op"] and list(tables["orders"]["columns"]) == ["id"]
    assert [line for line in said if "left out of add_fields" in line]
    headers = [(name, "5") for name in added]
    sample = [row({"id": 1, "__op": "c"}, {"id": 1}, headers), row(None, {"id": 1}, headers)]
    said = scaffold(tmp_path / "b", sample, "landing.events", source="s", connector=connector)
    assert written(tmp_path / "b")[0]["add_headers"]
    assert not [line for line in said if "left out of add_fields" in line]


def test_a_column_that_looks_like_an_operation_stays_one(tmp_path):
    found = contract_of(tmp_path, row({"id": 1, "shop": "c"}, {"id": 1}), connector="mysql")
    assert "add_fields" not in found and list(found["columns"]) == ["id", "shop"]


@pytest.mark.parametrize(
    ("records", "mode", "is_open"),
    [
        ([{"id": 1}], "tombstone", True),
        ([{"id": 1}, None], "tombstone", False),
        ([{"id": 1}, {"schema": None, "payload": None}], "tombstone", False),
        ([{"id": 1, "__deleted": "false"}], "rewrite", True),
        ([{"id": 1, "__deleted": "false"}, {"id": 1, "__deleted": "true"}], "rewrite", False),
        ([{"id": 1, "__deleted": "true"}, None], "rewrite-with-tombstone", False),
    ],
)
def test_how_deletes_are_written(tmp_path, records, mode, is_open):
    sample = [row(value, {"id": 1}) for value in records]
    said = scaffold(tmp_path, sample, "landing.events", source="s", connector="postgresql")
    over, _ = written(tmp_path)
    assert over.get("delete_tombstone_handling_mode", "tombstone") == mode
    assert any("the sample has no delete" in line for line in said) == is_open


def test_of_a_deleted_row_the_key_alone_is_believed(tmp_path):
    gone = {"id": 1, "note": 0, "__deleted": "true"}
    kept = {"id": 1, "note": "a", "__deleted": "false"}
    for sample in ([gone, kept], [kept, gone]):
        found = contract_of(
            tmp_path, *[row(value, {"id": 1}) for value in sample], connector="postgresql"
        )
        assert found["columns"] == {"id": "bigint", "note": "text"}


def test_one_transformation_writes_the_deletes_of_all_tables(tmp_path):
    sample = [
        row({"id": 1, "__deleted": "true"}, {"id": 1}),
        row(None, {"id": 1}),
        row({"id": 1, "__deleted": "false"}, {"id": 1}, topic="pg1.shop.carts"),
    ]
    scaffold(tmp_path, sample, "landing.events", source="s", connector="postgresql")
    over, tables = written(tmp_path)
    assert over["delete_tombstone_handling_mode"] == "rewrite-with-tombstone"
    assert not any("delete_tombstone_handling_mode" in table for table in tables.values())


def test_a_table_without_what_the_source_has_says_so(tmp_path):
    sample = [
        row({"id": 1, "__op": "c"}, {"id": 1}, topic="pg1.shop.carts"),
        row({"id": 1}, {"id": 1}),
    ]
    scaffold(tmp_path, sample, "landing.events", source="s", connector="postgresql")
    over, tables = written(tmp_path)
    assert over["add_fields"] == ["op"]
    assert tables["orders"]["add_fields"] == [] and "add_fields" not in tables["carts"]


def test_a_table_of_another_shape_beside_them(tmp_path):
    source = {"connector": "postgresql", "name": "pg1", "db": "shop", "schema": "shop"}
    event = {"op": "c", "before": None, "after": {"id": 1}, "source": source | {"table": "orders"}}
    sample = [
        row({"id": 1, "__op": "c"}, {"id": 1}, topic="pg1.shop.carts"),
        row(event, {"id": 1}),
    ]
    scaffold(tmp_path, sample, "landing.events", source="s", connector="postgresql")
    over, tables = written(tmp_path)
    assert over["format"] == "unwrapped" and tables["orders"]["format"] == "debezium_json"
    assert "add_fields" not in tables["orders"]


def test_rows_under_a_schema_block(tmp_path):
    fields = [
        {"field": "id", "type": "int32", "optional": False},
        {
            "field": "at",
            "type": "int64",
            "optional": True,
            "name": "io.debezium.time.NanoTimestamp",
        },
        {"field": "__op", "type": "string", "optional": True},
    ]
    schema = {"type": "struct", "fields": fields, "name": "depot-1.shop.orders.Value"}
    payload = {"id": 1, "at": 1, "__op": "c"}
    # Routed elsewhere: the name of the block has what the topic lacks.
    record = row({"schema": schema, "payload": payload}, None, topic="everything")
    with pytest.raises(UserError, match="rows without envelopes that have no key"):
        contract_of(tmp_path, record, topics=["everything"], connector="postgresql")
    key = {"schema": {"type": "struct"}, "payload": {"id": 1}}
    record = row({"schema": schema, "payload": payload}, key, topic="everything")
    found = contract_of(tmp_path, record, connector="postgresql")
    assert found["topic_prefix"] == "depot-1" and found["topic"] == "everything"
    assert found["columns"] == {"id": "int", "at": "timestamp"}
    assert found["settings"] == {"time_precision_mode": "nanoseconds"}


def test_rows_without_a_key_are_passed_over(tmp_path):
    keyless = row({"id": 1, "__op": "c"}, topic="pg1.shop.logs")
    said = scaffold(
        tmp_path, [keyless, row({"id": 1}, {"id": 1})], "landing.events", connector="postgresql"
    )
    assert "passed over pg1.shop.logs: 1 record, rows that have no key" in said
    with pytest.raises(UserError, match=r"pg1\.shop\.logs contains rows .* that have no key"):
        scaffold(tmp_path, [keyless], "landing.events", topics=["pg1.shop.logs"])


def test_contracts_for_datastream_are_written_by_hand(tmp_path):
    event = {"read_method": "mysql-cdc-binlog", "object": "depot_pallet", "source_metadata": {}}
    event = row(event | {"payload": {"id": 1}}, topic="depot_pallet")
    with pytest.raises(UserError, match=r"depot_pallet contains events of Google Datastream"):
        scaffold(tmp_path, [event], "landing.events", topics=["depot_pallet"])
    with pytest.raises(UserError, match=r"the sample contains .*docs/how-to/datastream\.md"):
        scaffold(tmp_path, [event], "landing.events")
    rows = [event, row({"id": 1}, {"id": 1})]
    said = scaffold(tmp_path, rows, "landing.events", connector="postgresql")
    assert any(line.startswith("passed over depot_pallet: 1 record, events of") for line in said)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ({"id": "5:9"}, {"status": "BEGIN", "id": "5:9", "event_count": None, "ts_ms": 1}),
        ({"databaseName": "shop"}, {"databaseName": "shop", "ddl": "create table", "ts_ms": 1}),
        ({"serverName": "pg1"}, {"ts_ms": 1}),
        ({"id": "1"}, {"id": "1", "aggregate_type": "Initial Snapshot", "type": "STARTED"}),
        ({"prefix": "x"}, {"op": "m", "source": {}, "message": {}}),
        ({"id": 1}, {"total": 5}),  # rows contain their key
        (None, {"id": 1}),
        (None, [1]),
    ],
)
def test_what_is_no_row(tmp_path, key, value):
    with pytest.raises(UserError, match="no topic of the sample contains Debezium row changes"):
        scaffold(tmp_path, [row(value, key)], "landing.events", connector="postgresql")


def test_each_row_holds_its_key_or_none_is_taken_for_one(tmp_path):
    sample = [row({"id": 1}, {"id": 1}), row({"total": 5}, {"id": 1})]
    with pytest.raises(UserError, match="no topic of the sample contains Debezium row changes"):
        scaffold(tmp_path, sample, "landing.events", connector="postgresql")


def test_cloud_events_without_attributes(tmp_path):
    event = {"id": "name:m1;file:b.1;pos:4", "source": "/debezium/mysql/m.1", "specversion": "1.0"}
    images = [(None, {"id": 1}), ({"id": 1}, {"id": 2}), ({"id": 2}, None), (None, None)]
    sample = [
        row(
            event | {"data": {"before": before, "after": after}}, {"id": 1}, topic="m.1.shop.orders"
        )
        for before, after in images
    ]
    found = contract_of(tmp_path, *sample)
    assert found["format"] == "cloudevents" and found["connector"] == "mysql"
    assert found["topic_prefix"] == "m.1" and found["settings"] == {"skipped_operations": []}
    assert "replica_identity" not in found and found["columns"] == {"id": "bigint"}


@pytest.mark.parametrize("attributes", [True, False])
def test_cloud_events_of_documents(tmp_path, attributes):
    """A delete has no document in it, and is not a truncate."""
    event = {"id": "name:m;ts:1;ord:1", "source": "/debezium/mongodb/m", "specversion": "1.0"}
    document = '{"_id": {"$numberLong": "1"}, "name": "Al", "address": {"city": "Oita"}}'
    update = {"removedFields": ["a"], "updatedFields": "{}", "truncatedArrays": None}
    changes = [("c", document, None), ("u", None, update), ("d", None, None)]
    sample = []
    for op, after, description in changes:
        data = {"before": None, "after": after, "updateDescription": description}
        told = {"iodebeziumop": op, "iodebeziumcollection": "orders", "iodebeziumdb": "crm"}
        value = event | (told if attributes else {}) | {"data": data}
        sample.append(row(value, {"id": '{"$numberLong": "1"}'}, topic="m.crm.orders"))
    found = contract_of(tmp_path, *sample)
    assert found["format"] == "cloudevents" and found["connector"] == "mongodb"
    assert found["topic_prefix"] == "m" and not found.get("settings")
    assert found["key"] == ["_id"]
    assert found["columns"] == {"_id": "long", "name": "string", "address": "object"}


def test_json_within_a_json_string(tmp_path):
    text = json.dumps(json.dumps({"id": 1, "__op": "c"})).encode()
    record = (TOPIC, json.dumps('{"id": 1}').encode(), text)
    found = contract_of(tmp_path, record, connector="postgresql")
    assert found["columns"] == {"id": "bigint"} and found["key"] == ["id"]
