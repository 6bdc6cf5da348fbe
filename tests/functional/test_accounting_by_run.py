"""Law of conservation, run by run: the counts of each run, and that a retry moves a count."""

import json

RUNS = "{{ afterimage.accounting_by_run([ref('stg_s__t')]) }}\n"
LAW = {
    "name": "dq_s__runs",
    "data_tests": [
        {"afterimage.cdc_runs_add_up": {"arguments": {"accounting": "ref('dq_s__accounting')"}}}
    ],
}
TOO_LATE = 43_200_000_000  # as time(3) not a time of day; as time, noon
FITS_NOT = ("refused", "value_does_not_fit")


def record(offset: int, key: int, time: int = 0) -> dict:
    source = {"lsn": 100 + key, "txId": key, "snapshot": "false"}
    value = {"op": "c", "after": {"id": key, "at": time}, "source": source}
    return {"topic": "t.p.t", "partition": 0, "offset": offset, "value": value}


def test_the_runs_add_up(make_project):
    project = make_project(
        "by_run",
        tables={"t": {"topic": "t.p.t", "key": ["id"], "columns": {"id": "int", "at": "time(3)"}}},
        layers={"t": ["stg"]},
        extra_models={"dq_s__runs": RUNS},
    )
    (project.folder / "models" / "runs.yml").write_text(json.dumps({"models": [LAW]}))

    def of_run(number: int) -> dict:
        rows = project.rows("dq_s__runs", f"run = {number}")
        return {(row["outcome"], row["kind"]): row["records"] for row in rows}

    tombstone = {"topic": "t.p.t", "partition": 0, "offset": 2, "value": None}
    project.land([record(0, 1), record(1, 2, TOO_LATE), tombstone, record(3, 1)])
    project.run("build")
    first = {
        ("staged", None): 1,
        FITS_NOT: 1,
        ("ignored", "tombstone"): 1,
        ("duplicate", "redelivered"): 1,
    }
    assert of_run(1) == first

    project.land([record(4, 3), record(5, 1), record(6, 1), record(1, 2, TOO_LATE)])
    project.run("build")
    assert of_run(1) == first
    assert of_run(2) == {("staged", None): 1, ("duplicate", "redelivered"): 2}

    project.tables["t"]["columns"]["at"] = "time"
    project.write()
    project.run("build")
    assert of_run(3) == {("staged", None): 1, FITS_NOT: -1}
    assert of_run(1) == first
    assert project.rows("dq_s__quarantine") == []
    counts = project.counts()
    assert sum(n for (_, outcome, _), n in counts.items() if outcome == "landed") == 7
    assert sum(row["records"] for row in project.rows("dq_s__runs")) == 7
