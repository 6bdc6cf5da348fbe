"""What the report says of what nobody will ever see."""

from types import SimpleNamespace

from rich.console import Console

from afterimage.report import FINDINGS, _ended_by_ddl, _findings, never_seen


def source(name: str, over: dict | None, own: dict | None, *, at_config: bool = True):
    meta = {"cdc": own} if own is not None else {}
    return SimpleNamespace(
        source_name="shop",
        name=name,
        source_meta={"cdc": over} if over is not None else {},
        meta=meta,
        config=SimpleNamespace(meta=meta) if at_config else SimpleNamespace(),
    )


def told(*sources) -> dict[str, list[str]]:
    return never_seen(SimpleNamespace(sources={each.name: each for each in sources}))


def test_what_a_contract_says_or_leaves_at_the_default():
    over = {"connector": "postgresql", "settings": {"skipped_operations": ["d"]}}
    nothing = {"settings": {"skipped_operations": ["none"]}}
    assert told(
        source("by_default", {"connector": "postgresql"}, {"key": ["id"]}),
        source("by_its_source", over, {"key": ["id"]}, at_config=False),
        source("by_itself", over, {"settings": {"skipped_operations": ["t", "u"]}}),
        source("none", over, nothing),
    ) == {
        "u": ["shop.by_itself"],
        "d": ["shop.by_its_source"],
        "t": ["shop.by_default", "shop.by_itself"],
    }


def test_a_source_without_contract_is_not_spoken_of():
    over = {"connector": "postgresql"}
    assert told(source("events", None, None), source("other", over, over)) == {}


def test_what_a_statement_emptied_is_an_alarm():
    row = {"table_name": "orders", "change": "drop", "ddl": "drop table `o`\x1b[31m[bold]"}
    row |= {"former_table": None}
    asked = []

    def sql(query):
        asked.append(query)
        return SimpleNamespace(collect=lambda: [row | {"changed_at": "2026-01-31 10:00:00"}])

    console = Console(record=True, width=1000, highlight=False)
    node = SimpleNamespace(schema="analytics", alias="shop_schema_changes")
    _ended_by_ddl(SimpleNamespace(sql=sql), node, console)
    told = console.export_text()
    assert "ALARM: orders: the source ran drop on it at 2026-01-31 10:00:00" in told
    assert "\x1b" not in told and "[bold]" in told
    assert "where is_alarm" in asked[0]


def test_what_records_say_of_themselves_is_no_markup():
    row = {"table_name": "orders", "outcome": "alarm", "kind": "key_change_unpaired"}
    row |= {"records": 2, "topic": "t.[bold]o", "examples": ["0:5 \x1b[31mann -> [red]bob"]}
    console = Console(record=True, width=1000, highlight=False)
    _findings([row], FINDINGS["alarm"], console)
    told = console.export_text()
    assert told.startswith("ALARM: orders: 2 times: one record of a key change came")
    assert "t.[bold]o, 0:5 \N{REPLACEMENT CHARACTER}[31mann -> [red]bob." in told
