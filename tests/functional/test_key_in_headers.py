"""The old key of a key change, in the header, as Connect's SimpleHeaderConverter writes it:
decimals as bare numbers of any length, Connect's dates and clocks without quotes, control
characters unescaped (Values.convertToString of connect-api)."""

COLUMNS = {
    "n": "numeric(20,2)",
    "w": "numeric(50,10)",
    "d": "date",
    "t": "timestamp(3)",
    "o": "time(3)",
    "s": "text",
    "note": "text",
}
# 12345678901234567800 and 1 as base64 of their unscaled values
ROW = {"w": "AQ==", "d": 1, "t": 1709210096789, "o": 1000, "s": 'a":1\nb', "note": "here"}
NUMBERS = {"old": ("AKtUqYzrHwp4", "123456789012345678.00"), "new": ("AQ==", "0.01")}


def change(offset: int, op: str, number: str, row: dict, headers: dict | None = None) -> dict:
    image = {"n": number} | row
    images = {"before": image, "after": None} if op == "d" else {"before": None, "after": image}
    # a key-change pair has one position
    source = {"lsn": 100 + min(offset, 1), "txId": 1, "snapshot": "false", "table": "items"}
    value = images | {"op": op, "source": source}
    record = {"topic": "t.items", "partition": 0, "offset": offset, "value": value}
    return record | {"headers": headers or {}}


def header(number: str) -> str:
    return (
        f'{{"n":{number},"w":1E-10,"d":1970-01-02,"t":2024-02-29T12:34:56.789Z,'
        '"o":00:00:01.000Z,"s":"a\\":1\nb"}'
    )


def test_it_is_read_though_it_is_no_json(make_project):
    project = make_project(
        "key_in_headers",
        source_contract={
            "connector": "postgresql",
            "topic_prefix": "t",
            "settings": {"time_precision_mode": "connect"},
        },
        tables={
            "items": {"topic": "t.items", "key": ["n", "w", "d", "t", "o", "s"], "columns": COLUMNS}
        },
    )
    (old, old_text), (new, new_text) = NUMBERS.values()
    project.land(
        [
            change(0, "c", old, ROW),
            change(1, "d", old, ROW, {"__debezium.newkey": header(new_text)}),
            change(
                2,
                "c",
                new,
                ROW | {"note": "__debezium_unavailable_value"},
                {"__debezium.oldkey": header(old_text)},
            ),
        ]
    )
    project.run("run")
    changes = {row["_cdc_offset"]: row for row in project.rows("stg_s__items")}
    assert changes[2]["_cdc_previous_key"] == changes[0]["_cdc_key"]
    assert changes[1]["_cdc_previous_key"] == changes[2]["_cdc_key"]
    (now,) = project.rows("cur_s__items")
    assert (str(now["n"]), now["note"], now["_cdc_unknown"]) == ("0.01", "here", None)
