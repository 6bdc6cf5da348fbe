"""`source_fields` adds fields of the source block, `headers` Kafka headers, as texts; missing
fields are NULL, and refused records have hashes of fields that may hold row values."""

HEADERS = {
    "tenant-id": "7",
    "changed": '["NAME","PRICE"]',
    "else": "x",
    "etag": 'W/"abc"',
    # JsonConverter
    "said": r'"say \"hi\""',
    "typed": '{"schema":{"type":"string","optional":false},"payload":"8"}',
    "bytes": b"\x00\xf3",
}


def change(offset: int, source: dict, row: dict | None = None) -> dict:
    value = {"op": "c", "before": None, "after": {"ID": offset} | (row or {}), "source": source}
    return {"topic": "o.t", "partition": 0, "offset": offset, "value": value}


def test_they_are_texts_and_null_where_they_are_not_there(make_project):
    project = make_project(
        "source_fields",
        source_contract={"connector": "oracle", "source_fields": ["user_name"]},
        tables={
            "t": {
                "topic": "o.t",
                "key": ["ID"],
                "columns": {"ID": "number(9)"},
                "source_fields": ["ssn", "redo_sql", "commit_ts_ms", "txId"],
                "headers": ["tenant-id", "changed", "etag", "said", "typed", "bytes"],
            }
        },
    )
    newest = {"scn": "2", "ssn": 0, "commit_ts_ms": 1520085154000, "txId": "5.6.641"}
    project.land(
        [
            change(0, {"scn": "1", "ssn": 1, "ts_ms": 0, "ts_us": 0, "ts_ns": 0})
            | {"headers": HEADERS, "timestamp": 1_700_000_000_000},
            change(1, newest | {"redo_sql": "insert into t values ('secret')"}),
            change(2, {"scn": "x", "redo_sql": "insert into t values ('secret')"}),
        ]
    )
    project.run("run")
    names = ("_cdc_source_ssn", "_cdc_source_redo_sql", "_cdc_source_commit_ts_ms")
    rows = sorted(project.rows("stg_s__t"), key=lambda row: row["_cdc_offset"])
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("1", None, None),
        ("0", "insert into t values ('secret')", "1520085154000"),
    ]
    assert rows[1]["_cdc_source_txId"] == "5.6.641"
    # a time of 0 is none
    assert rows[0]["_cdc_source_ts"] == rows[0]["_cdc_landed_ts"]
    assert rows[0]["_cdc_landed_ts"].year == 2023
    assert (rows[0]["_cdc_source_ts_ns"], rows[0]["_cdc_processed_ts"]) == (None, None)
    shown = ("tenant_id", "changed", "etag", "said", "typed", "bytes")
    assert [tuple(row[f"_cdc_header_{name}"] for name in shown) for row in rows] == [
        ("7", '["NAME","PRICE"]', 'W/"abc"', 'say "hi"', "8", "00f3"),
        (None,) * len(shown),
    ]
    # the table's list replaces the source's
    assert "_cdc_source_user_name" not in rows[0]
    [refused] = project.rows("dq_s__quarantine")
    assert (refused["reason"], refused["detail"]) == ("missing_position", None)
    assert "secret" not in str(refused)


def test_another_one_may_come_later(make_project):
    tables = {"t": {"topic": "o.t", "key": ["ID"], "columns": {"ID": "number(9)"}}}
    project = make_project(
        "source_fields_later", source="s", source_contract={"connector": "oracle"}, tables=tables
    )
    project.land([change(0, {"scn": "1", "user_name": "APP"})])
    project.run("run")
    project.tables["t"] |= {"source_fields": ["user_name"], "headers": ["tenant"]}
    project.write()
    newer = change(1, {"scn": "2", "user_name": "SYS"}) | {"headers": {"tenant": "7"}}
    project.land([newer, change(2, {"scn": "x"})])
    project.run("run")
    rows = sorted(project.rows("stg_s__t"), key=lambda row: row["_cdc_offset"])
    assert [row["_cdc_source_user_name"] for row in rows] == [None, "SYS"]
    assert [row["_cdc_header_tenant"] for row in rows] == [None, "7"]
    assert len(project.rows("cur_s__t")) == 2
    [refused] = project.rows("dq_s__quarantine")
    assert (refused["reason"], refused["detail"]) == ("missing_position", '{"scn":"x"}')


def test_what_may_be_a_part_of_a_lob_is_marked(make_project):
    """XStream sends a LOB that is written in parts as several events, each with the value so
    far."""
    project = make_project(
        "source_fields_lob",
        source_contract={"connector": "oracle", "settings": {"lob_enabled": True}},
        tables={
            "t": {"topic": "o.t", "key": ["ID"], "columns": {"ID": "number(9)", "DOC": "clob"}},
            "u": {"topic": "o.u", "key": ["ID"], "columns": {"ID": "number(9)"}},
        },
    )
    part = change(0, {"scn": "1", "lcr_position": "0000a1"}, {"DOC": "par"})
    project.land([part, change(1, {"scn": "2"}, {"DOC": "whole"})])
    project.run("run")
    rows = sorted(project.rows("stg_s__t"), key=lambda row: row["_cdc_offset"])
    assert [row["_cdc_source_lcr_position"] for row in rows] == ["0000a1", None]
    columns = project.spark.table(f"{project.schema}.stg_s__u").columns
    assert "_cdc_source_lcr_position" not in columns
