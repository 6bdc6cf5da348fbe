"""The reader of kafka-console-consumer's output, without Spark."""

import gzip
import io
from itertools import product

import pytest
from click.testing import CliRunner
from tests.truth.captures import captures

from afterimage.cli import main
from afterimage.errors import UserError
from afterimage.macros import MACROS
from afterimage.readers import jsonl, reader
from afterimage.readers.record import Broken, Record

CAPTURES = MACROS.parent / "tests" / "captures"
HEADERS = ("timestamp", "partition", "offset", "headers", "key")


def read(*lines: str | bytes) -> list[Record | Broken]:
    data = [line.encode() if isinstance(line, str) else line for line in lines]
    return list(reader("console", "t")(io.BytesIO(b"\n".join(data))))


def printed(record: Record, *asked: str) -> bytes:
    """A line as DefaultMessageFormatter of Kafka 3 and 4 writes it."""
    parts = []
    if "timestamp" in asked:
        parts.append(b"CreateTime:%d" % record.timestamp)
    if "partition" in asked:
        parts.append(b"Partition:%d" % record.partition)
    if "offset" in asked:
        parts.append(b"Offset:%d" % record.offset)
    if "headers" in asked:
        pairs = [name.encode() + b":" + (value or b"null") for name, value in record.headers or ()]
        parts.append(b",".join(pairs) or b"NO_HEADERS")
    if "key" in asked:
        parts.append(b"null" if record.key is None else record.key)
    return b"\t".join([*parts, b"null" if record.value is None else record.value])


def records_of(folder) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    with gzip.open(folder / "events.jsonl.gz") as stream:
        for record in jsonl.read(stream):
            found.setdefault(record.topic, []).append(record)
    return found


def decoded(topic: str, records: list[Record], *asked: str) -> list[Record]:
    stream = io.BytesIO(b"".join(printed(record, *asked) + b"\n" for record in records))
    return list(reader("console", topic)(stream))


@pytest.mark.parametrize("name", ["shop", "shop-schema", "long-values", "mysql-types"])
def test_a_capture_printed_and_read_again(name):
    for topic, records in records_of(CAPTURES / name).items():
        wanted = [
            record._replace(line=number, headers=record.headers or [])
            for number, record in enumerate(records, start=1)
        ]
        assert decoded(topic, records, *HEADERS) == wanted


@pytest.mark.parametrize("name", ["pg-unwrap", "pg-unwrap-tombstone", "mariadb-inventory"])
def test_a_shared_capture_printed_and_read_again(name):
    capture = captures()[name]
    for topic, records in records_of(capture.folder).items():
        for record, found in zip(records, decoded(topic, records, *HEADERS), strict=True):
            # the text null is a valid value in the topic, and not in a console
            value = None if record.value == b"null" else record.value
            assert found[1:8] == record._replace(value=value, headers=record.headers or [])[1:8]


@pytest.mark.parametrize("asked", list(product([True, False], repeat=len(HEADERS))), ids=str)
def test_whatever_is_asked_for(asked):
    names = [name for name, is_asked in zip(HEADERS, asked, strict=True) if is_asked]
    records = records_of(CAPTURES / "shop")["pg1.shop.orders"]
    found = decoded("pg1.shop.orders", records, *names)
    is_placed = {"partition", "offset"} <= {*names}
    for number, (record, line) in enumerate(zip(records, found, strict=True), start=1):
        assert line.value == record.value and line.line == number
        assert line.key == (record.key if "key" in names else None)
        assert line.headers == ((record.headers or []) if "headers" in names else None)
        assert line.timestamp == (record.timestamp if "timestamp" in names else None)
        assert line.offset == (record.offset if is_placed else number)
        assert line.partition == (record.partition if "partition" in names else 0)
        assert line.is_counted is not is_placed


