"""The report in the terminal and as a page, including rare content."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from rich.console import Console

from afterimage.cli import main
from afterimage.errors import UserError
from afterimage.outcomes import DOCS, remedies
from afterimage.report import Report, gathered, page, show
from afterimage.report.contract_change import contract_changes
from afterimage.report.gathered import never_seen
from afterimage.report.timelines import timeline

REMEDIES = remedies()
NO_MODEL = "the project has no model of afterimage.accounting(): `afterimage scaffold` writes"


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


def printed(report: Report, width: int = 1000) -> str:
    console = Console(record=True, width=width, highlight=False)
    show(report, console)
    return console.export_text()


def counted(outcome: str, records: int, kind: str | None = None, **more) -> dict:
    row = {
        "source_name": "shop",
        "table_name": "orders",
        "topic": "pg1.shop.orders",
        "outcome": outcome,
        "kind": kind,
    }
    return row | {"records": records, "examples": None} | more


def test_a_project_without_quality_models(monkeypatch):
    monkeypatch.setattr(gathered, "parse", lambda target: SimpleNamespace(nodes={}))
    with pytest.raises(UserError, match=re.escape(NO_MODEL)):
        gathered.gather(None, 10)


@pytest.fixture
def report() -> Report:
    """One of everything, with record texts that would be code in a terminal and in HTML."""
    script = "<script>alert(1)</script>\x1b[31m[bold]"
    return Report(
        "shop",
        "2026-01-31T10:00:00Z",
        accountings=[
            {
                "name": "dq_shop__accounting",
                "rows": [
                    counted("landed", 1200),
                    counted("staged", 1000),
                    counted("duplicate", 90, "redelivered"),
                    counted("ignored", 100, "tombstone"),
                    counted("refused", 10, "value_does_not_fit"),
                    counted("alarm", 2, "key_change_unpaired", examples=[f"0:5 {script}"]),
                    counted("unrouted", 7, "unknown_topic", table_name=None, topic=script),
                    counted("unrouted", 3, "transaction", table_name=None, topic="pg1.transaction"),
                ],
            },
            {"name": "dq_crm__accounting", "rows": None},
        ],
        quarantines=[
            {
                "name": "dq_shop__quarantine",
                "reasons": [{"reason": "value_does_not_fit", "records": 10}],
                "behind": [{"table_name": "orders", "keys": 3}],
                "unknown": 1,
                "newest": [
                    {
                        "topic": "pg1.shop.orders",
                        "partition": 0,
                        "offset": 7,
                        "file": None,
                        "line": None,
                        "reason": "value_does_not_fit",
                        "detail": "amount",
                        "record_value": script,
                    }
                ],
            }
        ],
        runs=[
            {
                "name": "dq_shop__runs",
                "rows": [
                    {
                        "table_name": table,
                        "run": run,
                        "outcome": outcome,
                        "records": records,
                        "landed_until": "2026-01-30T09:09:00.000Z",
                    }
                    for table in ("orders", "lines")
                    for run in (1, 2, 3)
                    for outcome, records in (("staged", 300 * run), ("refused", 2 * run))
                ],
            }
        ],
        ended=[
            {
                "table_name": "orders",
                "change": "drop",
                "ddl": f"drop table `o`{script}",
                "former_table": None,
                "changed_at": "2026-01-31T10:00:00.000Z",
            }
        ],
        change_logs=[
            {
                "source_name": "shop",
                "table_name": "orders",
                "changes": 1000,
                "last_change": "2026-01-30T09:08:07.123456Z",
                "last_landed": "2026-01-30T09:09:00.000Z",
            }
        ],
        drifts=[
            {
                "name": "shop_contract_drift",
                "rows": [
                    drift("not declared", "vip", "columns: {vip: tinyint(1)}"),
                    drift("type differs", script, "columns: {total: 'numeric(9,2)'}"),
                    drift("gone", "note", "# note stays in columns"),
                    drift("not declared", "at", "afterimage drift --table shop.orders"),
                ],
            }
        ],
        transactions=[
            {
                "name": "shop_transactions",
                "states": [
                    {"state": "missing", "transactions": 1},
                    {"state": "open", "transactions": 2},
                ],
                "first": [
                    {
                        "transaction_id": "77",
                        "data_collection": "shop.orders",
                        "table_name": "orders",
                        "state": "missing",
                        "reported": 2,
                        "staged": 1,
                        "began_at": None,
                        "ended_at": "2026-01-30T09:00:00.000000Z",
                        "changed_at": None,
                        "fault": None,
                    }
                ],
            }
        ],
        unread=[
            {
                "source_name": "shop",
                "table_name": "orders",
                "snapshot": "initial",
                "run": "n-0",
                "run_started_at": "2026-01-29T00:00:00.000000Z",
                "records": 1,
                "rows": [{"row_key": script, "valid_from": None, "position": "1"}],
            }
        ],
        unknown=[
            {
                "source_name": "shop",
                "table_name": "orders",
                "columns": '["note"]',
                "records": 4,
                "key": script,
            }
        ],
        timelines=[timeline(life(script))],
        never_seen={"t": ["shop.orders"]},
    )


def drift(kind: str, column: str, contract_change: str) -> dict:
    row = {"source_name": "shop", "table_name": "orders", "topic": "t", "drift": kind}
    row |= {
        "column_name": column,
        "reported_by": "schema changes",
        "reported": "int",
        "declared": None,
    }
    row |= {"since_position": None, "since": None, "records": 12}
    return row | {"contract_change": contract_change}


def life(note: str, versions: int = 3, **more) -> dict:
    """A row with so many versions, as row_timelines returns it: the newest 101 of them."""
    told = []
    for number in range(versions):
        version = {
            "row_key": "17",
            "valid_from": f"2026-01-28T07:06:05.{number:06}Z",
            "valid_to": f"2026-01-28T07:06:05.{number + 1:06}Z",
            "op": "u" if number else "c",
            "position": f"{number:04}",
            "end_reason": "update",
            "previous_key": None,
            "snapshot": "none",
            "row_values": {"id": 17, "note": note, "total": number, "tags": None},
            "unknown": None,
            "special": None,
            "versions_there": versions,
        }
        told.append(version)
    told[-1] |= {"valid_to": None, "end_reason": None} | more
    row = {"source_name": "shop", "table_name": "orders", "key": "17", "named_by": "finding"}
    return row | {"versions": told[-101:]}


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


def test_the_terminal(report):
    text = printed(report)
    assert "ALARM: orders: the source ran drop on it at 2026-01-31" in text
    assert "ALARM: orders: 2 times key_change_unpaired: one of the two records" in text
    assert "What to do: land the newer records and run dbt again. If the alarm stays," in text
    assert "REFUSED: 10 value_does_not_fit: a value is not of its declared type" in text
    assert "What to do: declare the type the source has now" in text
    assert "dq_crm__accounting has not run yet" in text
    assert re.search(r"shop.orders +2026-01-30 09:08:07 +\d+ d \d+ h +53 s", text)
    assert "BEHIND: 3 row(s) of orders" in text
    assert "Never seen: truncates of shop.orders" in text
    assert "DRIFT: shop.orders: not declared: vip" in text
    assert "columns:\n    vip: tinyint(1)\n    total: 'numeric(9,2)'" in text
    assert "Run: afterimage drift --table shop.orders" in text
    assert "INCOMPLETE: shop_transactions: 1 transaction(s) missing" in text
    assert "Pending: shop_transactions: 2 transaction(s) open" in text
    assert "SNAPSHOT: shop.orders: 1 current row(s)" in text
    assert (
        "NOT SENT: shop.orders: no record has sent note of 4 current rows (for example key <scr"
        in text
    )
    assert "shop.orders, key 17 (named by a finding)" in text and "total: 1 → 2" in text
    # text from records is not markup
    assert "\x1b" not in text and "[31m[bold]" in text


class Tags(HTMLParser):
    """The elements of a page, and whether each is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def as_html(text: str) -> str:
    """A meaning or remedy on the page: names in backticks are code."""
    return re.sub("`(.+?)`", r"<code>\1</code>", text)


