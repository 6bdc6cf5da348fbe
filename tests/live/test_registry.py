"""Avro with a running registry: the schemas from each of its APIs, and a capture's frames read with
them, compared with the database."""

import json

import pytest
import requests

from afterimage.schemas import entries_of_registry, keep
from tests.functional.capture_project import landing_records, project_of_spec, table_name
from tests.functional.conftest import drop
from tests.live.registry import fetched, registry
from tests.truth.captures import captures

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def capture():
    return captures()["pg-avro"]


@pytest.fixture(scope="module")
def url(capture, tmp_path_factory):
    """A registry with the capture's schemas, registered as a connector does."""
    folder = fetched(tmp_path_factory.mktemp("registry"))
    if folder is None:
        pytest.skip("no registry on this machine: neither mvn to fetch it nor AFTERIMAGE_REGISTRY")
    with registry(folder) as address:
        for entry in capture.schemas:
            answer = requests.post(
                f"{address}/ccompat/v7/subjects/{entry['subject']}/versions",
                json={"schema": json.dumps(entry["schema"])},
                timeout=30,
            )
            assert answer.json()["id"] == entry["id"]
        yield address


@pytest.mark.parametrize(
    ("api", "ids"),
    [
        ("ccompat/v7", None),
        ("registry/v2", "contentId"),
        ("registry/v2", "globalId"),
        ("registry/v3", "contentId"),
        ("registry/v3", None),
    ],
)
def test_every_api_gives_them_all(api, ids, url, capture):
    found = {
        (e.id, e.subject, json.dumps(json.loads(e.schema)))
        for e in entries_of_registry(f"{url}/{api}", ids)
    }
    assert found == {(e["id"], e["subject"], json.dumps(e["schema"])) for e in capture.schemas}


def test_a_capture_is_read_with_them(url, capture, spark, tmp_path, compared):
    project = project_of_spec(capture.former_spec, tmp_path / "project", spark, "live_registry")
    try:
        table = project.source_contract["avro_schemas"]
        assert keep(spark, entries_of_registry(f"{url}/ccompat/v7"), table, "parquet") == 7
        project.land(landing_records(capture.records))
        project.run("run")
        for name, declared in capture.spec.tables.items():
            rows = project.rows(f"cur_src__{table_name(name)}")
            compared["rows of cur_ read with a running registry's schemas"] += len(rows)
            assert capture.faults(declared, "final", rows) == []
    finally:
        drop(spark, project)
