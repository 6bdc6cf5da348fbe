"""Masked columns: their values are in no table that a model writes."""

import hashlib

TABLE = {
    "topic": "t.people",
    "key": ["id"],
    "columns": {"id": "int", "email": "text", "ssn": "text", "grade": "int", "name": "text"},
    "masked": {"email": "hash", "grade": "hash", "ssn": "drop"},
}
SECRETS = ("ann@example.com", "078-05-1120", "4711")


def record(offset: int, op: str, **changed) -> dict:
    row = {"id": 1, "email": SECRETS[0], "ssn": SECRETS[1], "grade": 4711, "name": "Ann"}
    source = {"lsn": 100 + offset, "txId": offset, "snapshot": "false"}
    value = {"op": op, "after": row | changed, "source": source}
    return {"topic": "t.people", "partition": 0, "offset": offset, "value": value}


def test_masked_values_are_in_no_table(make_project):
    project = make_project(
        "masked",
        tables={"people": TABLE},
    )
    project.land(
        [
            record(0, "c"),
            record(1, "u", ssn="another"),  # no visible change
            record(2, "u", email=None),
            record(3, "u", grade="no number 4711"),  # refused
        ]
    )
    project.run("run")
    for relation in ("stg_s__people", "stg_s__people__ledger", "hist_s__people", "cur_s__people"):
        rows = project.rows(relation)
        assert rows
        assert not [secret for secret in SECRETS if secret in str(rows)], relation
        assert "ssn" not in rows[0]
    (refused,) = project.rows("dq_s__quarantine")
    assert refused["reason"] == "value_does_not_fit"
    assert not [secret for secret in SECRETS if secret in str(refused)]
    first, second = sorted(project.rows("hist_s__people"), key=lambda row: row["_cdc_position"])
    assert first["email"] == hashlib.sha256(SECRETS[0].encode()).hexdigest()
    assert first["grade"] == hashlib.sha256(b"4711").hexdigest()
    assert (second["email"], second["grade"]) == (None, first["grade"])