def test_the_page_says_what_the_terminal_does(report):
    text = page(report)
    for said in (
        *("1,200", "90<small>redelivered", "100<small>tombstone", "10<small>value_does_not_fit"),
        *map(as_html, REMEDIES["alarm", "key_change_unpaired"].values()),
        "Project shop, 2026-01-31 10:00:00 UTC.",
        "<dt>without a table</dt><dd>10</dd>",
        as_html(REMEDIES["unrouted", "unknown_topic"]["remedy"]),
        *map(as_html, REMEDIES["refused", "value_does_not_fit"].values()),
        "the source ran drop on it at 2026-01-31",
        *("dq_crm__accounting has not run yet", "3 row(s) of orders", "pg1.shop.orders 0:7"),
        *("2026-01-30 09:08:07", "truncates of shop.orders", "pg1.transaction"),
        *("  vip: tinyint(1)", "  total: &#39;numeric(9,2)&#39;", "# note stays in columns"),
        *("afterimage drift --table shop.orders", "fewer changes are staged than the END counts"),
        *("no record has sent\nnote of 4 current rows", "that a complete snapshot did not read"),
        *("named by a finding", "total: 1 → 2"),
    ):
        assert said in text, said


def test_the_runs_of_each_table_are_below_those_of_all(report, browser):
    tab = browser.new_page()
    tab.set_content(page(report))
    of_table = tab.locator("details")
    assert of_table.locator("summary").all_text_contents() == ["Runs of lines", "Runs of orders"]
    newest = of_table.nth(1).locator("tbody tr").first
    assert not newest.is_visible()
    tab.get_by_text("Runs of orders").click()
    assert newest.locator("th, td").all_inner_texts() == [
        *("3", "2026-01-30 09:09:00", ""),
        *("900", "0", "0", "6"),
    ]
    staged, refused = (
        newest.locator(".bar span").nth(place).bounding_box()["width"] for place in (0, 1)
    )
    assert staged > 50 * refused > 0
    tab.close()


