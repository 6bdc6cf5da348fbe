"""Sensitive columns: the text of a refused record of their table is in nothing that is written."""

import hashlib
import json

SECRET = "4711.99"
SOURCE = {"lsn": 100, "txId": 1, "snapshot": "false"}
CUT = f'{{"before":null,"after":{{"id":1,"amount":"{SECRET}"'
TWICE = (
    f'{{"before":null,"after":{{"id":2,"amount":"1.00","amount":"{SECRET}"}},'
    f'"source":{json.dumps(SOURCE)},"op":"c"}}'
)
TOO_LONG = json.dumps({"after": {"id": 3, "amount": SECRET}, "source": SOURCE, "op": "c"})
UNKNOWN_OP = json.dumps({"after": {"id": 4, "amount": SECRET}, "source": SOURCE, "op": SECRET})
LINE = f"no record {SECRET}"


def test_nothing_shows_what_is_sensitive(make_project):
    project = make_project(
        "redaction",
        tables={
            "paid": {
                "topic": "t.p.paid",
                "key": ["id"],
                "columns": {"id": "int", "amount": "numeric(4,2)"},
                "sensitive": ["amount"],
            }
        },
    )
    texts = [CUT, TWICE, TOO_LONG, UNKNOWN_OP]
    records = [
        {"topic": "t.p.paid", "partition": 0, "offset": offset, "key": {"id": offset}}
        | {"value": text}
        for offset, text in enumerate(texts)
    ]
    project.land([*records, {"line": LINE}])
    project.run("run")
    quarantine = project.rows("dq_s__quarantine")
    assert {row["reason"] for row in quarantine} == {
        "broken_json",
        "duplicate_json_key",
        "value_does_not_fit",
        "unknown_op",
        "unreadable_line",
    }
    hashes = {"sha256:" + hashlib.sha256(text.encode()).hexdigest() for text in [*texts, LINE]}
    assert {row["record_value"] for row in quarantine} == hashes
    assert {row["record_key"] for row in quarantine} == {None}
    for relation in ("dq_s__quarantine", "dq_s__accounting", "stg_s__paid__ledger"):
        assert SECRET not in str(project.rows(relation)), relation
    log = project.folder / "logs" / "dbt.log"
    assert log.stat().st_size > 0
    assert SECRET not in log.read_text(encoding="utf-8")
