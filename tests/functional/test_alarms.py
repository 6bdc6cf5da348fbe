"""Generic tests that raise an alarm: each fails where it should, and nowhere else."""

import pytest
import yaml

from tests.functional.project import DbtFailed
from tests.functional.small_stream import BROKEN, keyed

TESTS = {
    "stg_s__keyed": {
        "quiet": {"cdc_still_arrives": {"name": "silent", "arguments": {"hours": 24}}},
        "patient": {"cdc_still_arrives": {"name": "patient", "arguments": {"hours": 10_000_000}}},
    },
    "dq_s__quarantine": {
        "strict": {"cdc_refused_at_most": {"name": "strict"}},
        "behind": {"cdc_no_row_behind": {"name": "behind"}},
        "lenient": {"cdc_refused_at_most": {"name": "lenient", "arguments": {"records": 1}}},
    },
}


@pytest.fixture
def project(make_project):
    made = make_project(
        "alarms",
        tables={
            "keyed": {"topic": "t.p.keyed", "key": ["id"], "columns": {"id": "int", "note": "text"}}
        },
    )
    models = [
        {
            "name": model,
            "data_tests": [
                {f"afterimage.{name}": settings for name, settings in test.items()}
                for test in tests.values()
            ],
        }
        for model, tests in TESTS.items()
    ]
    path = made.folder / "models" / "alarms.yml"
    path.write_text(yaml.safe_dump({"models": models}), encoding="utf-8")
    return made


def test_each_alarm_is_raised_where_it_should(project):
    project.land([keyed(0, 100, "c", (1, "a")), BROKEN])  # landed in 1970, as small streams are
    project.run("run")
    with pytest.raises(DbtFailed) as failed:
        project.run("test")
    told = str(failed.value)
    assert "silent" in told and "strict" in told
    assert "patient" not in told and "lenient" not in told
    project.run("test", "--select", "patient", "lenient")
