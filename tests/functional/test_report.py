"""What `afterimage report` shows of single rows, of contracts that no longer fit, of incomplete
transactions and of rows that a complete snapshot did not read."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner
from rich.console import Console

from afterimage.cli import main
from afterimage.report import Report, page, show
from afterimage.report.gathered import instant, operation_of, value_of
from tests.docs.markdown import ROOT, sections, tables
from tests.functional.conftest import drop
from tests.functional.project import Project

PAGE = (ROOT / "docs/how-to/report.md").read_text(encoding="utf-8")
BASE = 1_700_000_000_000
SECOND = "2023-11-14T22:13:{:02}.000000Z"  # time of a change so many seconds after BASE
SNAPSHOT = 50  # the second in which it began
TABLE = "{{ config(materialized='table') }}\n"
SECRET = ("4111-1111", "555-0100", "078-05-1120", "ann@x.org", "bob@x.org")
ORDER = {"note": None, "price": 1.5, "card": "4111-1111", "phone": "555-0100", "ssn": "078-05-1120"}


def change(table, offset, op, second, after, before=None, **more) -> dict:
    source = {"lsn": 1000 + offset, "txId": 100 + offset, "schema": "s", "table": table}
    source |= {"name": "p", "ts_ms": BASE + 1000 * second}
    source["snapshot"] = "true" if op == "r" else "false"
    value = {"before": before, "after": after, "op": op, "source": source}
    value["ts_ms"] = BASE + 1000 * second
    if transaction := more.pop("transaction", None):
        value["transaction"] = transaction
        source["txId"] = 77
    record = {"topic": f"p.s.{table}", "partition": 0, "offset": offset, "value": value}
    return record | {"timestamp": BASE + 1000 * second} | more


def order(offset, op, second, id_, **more) -> dict:
    columns = {name: more.pop(name, told) for name, told in ORDER.items()}
    row = {"id": id_} | columns | more.pop("extra", {})
    images = (None, {"id": id_}) if op == "d" else (row, None)
    return change("orders", offset, op, second, *images, **more)


def notified(offset, second, type_, **told) -> dict:
    value = {"id": f"n-{offset}", "aggregate_type": "Initial Snapshot", "type": type_}
    value |= {"additional_data": {"connector_name": "p"} | told}
    value["timestamp"] = BASE + 1000 * second
    at = {"timestamp": BASE + 1000 * second}
    return {"topic": "p.notify", "partition": 0, "offset": offset, "value": value} | at


def scanned(offset, table, rows) -> dict:
    told = {"status": "SUCCEEDED", "total_rows_scanned": str(rows)}
    told["scanned_collection"] = f"s.{table}"
    return notified(offset, 54, "TABLE_SCAN_COMPLETED", **told)


def boundary(offset, status, **counts) -> dict:
    value = {"status": status, "id": "77:2000", "ts_ms": BASE + 20_000}
    if counts:
        collections = [
            {"data_collection": f"s.{table}", "event_count": count}
            for table, count in counts.items()
        ]
        value |= {"event_count": sum(counts.values()), "data_collections": collections}
    return {"topic": "p.transaction", "partition": 0, "offset": offset, "value": value}


def keys_of_line(**more) -> dict:
    return {"order_no": 7, "line": "a"} | more


STREAM = [
    order(0, "c", 1, 17, note="new"),
    order(1, "u", 2, 17, note="paid", price="NaN", card="4111-1111"),
    order(2, "d", 3, 17),
    order(3, "c", 4, 17, note="again"),
    # a key change whose create did not arrive: a finding
    order(4, "c", 5, 18),
    order(5, "d", 6, 18, headers={"__debezium.newkey": '{"id":19}'}),
    order(6, "c", 7, 20),
    # a column that no contract declares, from here on
    order(8, "c", 9, 30, extra={"vip": True}),
    order(9, "c", 10, 31),
    order(
        10, "c", 20, 40, transaction={"id": "77:2000", "total_order": 1, "data_collection_order": 1}
    ),
    boundary(0, "BEGIN"),
    boundary(1, "END", orders=2),
    # the records' key is wider than the contract's
    change("lines", 0, "c", 1, keys_of_line(qty=1), key=keys_of_line(tenant=1)),
    change("lines", 1, "u", 2, keys_of_line(qty=2), key=keys_of_line(tenant=1)),
    change("lines", 2, "c", 3, keys_of_line(line="b", qty=2), key=keys_of_line(tenant=1)),
    change("people", 0, "c", 1, {"email": "ann@x.org", "name": "Ann"}),
    change("people", 1, "c", 2, {"email": "bob@x.org", "name": "Bob"}),
    change("bag", 0, "c", 1, {"id": 1}),
    notified(0, SNAPSHOT, "STARTED", data_collections="s.orders,s.lines,s.people"),
    *(order(20 + n, "r", 52, id_, note="again") for n, id_ in enumerate((17, 20, 40))),
    order(30, "u", 53, 31),
    change("lines", 10, "r", 52, keys_of_line(qty=2), key=keys_of_line(tenant=1)),
    change("people", 10, "r", 52, {"email": "ann@x.org", "name": "Ann"}),
    scanned(1, "orders", 3),
    # a row that it read has not landed yet, so the missing row is unknown
    scanned(2, "lines", 2),
    scanned(3, "people", 1),
    notified(4, 55, "COMPLETED"),
    # a row whose value no record has sent
    order(39, "u", 56, 21, note="__debezium_unavailable_value"),
    # a refused record leaves the row behind
    order(40, "u", 60, 20, price="much"),
]
LOGS = "[ref('stg_shop__orders'), ref('stg_shop__lines'), ref('stg_shop__people')]"
OF_SOURCE = f"{LOGS}, [source('shop', 'orders')]"
MODELS = {
    "drift": f"{{{{ afterimage.contract_drift({OF_SOURCE}) }}}}\n",
    "transactions": f"{TABLE}{{{{ afterimage.transactions({OF_SOURCE}) }}}}\n",
    "notifications": f"{TABLE}{{{{ afterimage.notifications({OF_SOURCE}) }}}}\n",
    "snapshots": f"{TABLE}{{{{ afterimage.snapshots({LOGS}, ref('notifications')) }}}}\n",
}


@pytest.fixture(scope="module")
def project(spark, tmp_path_factory):
    order_types = {"id": "int", "note": "text", "price": "double precision"}
    secret = dict.fromkeys(("card", "phone", "ssn"), "text")
    project = Project(
        tmp_path_factory.mktemp("report"),
        spark,
        "shop",
        {
            "connector": "postgresql",
            "topic_prefix": "p",
            "side_topics": {"p.notify": "notification"},
        },
        {
            "orders": {
                "topic": "p.s.orders",
                "key": ["id"],
                "columns": order_types | secret,
                "sensitive": ["card"],
                "masked": {"phone": "hash", "ssn": "drop"},
            },
            "lines": {
                "topic": "p.s.lines",
                "key": ["order_no", "line"],
                "columns": {"order_no": "int", "line": "text", "qty": "int"},
            },
            "people": {
                "topic": "p.s.people",
                "key": ["email"],
                "columns": {"email": "text", "name": "text"},
                "sensitive": ["email"],
            },
            "bag": {
                "topic": "p.s.bag",
                "key": [],
                "replica_identity": "full",
                "columns": {"id": "int"},
            },
            "log": {"topic": "p.s.log", "key": ["id"], "columns": {"id": "int"}},
        },
        schema="report",
        landing="report_landing.events",
        layers={"log": ["stg"]},
        extra_models=MODELS,
    )
    project.land(STREAM)
    project.run("run")
    yield project
    drop(spark, project)


def report(project, *arguments: str):
    command = ["report", "--project-dir", str(project.folder), *arguments]
    return CliRunner().invoke(main, command)


@pytest.fixture(scope="module")
def told(project) -> dict:
    """The JSON of a report that requests a row of each kind of key."""
    done = report(
        project,
        *("--format", "json", "--key", "shop.orders=17", "--key", "shop.people=ann@x.org"),
        *("--key", 'shop.lines={"line": "a", "order_no": 7}', "--key", 'shop.lines=[7, "b"]'),
    )
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def shown(told: dict) -> tuple[str, str]:
    """The same report in the terminal and as a page."""
    fields = {name: told[name] for name in Report.__dataclass_fields__}
    console = Console(record=True, width=400, highlight=False)
    show(Report(**fields), console)
    return console.export_text(), page(Report(**fields))


def versions(told: dict, table: str, key: str) -> list[tuple]:
    [timeline] = [
        each for each in told["timelines"] if (each["table_name"], each["key"]) == (table, key)
    ]
    return [
        (
            each["op"],
            each["valid_from"],
            each["valid_to"],
            each["end_reason"],
            {change["column"]: (change["before"], change["after"]) for change in each["changed"]},
        )
        for each in timeline["versions"]
    ]


COMMANDS = re.findall(r"(?m)^afterimage (report.*?)(?:\s+#.*)?$", PAGE)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page(project, monkeypatch, command):
    monkeypatch.chdir(project.folder)
    done = CliRunner().invoke(main, shlex.split(command))
    assert done.exit_code == 0, done.output


def test_the_versions_that_the_page_shows(told):
    page_shows = tables(sections(PAGE)["A row, version by version"])[0]
    [timeline] = [each for each in told["timelines"] if each["key"] == "17"]
    assert page_shows.rows == [
        {
            "valid from": instant(version["valid_from"])[11:],
            "valid to": instant(version["valid_to"])[11:],
            "made by": operation_of(version),
            "ended by": version["end_reason"] or "",
            "what changed": "; ".join(
                f"`{change['column']}`: {changed(version, change)}" for change in version["changed"]
            ),
        }
        for version in timeline["versions"]
    ]


def changed(version: dict, change: dict) -> str:
    before = "" if version["is_first"] else f"{value_of(change['before'])} → "
    return before + value_of(change["after"])


def test_a_row_version_by_version(told):
    at = SECOND.format
    first, second, third = versions(told, "orders", "17")[:3]
    assert first == (
        *("c", at(21), at(22), "update"),
        {"id": (None, 17), "note": (None, "new"), "price": (None, 1.5)},
    )
    # JSON has no NaN; the value is as the source prints it
    paid = {"note": ("new", "paid"), "price": (1.5, "NaN")}
    assert second == ("u", at(22), at(23), "delete", paid)
    assert third[:2] == ("c", at(24))
    assert third[4] == {"note": ("paid", "again"), "price": ("NaN", 1.5)}


def test_a_key_of_several_columns_as_an_object_or_an_array(told):
    at = SECOND.format
    changed = [each[4] for each in versions(told, "lines", '["7","a"]')]
    assert changed[:2] == [
        {"order_no": (None, 7), "line": (None, "a"), "qty": (None, 1)},
        {"qty": (1, 2)},
    ]
    assert versions(told, "lines", '["7","b"]')[0][1] == at(23)


def test_rows_that_findings_and_refused_records_name(told):
    named = {(each["key"], each["named_by"]) for each in told["timelines"]}
    assert {("18", "finding"), ("20", "refused"), ("21", "unknown"), ("17", "key")} <= named


def test_rows_with_values_that_no_record_has_sent(told):
    [row] = told["unknown"]
    assert (row["table_name"], row["columns"], row["records"]) == ("orders", ["note"], 1)
    assert row["key"] == "21"
    for text in shown(told):
        assert re.search(r"no record has sent\s+note of 1 current row \(for example key 21\)", text)


def test_what_is_sensitive_stays_out(told, project):
    texts = [json.dumps(told), *shown(told)]
    for secret in SECRET:
        assert all(secret not in text for text in texts), secret
    [timeline] = [each for each in told["timelines"] if each["table_name"] == "people"]
    assert timeline["key"].startswith("sha256:")
    assert {c["column"] for v in timeline["versions"] for c in v["changed"]} == {"name"}
    columns = {
        change["column"]
        for each in told["timelines"]
        if each["table_name"] == "orders"
        for version in each["versions"]
        for change in version["changed"]
    }
    assert columns == {"id", "note", "price"}


def test_the_contract_change_to_paste(told):
    changes = {each["table"]: each for each in told["contract_changes"]}
    assert changes["shop.lines"] == {
        "table": "shop.lines",
        "paste": "key: [order_no, line, tenant]",
        "run": [],
    }
    assert changes["shop.orders"]["run"] == ["afterimage drift --table shop.orders"]
    for text in shown(told):
        assert "key: [order_no, line, tenant]" in text
        assert "afterimage drift --table shop.orders" in text


def test_transactions_that_are_not_whole(told):
    [model] = told["transactions"]
    assert {"state": "missing", "transactions": 1} in model["states"]
    [row] = [row for row in model["first"] if row["state"] == "missing"]
    assert (row["transaction_id"], row["table_name"], row["reported"], row["staged"]) == (
        *("77", "orders"),
        *(2, 1),
    )
    for text in shown(told):
        assert "fewer changes are staged than the END counts" in text


def test_rows_that_a_complete_snapshot_did_not_read(told):
    """Without rows that changed since it began, and without tables whose reads have not all
    landed."""
    found = {
        each["table_name"]: (each["records"], [row["row_key"] for row in each["rows"]])
        for each in told["unread"]
    }
    assert found.keys() == {"orders", "people"}
    assert found["orders"] == (1, ["30"])
    assert found["people"][0] == 1 and found["people"][1][0].startswith("sha256:")
    for text in shown(told):
        assert "that a complete snapshot" in text


@pytest.mark.parametrize(
    "key, said",
    [
        ("shop.orders=99", "no such row in report.hist_shop__orders. The key is id; give it as"),
        ("shop.lines=7", 'give it as JSON, {"order_no": …, "line": …}, or as the column _cdc_key'),
        ('shop.lines={"order_no": 7}', 'give it as JSON, {"order_no": …, "line": …}'),
        ("shop.nothing=1", "histories of: shop.bag, shop.lines, shop.orders, shop.people"),
        ("shop.log=1", "no model of the history of shop.log"),
        ("shop.bag=1", "the table has no key"),
        ("orders=1", "write SOURCE.TABLE=KEY, as in --key shop.orders=17"),
        ("shop.orders", "write SOURCE.TABLE=KEY"),
    ],
)
def test_a_key_that_is_not_there(project, key, said):
    done = report(project, "--key", key)
    assert done.exit_code == 1
    assert said in done.output, done.output
    assert done.output.startswith("Error: ")
