"""A project with the package is parsed without a warning, with each flag for the behaviour of
coming versions of dbt on: two sources, a schema for each by the project's own macro, awkward
names."""

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from dbt.contracts.project import ProjectFlags

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    field.name
    for field in dataclasses.fields(ProjectFlags)
    if re.match("require_|validate_|state_|skip_nodes|source_freshness", field.name)
]
PROFILE = {
    "target": "t",
    "outputs": {"t": {"type": "spark", "method": "session", "host": "NA", "schema": "base"}},
}
SCHEMAS = """{% macro generate_schema_name(custom_schema_name, node) %}
  {{ return((custom_schema_name or 'none') ~ '_of_' ~ target.schema) }}
{% endmacro %}"""
MODELS = {
    "stg_{0}__orders": "change_log(source('{0}', 'orders'))",
    "hist_{0}__orders": "history(ref('stg_{0}__orders'))",
    "cur_{0}__orders": "current_state(ref('hist_{0}__orders'))",
    "dq_{0}__accounting": "accounting([ref('stg_{0}__orders')], [source('{0}', 'orders')])",
    "dq_{0}__quarantine": "quarantine([ref('stg_{0}__orders')], [source('{0}', 'orders')])",
    "dq_{0}__runs": "accounting_by_run([ref('stg_{0}__orders')])",
}
TESTS = {
    "cur_{0}__orders": [
        {"afterimage.cdc_agreement": {"arguments": {"history": "ref('hist_{0}__orders')"}}}
    ],
    "dq_{0}__accounting": ["afterimage.cdc_conservation"],
}


@pytest.fixture
def project(tmp_path):
    def write(name: str, content) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))

    write("packages.yml", {"packages": [{"local": str(ROOT)}]})
    (tmp_path / "dbt_packages").mkdir()
    (tmp_path / "dbt_packages" / "afterimage").symlink_to(ROOT, target_is_directory=True)
    write("profiles.yml", {"consumer": PROFILE})
    write("macros/generate_schema_name.sql", SCHEMAS)
    project = {"name": "consumer", "version": "1.0", "profile": "consumer"}
    schemas = {name: {"+schema": f"of-{name}"} for name in ("shop", "crm")}
    project |= {"flags": dict.fromkeys(FLAGS, True), "models": {"consumer": schemas}}
    write("dbt_project.yml", project)
    for name in schemas:
        cdc = {"connector": "postgresql", "topic_prefix": name, "topic": f"{name}.x.orders"}
        cdc |= {"key": ["id"], "columns": {"id": "int", "It's a-b": "text"}}
        table = {"name": "orders", "identifier": "events", "config": {"meta": {"cdc": cdc}}}
        models = [
            {
                "name": model.format(name),
                "data_tests": yaml.safe_load(yaml.safe_dump(tests).format(name)),
            }
            for model, tests in TESTS.items()
        ]
        source = {"name": name, "schema": "landing", "tables": [table]}
        write(f"models/{name}/{name}.yml", {"sources": [source], "models": models})
        for model, macro in MODELS.items():
            text = f"{{{{ afterimage.{macro.format(name)} }}}}\n"
            write(f"models/{name}/{model.format(name)}.sql", text)
    return tmp_path


def test_no_warning_under_the_flags_of_coming_versions(project):
    dbt = Path(sys.executable).with_name("dbt")
    done = subprocess.run(
        [dbt, "--warn-error", "parse", "--no-partial-parse", "--no-use-colors"],
        cwd=project,
        env=os.environ | {"DBT_PROFILES_DIR": str(project)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    manifest = yaml.load((project / "target/manifest.json").read_text(), yaml.CSafeLoader)
    nodes = [n for n in manifest["nodes"].values() if n["resource_type"] == "model"]
    assert {n["schema"] for n in nodes} == {"of-shop_of_base", "of-crm_of_base"}
