"""The documentation site: it builds, no link is dead, and common terms lead to a page."""

import json
import os
import re
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).resolve().parents[2]
# What users of dbt, Spark or Debezium search for.
TERMS = re.split(
    r",\s*",
    """idempotent, at-least-once, exactly-once, deduplication, late-arriving data, out-of-order,
    dead-letter queue, watermark, checkpoint, high-water mark, tie-break, backfill, reconcile,
    schema evolution, schema drift, SCD type 1, SCD type 2, point-in-time, as-of join, tombstone,
    compaction, TOAST, before image, after image, upsert, hard delete, soft delete, merge-on-read,
    copy-on-write, deletion vector, small files, vacuum, snapshot expiry""",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def searched(site) -> dict[str, str]:
    """Each part of a page that a search finds, by its address."""
    index = json.loads((site / "search" / "search_index.json").read_text())
    return {part["location"]: f"{part['title']} {part['text']}" for part in index["docs"]}


@pytest.mark.parametrize("term", TERMS)
def test_a_term_of_the_field_is_found(searched, term):
    assert any(term.lower() in text.lower() for text in searched.values())


def test_generated_evidence_is_out_of_the_way(site, searched):
    assert (site / "reference" / "types.html").is_file()
    assert not [place for place in searched if place.startswith(("reference/types", "decisions/"))]


def test_links_into_the_repository_stay_on_the_site(site):
    """Those of README.md lead to pages; there are no links to files without a page."""
    page = (site / "index.html").read_text()
    assert 'href="how-to/scaffold.html"' in page
    assert not re.findall(r'href="[^"]*(?:docs|tests|macros)/[^"]*"', page)


def test_nothing_is_fetched_from_elsewhere(site):
    for name in ("index.html", "how-to/scaffold.html"):
        loaded = re.findall(r'(?:src|<link[^>]+href)="(https?:[^"]+)"', (site / name).read_text())
        assert loaded == []


def test_a_reader_searches_and_opens_what_is_found(site, browser):
    """In a browser, as the site is read: by a server."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    handler.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        tab = browser.new_page(viewport={"width": 1280, "height": 800})
        faults = []
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        tab.get_by_role("textbox", name="Search").click()
        tab.get_by_role("textbox", name="Search").press_sequentially("dead-letter queue")
        found = tab.locator(".md-search-result__link").first
        found.wait_for()
        found.click()
        tab.wait_for_url("**/*h=dead*")
        assert "dead-letter" in tab.locator("article").inner_text().lower()
        tab.get_by_role("link", name="Glossary").first.click()
        tab.wait_for_url("**/reference/glossary.html")
        tab.close()
        server.shutdown()
    assert not faults
