"""Records close to what a connector writes: each a small step away from a plain one. Most need the
exact statement; the routine statement must read those it accepts as the exact one does."""

from collections.abc import Iterator

TOPIC = "t.p.hard"
COLUMNS = {
    "id": "int",
    "note": "text",
    "amount": "numeric(12,2)",
    "long_amount": "numeric(38,4)",
    "free": "numeric",
    "born": "date",
    "seen": "timestamptz",
    "changed": "timestamp(6)",
    "at": "time",
    "tags": "text[]",
    "valid_from": "real",
    "Odd Name": "varchar(10)",
}
CONTRACTS = {
    "default": {
        "connector": "postgresql",
        "replica_identity": "default",
        "key": ["id"],
        "former_names": {"Odd Name": ["odd name", "name"]},
    },
    "full": {"connector": "postgresql", "replica_identity": "full", "key": ["id"]},
    "two columns": {"connector": "postgresql", "replica_identity": "full", "key": ["id", "note"]},
    "keyless": {"connector": "postgresql", "replica_identity": "full", "key": []},
    "not sent as null": {
        "connector": "postgresql",
        "replica_identity": "default",
        "key": ["id"],
        "null_when_not_sent": ["tags"],
    },
    "behind a schema block": {
        "connector": "postgresql",
        "replica_identity": "full",
        "key": ["id"],
    },
    "routed": {
        "connector": "postgresql",
        "replica_identity": "default",
        "key": ["id"],
        "source_tables": ["p.hard", "p.hard_too"],
    },
    "rows without envelopes": {
        "connector": "postgresql",
        "format": "unwrapped",
        "key": ["id"],
        "add_fields": ["op", "lsn", "source.ts_ms", "ts_ms"],
        "delete_tombstone_handling_mode": "rewrite",
    },
    "rows deleted by tombstones": {
        "connector": "postgresql",
        "format": "unwrapped",
        "key": ["id"],
        "add_fields": ["op", "lsn", "source.ts_ms", "ts_ms"],
    },
    "decimals as text": {
        "connector": "postgresql",
        "replica_identity": "full",
        "key": ["id"],
        "settings": {"decimal_handling_mode": "string"},
    },
}
ROW = {
    "id": "1",
    "note": '"a"',
    "amount": '"BNI="',
    "long_amount": '"BNI="',
    "free": '{"scale":2,"value":"BNI="}',
    "born": "19000",
    "seen": '"2026-01-02T03:04:05.678901Z"',
    "changed": "1767225600123456",
    "at": "3600000000",
    "tags": '["a",null]',
    "valid_from": "0.5",
    "Odd Name": '"x"',
}
SOURCE = (
    '{"version":"3.6.3.Final","connector":"postgresql","name":"t","ts_ms":1767225600000,'
    '"snapshot":"false","db":"d","sequence":"[\\"90\\",\\"100\\"]","ts_us":1767225600000000,'
    '"ts_ns":1767225600000000000,"schema":"p","table":"hard","txId":7,"lsn":LSN,"xmin":null}'
)
ENDING = ',"op":"u","ts_ms":1767225600001,"ts_us":1767225600001002,"ts_ns":1767225600001002003}'
ADDED = (
    ',"__deleted":"false","__op":"u","__lsn":LSN,"__source_ts_ms":1767225600000,'
    '"__ts_ms":1767225600001'
)
_FIELDS = (
    '{"type":"int32","optional":false,"field":"id"},'
    '{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,'
    '"parameters":{"scale":"2","connect.decimal.precision":"12"},"field":"amount"},'
    '{"type":"int64","optional":true,"name":"io.debezium.time.MicroTimestamp","version":1,'
    '"field":"changed"}'
)
BLOCK = (
    '{"schema":{"type":"struct","fields":['
    '{"type":"struct","fields":[' + _FIELDS + '],"optional":true,"field":"before"},'
    '{"type":"struct","fields":[' + _FIELDS + '],"optional":true,"field":"after"}'
    '],"optional":false,"name":"t.p.hard.Envelope","version":2},"payload":'
)
UNAVAILABLE = '"__debezium_unavailable_value"'
# literals for each column: plain, special, not sent, of another kind, or too large
LITERALS = {
    "id": ("2", "null", "2147483648", "1.0", "-0", '"1"', "true"),
    "note": ('""', "null", UNAVAILABLE, "7", '"\\u0041"', '"\\u0000"', '"\U0001f697"', '"\\/"'),
    "amount": ("null", '"AA=="', '"f///////////"', '"AMU"', '""', "1.5", '"/w=="', '"!"'),
    "long_amount": ('"AQAAAAAAAAAAAAAA"', '"gAAAAAAAAAA="', '"f////////w=="', "null"),
    "free": ("null", '{"scale":0,"value":""}', '{"value":"AQ==","scale":1}', '{"scale":1}', '"1"'),
    "born": ("-719163", "2932897", "2147483647", "-2147472692", '"2020-01-01"', "null", "1.5"),
    "seen": (
        *(
            '"infinity"',
            '"0000-01-01T00:00:00Z"',
            '"2026-02-30T00:00:00Z"',
            '"+10000-01-01T00:00:00Z"',
        ),
        *('"2026-01-01T00:00:00.Z"', '"2026-01-01T00:00:00.1234567Z"'),
        *('"2026-01-01T00:00:00+02:00"', "1", "null"),
    ),
    "changed": ("9223372036825200000", "253402300800000000", "-62135596800000001", "null", "0.5"),
    "at": ("86400000000", "86400000001", "-1", "null", '"03:00"'),
    "tags": ("[]", "null", "[[]]", f"[{UNAVAILABLE}]", "[1]", '"a"', "{}"),
    "valid_from": ("1e39", '"NaN"', '"Infinity"', "0.1", "1E-8", "null", "1"),
    "Odd Name": ("null", "[]", '"\u00e9\u2028"'),
}


