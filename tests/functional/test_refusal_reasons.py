"""Why a record is refused: the detail names the fault, also if the row itself has none."""

from afterimage.outcomes import remedies

WITH_REMEDIES = """{{ afterimage.quarantine(
    [ref('stg_s__items'), ref('stg_s__bag')], [source('s', 'items')],
    remedies=ref('afterimage', 'afterimage_remedies')
) }}
"""
ITEMS = {
    "topic": "t.items",
    "key": ["id"],
    "columns": {"id": "int", "place": "geometry"},
}
BAG = {
    "topic": "t.bag",
    "key": [],
    "replica_identity": "full",
    "columns": {"a": "int", "b": "text"},
}
BESIDE = (
    "a literal beside the row is of another JSON kind: in the row before it, in source or in "
    "transaction"
)


def record(topic: str, offset: int, op: str, before: str, after: str) -> dict:
    source = f'{{"lsn":{100 + offset},"txId":{offset},"snapshot":"false"}}'
    value = f'{{"before":{before},"after":{after},"source":{source},"op":"{op}"}}'
    return {"topic": topic, "partition": 0, "offset": offset, "value": value}


def test_each_detail(make_project):
    project = make_project(
        "said_why",
        tables={"items": ITEMS, "bag": BAG},
        layers={"items": ["stg"], "bag": ["stg"]},
        extra_models={"with_remedies": WITH_REMEDIES},
    )
    with (project.folder / "dbt_project.yml").open("a", encoding="utf-8") as end:
        end.write("seeds: {afterimage: {afterimage_remedies: {+enabled: true}}}\n")
    good = '{"id":1,"place":{"srid":4326,"wkb":"AQ=="}}'
    project.land(
        [
            record("t.items", 0, "c", "null", good),
            record("t.items", 1, "c", "null", '{"id":2,"place":{"srid":"x","wkb":"AQ=="}}'),
            record("t.items", 2, "u", '{"id":"","place":null}', good),
            record("t.items", 3, "u", "null", '{"place":null}'),
            record("t.items", 4, "u", "null", "null"),
            {"topic": "t.items", "partition": 0, "offset": 5, "value": '{"a":1,"source":{}}'},
            {"topic": "t.items", "partition": 0, "offset": 6, "value": '{"op":"u"'},
            {"topic": "t.items", "partition": 0, "offset": 7, "value": "1"},
            record("t.bag", 0, "c", "null", '{"a":1,"b":"x"}'),
            # which of the two rows is unknown
            record("t.bag", 1, "u", '{"a":1,"a":7,"b":"x"}', '{"a":2,"b":"y"}'),
        ]
    )
    project.run("seed")
    project.run("run")
    refused = project.rows("dq_s__quarantine")
    assert {(r["table_name"], r["offset"]): (r["reason"], r["detail"]) for r in refused} == {
        ("items", 1): ("value_does_not_fit", "place: srid does not fit geometry"),
        ("items", 2): ("value_does_not_fit", BESIDE),
        ("items", 3): ("missing_key", 'no value: id; fields of the row: ["place"]'),
        ("items", 4): ("missing_image", "no after, op: u"),
        ("items", 5): ("wrong_envelope", 'no op among its fields ["a","source"]'),
        ("items", 6): ("broken_json", "ends without }, 9 bytes"),
        ("items", 7): ("broken_json", "begins without {, 1 bytes"),
        ("bag", 1): ("duplicate_json_key", "a key of the envelope stands twice"),
    }
    beside = {
        ("refused", row["reason"]): {"meaning": row["meaning"], "remedy": row["remedy"]}
        for row in project.rows("with_remedies")
    }
    known = remedies()
    assert beside == {reason: known[reason] for reason in beside} and len(beside) == 6
