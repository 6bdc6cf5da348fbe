"""Models written by several threads of one session have the same rows as with one thread."""

import pytest

NAMES = ("orders", "items", "users", "notes")
LAYERS = ("stg", "hist", "cur")


def change(name: str, offset: int, op: str, key: int) -> dict:
    row = {"id": key, "label": f"{name} {offset}"}
    source = {"connector": "postgresql", "ts_ms": offset, "snapshot": "false", "lsn": 100 + offset}
    before, after = (row, None) if op == "d" else (None, row)
    value = {"before": before, "after": after, "source": source, "op": op, "ts_ms": offset}
    place = {"topic": f"t.public.{name}", "partition": 0, "offset": offset}
    return place | {"key": {"id": key}, "value": value}


BATCHES = [
    [("c", key) for key in range(12)],
    [("u", key) for key in range(12)] + [("d", 3), ("c", 20)],
    [("u", 5), ("c", 3), ("u", 20)],
]


def made(make_project, schema: str, threads: int) -> dict[str, list]:
    """The rows of every model after a run for each batch."""
    project = make_project(
        schema,
        source="src",
        tables={
            name: {
                "topic": f"t.public.{name}",
                "key": ["id"],
                "columns": {"id": "int", "label": "text"},
            }
            for name in NAMES
        },
    )
    models = [f"{layer}_src__{name}" for layer in LAYERS for name in NAMES]
    offset = 0
    for batch in BATCHES:
        records = []
        for op, key in batch:
            records += [change(name, offset, op, key) for name in NAMES]
            offset += 1
        project.land(records)
        project.run("run", "--threads", str(threads), "--select", *models)
    return {model: sorted(map(comparable, project.rows(model))) for model in models}


def comparable(row: dict) -> str:
    return repr(sorted(row.items()))


@pytest.mark.formats
def test_four_threads_make_what_one_makes(make_project):
    assert made(make_project, "threads_four", 4) == made(make_project, "threads_one", 1)