def test_null_and_none_and_the_forms_of_timestamps():
    (found,) = read("NO_TIMESTAMP\tPartition:3\tOffset:9\tNO_HEADERS\tnull\tnull")
    assert found == Record(1, "t", 3, 9, None, None, None, [])
    (found,) = read('LogAppendTime:5\tDelivery:2\tk\t{"a": 1.10}')
    assert (found.timestamp, found.key, found.value) == (5, b"k", b'{"a": 1.10}')
    assert read('CreateTime:-1\t"x"')[0].timestamp is None


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ('{"id": 1} {"a": "} {"}', b'{"id": 1}', b'{"a": "} {"}'),
        ('{"id": 1}   null', b'{"id": 1}', None),
        ('{"a": [1, 2]}', None, b'{"a": [1, 2]}'),
        ("null", None, None),
        ('__op:c\t{"a": 1}', None, b'{"a": 1}'),
        ('"12:30"\t{"a": 1}', b'"12:30"', b'{"a": 1}'),
        (f'k\t{{"n": {"9" * 5000}}}', b"k", f'{{"n": {"9" * 5000}}}'.encode()),
        ('k\t{"a": "\u2028"}\r', b"k", '{"a": "\u2028"}'.encode()),
    ],
)
def test_keys_and_values(line, key, value):
    (found,) = read(line)
    assert (found.key, found.value) == (key, value)


def test_headers_whose_values_have_commas():
    (found,) = read('a:{"b": 1, "c": "x:y"},d:"e,f:g",h:null,i:j,k,l:\t{"id": 1}\t{}')
    assert found.headers == [
        ("a", b'{"b": 1, "c": "x:y"}'),
        ("d", b'"e,f:g"'),
        ("h", None),
        ("i", b"j,k"),
        ("l", b""),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Processed a total of 12 messages", "the value is not JSON"),
        ('{"id": 1}\tkaputt', "the value is not JSON"),
        ('{"id": 1}\t{"a": 1} x', "more than one value after the last tab"),
        ('{"id": 1} {"a": 1} x', "more than one value after the last tab"),
        ('x\t{"id": 1}\t{"a": 1}', "is not headers"),
        ('a:{"b": 1}x\t{"id": 1}\t{}', "header a does not end where its JSON does"),
        (b'k\t"\xff"', "not UTF-8"),
        ("k\t" + "[" * 100_000, "nested too deep"),
    ],
)
def test_lines_that_are_no_record(line, reason):
    broken, after = read(line, 'k\t{"a": 1}')
    assert isinstance(broken, Broken) and reason in broken.reason
    assert broken.raw == (line if isinstance(line, bytes) else line.encode())
    assert (after.line, after.offset) == (2, 2)


def test_the_topic_has_to_be_said(tmp_path):
    with pytest.raises(UserError, match="give one --topic"):
        reader("console")
    assert reader("jsonl", "t") is jsonl.read
    file = tmp_path / "dump.txt"
    file.write_text('{"id": 1}\t{"id": 1, "__op": "c"}\n')
    landed = CliRunner().invoke(
        main, ["land", "files", str(file), "--into", "a.b", "--format", "console"]
    )
    assert landed.exit_code == 1 and "give one --topic" in landed.output
    landed = CliRunner().invoke(main, ["land", "files", str(file), "--into", "a.b", "--topic", "t"])
    assert landed.exit_code == 2 and "leave --topic out" in landed.output
    (tmp_path / "dbt_project.yml").write_text("name: consumer\nprofile: consumer\n")
    arguments = ["scaffold", str(file), "--format", "console", "--project-dir", str(tmp_path)]
    failed = CliRunner().invoke(main, [*arguments, "--all-topics"])
    assert failed.exit_code == 1 and "give one --topic" in failed.output
    options = ["--topic", "pg1.shop.orders", "--connector", "postgresql"]
    done = CliRunner().invoke(main, [*arguments, *options])
    assert done.exit_code == 0, done.output
    assert "wrote models/staging/pg1/stg_pg1__orders.sql" in done.output


def test_what_may_be_headers_or_a_key_is_told():
    (found,) = read('shop:7\t{"a": 1}')
    assert isinstance(found, Broken)
    assert "may be headers or a key: print both" in found.reason