def records(contract: str) -> list[dict]:
    """As Project.land takes them, each at its own position. In: a name among CONTRACTS."""
    values = {
        "behind a schema block": _behind_a_block,
        "rows without envelopes": _without_envelopes,
        "rows deleted by tombstones": lambda: _without_envelopes(is_rewritten=False),
    }.get(contract, _all)

    def written(value: bytes | None, offset: int) -> bytes | None:
        if value and "settings" in CONTRACTS[contract]:
            value = value.replace(b'{"scale":2,"value":"BNI="}', b'"12.34"')
            value = value.replace(b'"BNI="', b'"12.34"')
        return value.replace(b"LSN", str(1000 + offset).encode()) if value else value

    return [
        {
            "topic": TOPIC,
            "partition": 0,
            "offset": offset,
            "timestamp": 1_767_225_600_000,
            "key": key,
            "value": written(value, offset),
            "headers": headers,
        }
        for offset, (value, key, headers) in enumerate(values())
    ]


def _all() -> Iterator[tuple[bytes | None, str | None, dict]]:
    for value in _values():
        yield (value if isinstance(value, bytes) else value.encode()), '{"id":1}', {}
    yield None, '{"id":1}', {}
    yield b"", '{"id":1}', {}
    created, deleted = _envelope(None, ROW, "c"), _envelope(ROW, None, "d")
    for key in (
        *(
            '{"id":2}',
            '{"id": 2}',
            '{"id":2,"more":1}',
            '{"id":"2"}',
            "{}",
            "null",
            "2",
            '{"id":null}',
        ),
        '{"schema":{"type":"struct"},"payload":{"id":2}}',
        '{"id":2,"note":"a"}',
    ):
        yield created.encode(), key, {"__debezium.oldkey": key}
        yield deleted.encode(), key, {"__debezium.newkey": key}
        yield None, key, {"__debezium.newkey": key}
        yield created.encode(), key, {"__debezium.oldkey": key, "__debezium.newkey": '{"id":3}'}
    yield created.encode(), "{}", {"__debezium.context.runId": '"A"', "other": "x"}
    # another table of the same topic
    yield created.replace('"table":"hard"', '"table":"hard_too"').encode(), "{}", {}
    yield created.replace('"table":"hard"', '"table":"soft"').encode(), "{}", {}
    yield created.replace('"table":"hard"', '"table":"debezium_signal"').encode(), "{}", {}
    yield created.replace('"table":"hard",', "").encode(), "{}", {}


def _behind_a_block() -> Iterator[tuple[bytes | None, str | None, dict]]:
    """The same records with a schema block, then small steps away from that block."""
    for value, key, headers in _all():
        yield _behind(BLOCK, value) if value else value, key, headers
    plain = _envelope(ROW, ROW, "u").encode()
    for was, becomes in (
        ('"scale":"2"', '"scale":"3"'),
        ("time.MicroTimestamp", "time.NanoTimestamp"),
        ("time.MicroTimestamp", "time.Timestamp"),
        ('"optional":false', '"optional":true'),
        ('{"type":"struct"', '{ "type":"struct"'),
        ('"schema":', '"schema":null,"schema":'),
        ('"schema":', '"op":"d","schema":'),
        ('"schema":', '"more":'),
    ):
        assert was in BLOCK, was
        yield _behind(BLOCK.replace(was, becomes, 1), plain), "{}", {}
    yield plain, "{}", {}
    for ending in (b"", b"x", b"}}", b',"op":"d"}', b" }", b"} "):
        yield _behind(BLOCK, plain)[:-1] + ending, "{}", {}
    yield BLOCK.encode() + b"null}", "{}", {}
    yield b'{"schema":null,"payload":' + plain + b"}", "{}", {}
    yield b'{"schemaId":7,"payload":' + plain + b"}", "{}", {}


