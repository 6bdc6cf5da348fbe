"""Contract files as people edit them: nonsense, open questions, two tables on one topic.

dbt parses the project without starting Spark.
"""

import json
import re

import pytest
import yaml
from click.testing import CliRunner
from dbt import selected_resources
from dbt.cli.main import dbtRunner

from afterimage.cli import main
from afterimage.macros import MACROS

SOURCES = "models/staging/shop/_shop__sources.yml"
PROFILE = {"type": "spark", "method": "session", "host": "NA", "schema": "analytics", "threads": 1}
PROJECT = {"name": "consumer", "version": "1.0.0", "config-version": 2, "profile": "consumer"}
SHOP = "sources:\n  - name: shop\n    schema: landing\n"


@pytest.fixture
def run(tmp_path):
    """Runs a command in a project with the contract of one table."""
    packages = tmp_path / "dbt_packages"
    packages.mkdir()
    (packages / "afterimage").symlink_to(MACROS.parent, target_is_directory=True)
    flags = {"flags": {"send_anonymous_usage_stats": False}}
    for name, content in {
        "dbt_project.yml": PROJECT | flags,
        "packages.yml": {"packages": [{"local": str(MACROS.parent)}]},
        "profiles.yml": {"consumer": {"target": "test", "outputs": {"test": PROFILE}}},
    }.items():
        (tmp_path / name).write_text(yaml.safe_dump(content))
    source = {"connector": "postgresql", "name": "pg1", "db": "shop", "schema": "shop"}
    source["table"] = "orders"
    value = {"op": "c", "source": source, "before": None, "after": {"id": 1, "n": "1.5"}}
    record = {"topic": "pg1.shop.orders", "partition": 0, "offset": 0, "timestamp": 0}
    record |= {"key": '{"id": 1}', "value": json.dumps(value)}
    (tmp_path / "events.jsonl").write_text(json.dumps(record) + "\n")

    def run(command: str):
        sample = [str(tmp_path / "events.jsonl"), "--all-topics"] if command == "scaffold" else []
        return CliRunner().invoke(main, [command, *sample, "--project-dir", str(tmp_path)])

    assert run("scaffold").exit_code == 0
    return run


NONSENSE = {
    "broken YAML": ("sources: [\n", "cannot be read as YAML"),
    "a list": ("- shop\n", 'the file: expected a map, got ["shop"]'),
    "sources that are a text": ("sources: text\n", 'sources: expected a list, got "text"'),
    "no tables": (SHOP + "    tables: null\n", "sources[0].tables: expected a list, got null"),
    "a table without a name": (
        SHOP + "    tables: [{identifier: orders}]\n",
        "sources[0].tables[0]: name is missing",
    ),
    "a contract that is a list": (
        SHOP + "    tables: [{name: orders, config: {meta: {cdc: [topic]}}}]\n",
        'sources[0].tables[0].config.meta.cdc: expected a map, got ["topic"]',
    ),
}


@pytest.mark.parametrize("command", ["scaffold", "model-yaml"])
@pytest.mark.parametrize("text, said", NONSENSE.values(), ids=NONSENSE)
def test_a_contract_file_of_nonsense_is_named_and_stays(run, tmp_path, command, text, said):
    (tmp_path / SOURCES).write_text(text)
    before = _files(tmp_path)
    done = run(command)
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit)
    assert f"{SOURCES}: {said}" in done.output or f"{SOURCES} {said}" in done.output
    assert _files(tmp_path) == before


def test_maps_without_entries_are_no_nonsense(run, tmp_path):
    file = tmp_path / SOURCES
    text = file.read_text()
    file.write_text(re.sub(r"columns:\n(\s+\w+: .*\n)+", "columns:\n", text))
    assert run("scaffold").exit_code == 0
    assert re.search("n: text +# guess: .*; added by a later scaffold", file.read_text())
    file.write_text(
        text.replace(
            "          format:", "          settings: {lob_enabled: true}\n          format:"
        )
    )
    assert run("scaffold").exit_code == 0


def test_validate_repeats_the_open_questions(run, tmp_path):
    done = run("validate")
    assert done.exit_code == 0, done.output
    assert "All contracts are valid.\nUnconfirmed: 2 guesses of scaffold." in done.output
    assert re.search(rf"^{SOURCES}:\d+: n: text is a guess: ", done.output, re.MULTILINE)
    file = tmp_path / SOURCES
    file.write_text(re.sub(r" +# guess.*", "", file.read_text()))
    assert run("validate").output == "All contracts are valid.\n"


def test_a_topic_of_two_tables(run, tmp_path, monkeypatch):
    file = tmp_path / SOURCES
    document = yaml.safe_load(file.read_text())
    [orders] = document["sources"][0]["tables"]
    document["sources"][0]["tables"].append(orders | {"name": "orders_too"})
    file.write_text(yaml.safe_dump(document))
    # what a command with --select, before it in this process, leaves behind
    monkeypatch.setattr(selected_resources, "SELECTED_RESOURCES", ["model.consumer.other"])
    done = run("validate")
    assert "is also declared by shop.orders" in done.output
    assert done.exit_code == 1
    for way in ("its source_tables", "truncate_empties: partition", "key_within: physical_table"):
        assert way in done.output


def _files(root) -> dict[str, bytes]:
    """The files of the project, without dbt's own."""
    own = ("target", "logs", "dbt_packages")
    paths = [path for path in root.rglob("*") if path.is_file()]
    names = {path.relative_to(root): path for path in paths}
    return {
        str(name): path.read_bytes() for name, path in names.items() if name.parts[0] not in own
    }


def test_the_exposure_of_the_page_is_one_of_dbt(run, tmp_path):
    """On the models and the text that scaffold wrote."""
    page = (MACROS.parent / "docs/how-to/scaffold.md").read_text("utf-8")
    exposure = next(
        block for block in re.findall(r"(?s)```yaml\n(.*?)```", page) if "doc(" in block
    )
    (tmp_path / "models/turnover.yml").write_text(exposure)
    options = ["--project-dir", str(tmp_path), "--profiles-dir", str(tmp_path), "--quiet"]
    parsed = dbtRunner().invoke(["parse", *options])
    assert parsed.success, parsed.exception
    [found] = parsed.result.exposures.values()
    assert found.depends_on.nodes == ["model.consumer.cur_shop__orders"]
    assert found.description.startswith("Tables of shop, maintained from its change stream")