def test_several_kinds_of_an_outcome_have_their_numbers(report):
    report.accountings[0]["rows"].append(counted("ignored", 5, "heartbeat"))
    text = page(report)
    assert "105<small>100 tombstone</small><small>5 heartbeat</small>" in text


def test_a_terminal_of_80_columns_cuts_no_name(report):
    text = printed(report, width=80)
    [rows] = (each["rows"] for each in report.accountings if each["rows"])
    kinds = {row["kind"] for row in rows if row["kind"] and row["table_name"]}
    assert [kind for kind in kinds if kind not in text] == []
    assert text.count("value_does_not_fit") == 3  # by table, with its remedy, and among the newest


def refused(offset: int, reason: str, detail: str, topic: str = "pg1.shop.orders") -> dict:
    row = {"topic": topic, "partition": 0, "offset": offset, "file": None, "line": None}
    return row | {"reason": reason, "detail": detail, "record_value": f"value {offset}"}


def test_refused_records_that_are_alike_are_shown_once(report):
    """By topic, reason and column; where the detail begins with no column, by detail."""
    report.quarantines[0]["newest"] = [
        refused(1, "value_does_not_fit", 'total: {"v":"1.5"} does not fit numeric(12,2)'),
        refused(2, "value_does_not_fit", 'total: {"v":"2.5"} does not fit numeric(12,2)'),
        refused(3, "value_does_not_fit", 'vat: {"v":"2.5"} does not fit numeric(12,2)'),
        refused(4, "value_does_not_fit", 'total: {"v":"2.5"} does not fit text', "pg1.shop.bills"),
        refused(5, "unknown_op", "op: x"),
        refused(6, "unknown_op", "op: y"),
        refused(7, "unknown_op", "op: y"),
    ]
    numbers = [
        (row["offset"], row["alike"]) for row in gathered.alike(report.quarantines[0]["newest"])
    ]
    assert numbers == [(1, 2), (3, 1), (4, 1), (5, 1), (6, 2)]
    for text in (printed(report), page(report)):
        assert "The newest 7, one of those that are alike" in text
        shown = {number for number in range(1, 8) if f"value {number}" in text}
        assert shown == {1, 3, 4, 5, 6}
    assert len(json.loads(report.as_json())["quarantines"][0]["newest"]) == 7


@pytest.mark.parametrize(
    "is_quiet, said",
    [
        (False, "(alarm: 3, drift: 1, transactions: 1, snapshot: 1, not sent: 1, refused: 10)"),
        (True, "(no alarm, nothing refused)"),
    ],
)
def test_the_line_about_the_page_counts_what_it_names_first(
    report, monkeypatch, tmp_path, is_quiet, said
):
    gathered_now = Report("shop", "2026-01-31") if is_quiet else report
    monkeypatch.setattr("afterimage.report.gather", lambda *arguments: gathered_now)
    file = tmp_path / "report.html"
    done = CliRunner().invoke(main, ["report", "--html", str(file)])
    assert done.output == f"wrote {file} {said}\n"
    [first] = re.findall("(?s)<h2>Look at this first</h2>(.*?)<h2>", file.read_text("utf-8"))
    assert first.count("<li>") == gathered_now.first.total()