def _behind(block: str, value: bytes) -> bytes:
    return block.encode() + value + b"}"


def _without_envelopes(
    is_rewritten: bool = True,
) -> Iterator[tuple[bytes | None, str | None, dict]]:
    """Rows as ExtractNewRecordState writes them, and small steps away from them."""
    added = ADDED if is_rewritten else ADDED.replace('"__deleted":"false",', "")
    plain = _row(ROW)[:-1] + added + "}"
    yield plain.encode(), '{"id":1}', {}
    for column, literals in LITERALS.items():
        for literal in literals:
            yield (_row(ROW | {column: literal})[:-1] + added + "}").encode(), '{"id":1}', {}
        without = {name: value for name, value in ROW.items() if name != column}
        yield (_row(without)[:-1] + added + "}").encode(), '{"id":1}', {}
    yield (_row(ROW | {"more": "1"})[:-1] + added + "}").encode(), '{"id":1}', {}
    yield (_row(dict(reversed(ROW.items())))[:-1] + added + "}").encode(), '{"id":1}', {}
    for was, becomes in (
        ('"__deleted":"false"', '"__deleted":"true"'),
        ('"__deleted":"false"', '"__deleted":true'),
        ('"__deleted":"false"', '"__deleted":null'),
        ('"__deleted":"false",', ""),
        ('"__op":"u"', '"__op":"d"'),
        ('"__op":"u"', '"__op":"t"'),
        ('"__op":"u"', '"__op":"x"'),
        ('"__op":"u"', '"__op":"o"'),
        ('"__op":"u"', '"__op":null'),
        ('"__op":"u"', '"__op":"u","__op":"d"'),
        ('"__op":"u"', '"__op":"\\u0075"'),
        ('"__op":"u",', ""),
        ('"__lsn":LSN', '"__lsn":"LSN"'),
        ('"__lsn":LSN', '"__lsn":null'),
        ('"__lsn":LSN', '"__lsn":1.5'),
        ('"__lsn":LSN', '"__lsn":{"a":1}'),
        ('"__lsn":LSN,', ""),
        ('"__ts_ms":1767225600001', '"__ts_ms":x'),
        ('"__ts_ms":1767225600001', '"__ts_ms":1,"more":2'),
        ('"note":"a"', '"note":"a","note":"b"'),
        ('{"id"', '{ "id"'),
        ('{"id"', '{"__op":"d","id"'),
    ):
        assert was in plain or not is_rewritten, was
        yield plain.replace(was, becomes, 1).encode(), '{"id":1}', {}
    for ending in ("", "}}", "} ", "}{}"):
        yield (plain[:-1] + ending).encode(), '{"id":1}', {}
    yield _behind(BLOCK, plain.encode()), '{"id":1}', {}
    yield plain.replace('"note":"a"', '"note":"\u00ff"').encode("latin-1"), '{"id":1}', {}
    yield plain.encode(), '{"id":1}', {"__debezium.oldkey": '{"id":2}'}
    yield plain.replace('"__op":"u",', "").encode(), '{"id":1}', {"__debezium.oldkey": '{"id":2}'}
    yield from ((None, '{"id":1}', {}), (b"null", '{"id":1}', {}), (b"{}", '{"id":1}', {}))
    yield _envelope(ROW, ROW, "u").encode(), '{"id":1}', {}


