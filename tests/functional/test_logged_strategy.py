"""Each run logs its strategy: where it searched, which keys it computed, how it wrote."""

import pytest

from tests.functional.small_stream import TABLES, keyed, record
from tests.session import file_format_of


@pytest.fixture
def project(make_project):
    return make_project(
        "ways",
        source="src",
        source_contract={
            "connector": "postgresql",
            "topic_prefix": "t",
            "settings": {"skipped_operations": ["none"]},
        },
        tables={"keyed": TABLES["keyed"]},
    )


def ways(project, records: list[dict]) -> list[str]:
    """What the three models log in a run over these records, without their names."""
    project.land(records)
    project.run("run")
    return [text.partition("__keyed: ")[2] for text in project.said if "__keyed: " in text]


def test_each_layer_says_its_way(project, spark):
    merges = file_format_of(spark) != "parquet"
    births = [keyed(id, 100 + id, "c", (id, "a")) for id in range(1, 9)]
    log, history, state = ways(project, births)
    assert log == "batch 1: 8 accepted; searched for new records in all of landing"
    assert history == "processed batches 1 to 1, computed all keys, from the beginning"
    assert state == "filled, read through append 1"

    log, history, state = ways(project, [keyed(20, 300, "u", (2, "b"))])
    assert log == "batch 2: 1 accepted; searched for new records above the processed region"
    assert history == "processed batches 2 to 2, computed the keys with new changes"
    assert state == f"{'merged' if merges else 'appended'}, read through append 2"

    late = keyed(15, 200, "u", (2, "late"))
    truncate = record("keyed", 21, 400, "t")
    log, history, state = ways(project, [late, truncate])
    assert log.startswith("batch 3: 2 accepted")
    assert log.endswith("searched for new records by a join with all processed records")
    assert history.endswith("computed all keys, because a change of all rows is among the new ones")
    assert ways(project, []) == ["nothing new"] * 3