def test_when_a_report_was_made_is_written_as_its_other_times(monkeypatch):
    model = SimpleNamespace(
        depends_on=SimpleNamespace(macros=["macro.afterimage.accounting"]), resource_type="model"
    )
    project = SimpleNamespace(project_name="shop")
    manifest = SimpleNamespace(nodes={"m": model}, sources={}, metadata=project)
    monkeypatch.setattr(gathered, "parse", lambda target: manifest)
    there = {"timelines": [], "accountings": [{"name": "dq_shop__accounting", "rows": []}]}
    monkeypatch.setattr(gathered, "operation", lambda *names, **more: [json.dumps(there)])
    made_at = gathered.gather(None, 10).made_at
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", made_at)
    there["accountings"][0]["rows"] = None
    with pytest.raises(
        UserError, match=r"no quality model has run yet \(dq_shop__accounting\): `dbt build`"
    ):
        gathered.gather(None, 10)


def test_pages_are_named_by_where_a_project_has_them(report, monkeypatch):
    """Below dbt_packages; each is there."""
    monkeypatch.setattr(gathered, "parse", lambda target: SimpleNamespace(nodes={}))
    with pytest.raises(UserError) as nothing_to_report:
        gathered.gather(None, 10)
    texts = [text for row in REMEDIES.values() for text in row.values()]
    texts += [str(nothing_to_report.value), printed(report), page(report)]
    named = re.findall(r"(\S*?)docs/([\w/-]+\.md)", " ".join(texts))
    assert len(named) > 10
    assert {before.lstrip("(") for before, _ in named} == {"dbt_packages/afterimage/"}
    assert [path for _, path in named if not (DOCS / path).is_file()] == []


def test_json_has_the_remedy_beside_what_was_found(report):
    said = json.loads(report.as_json())
    rows = said["accountings"][0]["rows"] + said["quarantines"][0]["reasons"]
    told = {row.get("kind", row.get("reason")): row.get("remedy") for row in rows}
    assert told["key_change_unpaired"] == REMEDIES["alarm", "key_change_unpaired"]["remedy"]
    assert told["value_does_not_fit"] == REMEDIES["refused", "value_does_not_fit"]["remedy"]


def test_nothing_on_the_page_is_code_or_fetched(report):
    text = page(report)
    assert "<script" not in text and "&lt;script&gt;alert(1)" in text
    assert "\x1b" not in text
    tags = Tags(text)
    assert tags.open == []
    for tag, attributes in tags.found:
        assert tag not in ("script", "link", "img", "iframe")
        assert not any(name.startswith("on") for name in attributes), attributes
        for name in ("src", "href", "xlink:href"):
            assert not str(attributes.get(name) or "").startswith(("http", "//")), attributes


def test_the_page_can_be_read_without_seeing_it(report):
    """Named regions and figures, headings in order, tables with captions and scopes."""
    tags = Tags(page(report)).found
    assert ("html", {"lang": "en"}) in tags
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and set(levels[1:]) == {2, 3}
    assert all(below <= above + 1 for above, below in pairwise(levels))
    names = [tag for tag, _ in tags]
    assert names.count("table") == names.count("caption") > 2
    assert all(attributes.get("scope") for tag, attributes in tags if tag == "th")
    assert all(attributes.get("aria-label") for tag, attributes in tags if tag == "figure")


def test_two_sources_with_a_table_of_one_name(report):
    """Each has its own line: their records are never added together."""
    rows = [counted("landed", 7, source_name="crm"), counted("staged", 7, source_name="crm")]
    report.accountings[1]["rows"] = rows
    text = page(report)
    assert ">shop.orders<" in text and ">crm.orders<" in text
    assert text.count("2026-01-30 09:08:07") == 1


def test_a_project_where_all_is_well():
    quiet = Report(
        "shop",
        "2026-01-31",
        accountings=[{"name": "a", "rows": [counted("landed", 1), counted("staged", 1)]}],
        quarantines=[{"name": "q", "reasons": [], "behind": [], "unknown": 0, "newest": []}],
    )
    text = page(quiet)
    assert "Nothing: no alarm" in text and "Nothing is refused." in text
    assert "Nothing is refused." in printed(quiet)


def test_contract_changes_are_one_mapping_of_a_table():
    """Complete when pasted: no duplicate key, quotes kept, remarks and commands separate."""
    rows = [
        drift(
            "type differs", "n", 'columns: {n: "numeric(9,2)"}\nformer_types: {n: {"6.04": int}}'
        ),
        drift("type differs", "y", 'columns: {"y": bigint}\nformer_types: {"y": {"7.10": int}}'),
        drift("key differs", "", "key: [order_no, line]"),
        drift("gone", "note", "# note stays in columns"),
        drift("not declared", "at", "afterimage drift --table shop.orders"),
        drift("not declared", "on", "afterimage drift --table shop.orders"),
    ]
    [change] = contract_changes(rows)
    assert change["table"] == "shop.orders"
    assert change["run"] == ["afterimage drift --table shop.orders"]
    assert change["paste"].splitlines() == [
        "# note stays in columns",
        "columns:",
        '  n: "numeric(9,2)"',
        '  "y": bigint',
        "former_types:",
        '  n: {"6.04": int}',
        '  "y": {"7.10": int}',
        "key: [order_no, line]",
    ]