def _values() -> Iterator[str | bytes]:
    plain = _envelope(ROW, ROW, "u")
    key_alone = dict.fromkeys(ROW, "null") | {"id": "1"}
    yield plain
    for op, before, after in (
        *(("c", None, ROW), ("r", None, ROW), ("d", ROW, None), ("d", key_alone, None)),
        *(("u", None, ROW), ("u", key_alone, ROW), ("d", None, None), ("c", None, None)),
        *(("c", ROW, ROW), ("d", ROW, ROW), ("t", None, None), ("m", None, None), ("x", None, ROW)),
    ):
        yield _envelope(before, after, op)
    for column, literals in LITERALS.items():
        for literal in literals:
            other = ROW | {column: literal}
            yield _envelope(ROW, other, "u")
            yield _envelope(other, ROW, "u")
            yield _envelope(other, None, "d")
        without = {name: value for name, value in ROW.items() if name != column}
        yield _envelope(None, without, "c")
    yield _envelope(None, ROW | {"more": "1"}, "c")
    yield _envelope(None, dict(reversed(ROW.items())), "c")
    for was, becomes in (
        ('"note":"a"', '"note":"a","note":"b"'),
        ('{"before":', '{"op":"d","before":'),
        ('{"before":', '{ "before":'),
        ('{"before":', '\ufeff{"before":'),
        ('"op":"u"', '"op":"u","op":"d"'),
        ('"op":"u"', '"op":"uu"'),
        ('"op":"u"', '"op":null'),
        ('"op":"u"', '"op":"u","after":null'),
        ('"op":"u"', '"op":"u","source":{}'),
        ('"op":"u"', '"more":1,"op":"u"'),
        (',"op"', ',"transaction":null,"op"'),
        (',"op"', ',"transaction":{"id":"7:9","total_order":3,"data_collection_order":1},"op"'),
        (',"op"', ',"transaction":{"id":{"a":1},"total_order":3},"op"'),
        (',"op"', ',"transaction":{"id":"7","total_order":"x"},"op"'),
        (ENDING[-2:], '3,"transaction":{"id":"7","total_order":4}}'),
        ('"ts_us"', '"ts_ms":5,"ts_us"'),
        (ENDING, ENDING + "}"),
        (ENDING, ENDING + " "),
        (ENDING, ENDING + "{}"),
        (ENDING, ENDING[:-1]),
        (ENDING, ENDING[:-9]),
        ('"ts_ms":1767225600001', '"ts_ms":"1767225600001"'),
        ('"ts_ms":1767225600001', '"ts_ms":1767x'),
        ('"ts_ms":1767225600001', '"ts_ms":nul'),
        ('"ts_ms":1767225600001', '"ts_ms":NaN'),
        ('"ts_us":1767225600001002', '"ts_us":99999999999999999999'),
        ('"snapshot":"false"', '"snapshot":false'),
        ('"snapshot":"false"', '"snapshot":"incremental"'),
        ('"snapshot":"false"', '"snapshot":"last"'),
        ('"snapshot":"false",', ""),
        ('"lsn":LSN', '"lsn":"LSN"'),
        ('"lsn":LSN', '"lsn":null'),
        ('"lsn":LSN', '"lsn":-5'),
        ('"lsn":LSN', '"lsn":1.5'),
        ('"lsn":LSN', '"lsn":5,"lsn":LSN'),
        ('"xmin":null', '"xmin":null,"query":"{ a: 1 }"'),
        ('"xmin":null', '"xmin":"},\\"op\\":\\"c\\"}"'),
        ('"xmin":null', "xmin:null"),
        ('"xmin":null', '"xmin":tru'),
        ('"xmin":null', '"xmin":null,'),
        (SOURCE, "{}"),
        (SOURCE, "null"),
        (SOURCE, "[]"),
    ):
        assert was in plain, was
        yield plain.replace(was, becomes, 1)
    yield plain.replace('"db":"d"', '"db":"\u00ff"').encode("latin-1")
    yield plain.replace('"note":"a"', '"note":"\u00ff"').encode("latin-1")
    yield plain.replace('"db":"d"', '"db":"d\n"')
    yield '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
    yield '{"schema":{"type":"struct","fields":[]},"payload":' + plain + "}"
    both = plain.replace(',"op"', ',"transaction":null,"op"')
    yield both.replace(ENDING[-2:], '3,"transaction":null}')
    yield plain.replace('"op":"u"', '"op":"o"')
    for after in ('"x"', "5", "[1]", "true"):
        yield f'{{"before":null,"after":{after},"source":{SOURCE}{ENDING}'
    yield from ("{}", "[]", "null", "1", '"a"', "{", '{"before":null', "not json")


def _envelope(before: dict | None, after: dict | None, op: str) -> str:
    ending = ENDING.replace('"op":"u"', f'"op":"{op}"')
    return f'{{"before":{_row(before)},"after":{_row(after)},"source":{SOURCE}{ending}'


def _row(row: dict | None) -> str:
    if row is None:
        return "null"
    return "{" + ",".join(f'"{name}":{literal}' for name, literal in row.items()) + "}"
