"""Lets the tests here import `tests.oracle` and `tests.truth`, however pytest was started."""

import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)


@pytest.fixture
def run_models(spark, tmp_path, pytestconfig):
    """run_models(stream) builds the models of a user's contract, lands its records in two parts
    unless it declares its own, and returns table → (rows of `cur_`, rows of `hist_`) as dicts. A
    stream of many tables lands in one part unless `--thorough`: dbt's run time grows with the
    models."""
    made = []

    def run(stream):
        from tests.functional.capture_project import landing_records, project_of_spec, table_name

        project = project_of_spec(stream.spec, tmp_path / "project", spark, schema="user_stream")
        made.append(project)
        records = landing_records(stream.records)
        in_one = len(stream.spec.tables) > 4 and not pytestconfig.getoption("--thorough")
        middle = 0 if in_one else len(records) // 2
        for length in filter(None, stream.runs or (middle, len(records) - middle)):
            part, records = records[:length], records[length:]
            project.land(part)
            project.run("run")
        assert not [count for count in project.counts() if count[1] == "pending"]
        for name in stream.spec.tables:
            staged = str(project.rows(f"stg_src__{table_name(name)}"))
            assert stream.spec.settings["unavailable_value_placeholder"] not in staged
        return {
            name: tuple(
                project.rows(f"{layer}_src__{table_name(name)}") for layer in ("cur", "hist")
            )
            for name in stream.expected
        }

    yield run
    from tests.functional.conftest import drop

    for project in made:
        drop(spark, project)