def test_a_long_life_is_cut_and_says_so():
    """The newest hundred versions; the one before shows what changed in the first of them."""
    cut = timeline(life("x", versions=150))
    assert (len(cut["versions"]), cut["versions_there"]) == (100, 150)
    assert cut["versions"][0]["changed"] == [{"column": "total", "before": 49, "after": 50}]
    assert not any(version["is_first"] for version in cut["versions"])
    text = page(Report("shop", "2026-01-31", timelines=[cut]))
    assert "The newest 100 of 150 versions." in text


def test_values_that_were_not_sent_or_that_no_type_holds():
    """They are not NULLs."""
    whole = timeline(life("x", unknown=["note", "hidden"], special={"total": "NaN", "id": None}))
    assert whole["versions"][-1]["changed"] == [
        {"column": "note", "before": "x", "after": "(not sent)"},
        {"column": "total", "before": 1, "after": "NaN"},
    ]
    first = [change["column"] for change in whole["versions"][0]["changed"]]
    assert first == ["id", "note", "total"]


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation(report, browser, theme, width):
    from axe_playwright_python.sync_playwright import Axe

    tab = browser.new_page(color_scheme=theme, viewport={"width": width, "height": 800})
    tab.set_content(page(report))
    found = Axe().run(tab)
    assert found.violations_count == 0, found.generate_report()
    # wide content scrolls within its region, never the page
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    # each caption is in sight as a whole, however wide its table is
    captions = tab.locator("caption span").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().right)"
    )
    assert captions and max(captions) <= width
    tab.close()


def test_it_is_used_by_links_by_keyboard_and_on_paper(report, browser):
    tab = browser.new_page(viewport={"width": 360, "height": 800})
    tab.set_content(page(report))
    links = tab.locator(".findings a")
    for number in range(links.count()):
        links.nth(number).click()
        place = links.nth(number).get_attribute("href")
        assert tab.locator(place).evaluate("each => each.getBoundingClientRect().top") < 800
    # what scrolls is reached and scrolled by keys
    tab.evaluate("document.querySelector('.wide').previousElementSibling.scrollIntoView()")
    for _ in range(50):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Tables":
            break
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function("document.activeElement.scrollLeft > 0")
    # paper does not scroll
    tab.emulate_media(media="print")
    assert (
        tab.locator(".wide").first.evaluate("each => getComputedStyle(each).overflowX") == "visible"
    )
    tab.close()


@pytest.mark.parametrize("runs, scrolls", [(1, False), (6, False), (30, True)])
def test_the_chart_of_a_few_runs_needs_no_scrolling(report, browser, runs, scrolls):
    """Its bars are equally wide however many there are, and its legend never scrolls."""
    report.runs[0]["rows"] = [
        {
            "table_name": "orders",
            "run": run,
            "outcome": "staged",
            "records": 9,
            "landed_until": None,
        }
        for run in range(1, runs + 1)
    ]
    tab = browser.new_page(viewport={"width": 360, "height": 800})
    tab.set_content(page(report))
    chart = tab.locator("figure .wide")
    assert chart.evaluate("each => each.scrollWidth > each.clientWidth") == scrolls
    bar = tab.locator("figure svg [style*='1a7f64']").first.bounding_box()
    assert 15 < bar["width"] < 40
    assert tab.locator("figcaption .legend").count() == 5
    tab.close()


@pytest.mark.parametrize(
    ("earlier", "later", "said"),
    [
        ("2026-01-30T09:08:07Z", "2026-01-30T09:08:07.400Z", "0 s"),
        ("2026-01-30T09:08:07Z", "2026-01-30T10:08:09Z", "1 h 0 min"),
        ("2026-01-30T09:08:07Z", "2026-02-03T12:08:09Z", "4 d 3 h"),
        ("2026-01-30T09:08:07Z", "2026-01-30T09:00:00Z", "0 s"),
        ("+12026-01-30T09:08:07Z", "2026-01-30T09:00:00Z", ""),
        (None, "2026-01-30T09:00:00Z", ""),
    ],
)
def test_how_long_ago(earlier, later, said):
    assert gathered.duration(gathered.seconds_between(earlier, later)) == said
