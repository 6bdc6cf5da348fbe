"""`afterimage schemas`: the schemas of a registry, from files or its API, in a table.

The export is of a real Apicurio Registry 3.0.9 (samples/NOTES.md). Live tests query a running
one."""

import json
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from click.testing import CliRunner

from afterimage import session
from afterimage.cli import main
from afterimage.errors import UserError
from afterimage.schemas import entries_of_files, entries_of_registry, keep, remarks
from afterimage.schemas.entry import Entry

EXPORT = Path(__file__).parent / "samples" / "registry-export.zip"
VALUE = "pgavro.public.customers-value"
NUMBER = '{"type": "long"}'


@pytest.fixture
def table(spark):
    """The name of a table that does not exist yet."""
    name = "cli_schemas.avro"
    spark.sql(f"drop table if exists {name}")
    yield name
    spark.sql(f"drop table if exists {name}")


def one(number: int, subject: str | None = "t-value", schema: str = NUMBER) -> Entry:
    return Entry(number, subject, "1", schema)


def test_an_export_of_apicurio():
    found = list(entries_of_files([EXPORT]))
    assert sorted((e.id, e.subject, e.version) for e in found) == [
        (1, "pgavro.public.customers-key", "1"),
        (2, VALUE, "1"),
        (3, "pgavro.public.orders-key", "1"),
        (4, "pgavro.public.orders-value", "1"),
        (5, "pgavro.transaction-key", "1"),
        (6, "pgavro.transaction-value", "1"),
        (7, VALUE, "2"),
    ]
    assert all(json.loads(e.schema)["type"] == "record" for e in found)


def test_a_folder_of_schemas_named_by_subject_and_id(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "shop.orders-value.17.avsc").write_text(NUMBER)
    (tmp_path / "18.avsc").write_text(NUMBER)
    assert set(entries_of_files([tmp_path])) == {
        Entry(17, "shop.orders-value", None, NUMBER),
        Entry(18, None, None, NUMBER),
    }


def test_lines_of_a_confluent_registry(tmp_path):
    """The responses of its API, and the values of its topic _schemas; schemas that are not Avro are
    reported."""
    lines = [
        {"subject": "t-value", "version": 3, "id": 9, "schema": NUMBER},
        {"subject": "t-proto", "version": 1, "id": 10, "schemaType": "PROTOBUF", "schema": "x"},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    (tmp_path / "b.json").write_text(json.dumps(lines))
    for name in ("a.jsonl", "b.json"):
        assert list(entries_of_files([tmp_path / name])) == [Entry(9, "t-value", "3", NUMBER)]


def test_both_kinds_of_ids(tmp_path):
    fields = {"artifact": "t-value", "globalId": 5, "contentId": 4, "schema": {"type": "long"}}
    (tmp_path / "a.json").write_text(json.dumps([fields]))
    assert [e.id for e in entries_of_files([tmp_path / "a.json"])] == [5]
    assert [e.id for e in entries_of_files([tmp_path / "a.json"], "contentId")] == [4]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", "", "no .avsc, .json, .jsonl or .zip"),
        ("orders.avsc", NUMBER, "does not end with the id"),
        ("1.avsc", "{", "the schema of id 1 is not JSON"),
        ("a.json", "[{]", "neither JSON nor one JSON object a line"),
        ("a.json", '[{"id": 1}]', "entry 1 has no `schema`"),
        ("a.json", '[{"id": "x", "schema": "1"}]', "'x' is not the id of a schema"),
        ("a.zip", "no zip", "not an export of Apicurio Registry 3"),
    ],
)
def test_a_file_of_another_form_is_named(name, content, said, tmp_path):
    (tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=said) as failed:
        list(entries_of_files([tmp_path / name]))
    assert name in failed.value.message


def test_an_empty_folder_is_said(tmp_path):
    with pytest.raises(UserError, match="no files in this folder"):
        list(entries_of_files([tmp_path]))


@contextmanager
def answering(answers: dict):
    """A server on loopback with a response for each path; others are 404."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            parts = urlsplit(self.path)
            answer = answers.get(unquote(parts.path))
            if callable(answer):
                answer = answer({name: v[0] for name, v in parse_qs(parts.query).items()})
            body = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
            self.send_response(404 if answer is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_confluent_registry_shows_deleted_versions_too():
    def subjects(query):
        return ["a/b", "gone"] if query.get("deleted") == "true" else ["a/b"]

    def version(number, **more):
        return {"subject": "s", "version": 1, "id": number, "schema": NUMBER} | more

    answers = {
        "/subjects": subjects,
        "/subjects/a/b/versions": [1, 2],
        "/subjects/a/b/versions/1": version(3),
        "/subjects/a/b/versions/2": version(4, schemaType="JSON"),
        "/subjects/gone/versions": [1],
        "/subjects/gone/versions/1": version(5),
    }
    with answering(answers) as url:
        assert [(e.id, e.subject, e.version) for e in entries_of_registry(url + "/")] == [
            (3, "a/b", "1"),
            (5, "gone", "1"),
        ]


def test_what_is_no_avro_or_refers_to_others_is_passed_over_and_said():
    def version(number, **more):
        return {"subject": "s", "version": 1, "id": number, "schema": NUMBER} | more

    answers = {
        "/subjects": ["json", "kept", "parts", "proto"],
        **{f"/subjects/{name}/versions": [1] for name in ("json", "kept", "proto")},
        "/subjects/parts/versions": [1, 2],
        "/subjects/parts/versions/1": version(1, references=[{"name": "x"}]),
        "/subjects/parts/versions/2": version(2, references=[{"name": "x"}]),
        "/subjects/json/versions/1": version(3, schemaType="JSON"),
        "/subjects/proto/versions/1": version(4, schemaType="PROTOBUF", schema="message x {}"),
        "/subjects/kept/versions/1": version(5, references=[]),
    }
    said = [
        "passed over, JSON, not Avro: 1 (json)",
        "passed over, PROTOBUF, not Avro: 1 (proto)",
        "passed over, refers to other schemas: 2 (parts)",
    ]
    passed = []
    with answering(answers) as url:
        assert [e.id for e in entries_of_registry(url, passed=passed)] == [5]
    assert remarks(passed) == said


def test_apicurio_tells_what_is_no_avro_too():
    def version(number, **more):
        return {"globalId": number, "artifactId": f"s{number}", "version": "1"} | more

    versions = [
        version(1, artifactType="PROTOBUF"),
        version(2, artifactType="AVRO", references=[{}]),
        version(3, artifactType="AVRO"),
    ]
    answers = {
        "/apis/registry/v3/search/versions": {"count": 3, "versions": versions},
        "/apis/registry/v3/ids/globalIds/3": NUMBER,
    }
    passed = []
    with answering(answers) as url:
        found = list(entries_of_registry(url + "/apis/registry/v3", passed=passed))
    assert [e.id for e in found] == [3]
    assert remarks(passed) == [
        "passed over, PROTOBUF, not Avro: 1 (s1)",
        "passed over, refers to other schemas: 1 (s2)",
    ]


def test_an_export_with_what_is_no_avro(tmp_path):
    """The real export, in which one artifact is not Avro and one content refers to others."""
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(EXPORT) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("pgavro.public.orders-value/MetaData.Artifact.json"):
                data = json.dumps(json.loads(data) | {"artifactType": "JSON"}).encode()
            if name.endswith(".Content.json") and json.loads(data)["contentId"] == 1:
                data = json.dumps(json.loads(data) | {"serializedReferences": "[{}]"}).encode()
            new.writestr(name, data)
    passed = []
    assert [e.id for e in entries_of_files([changed], passed=passed)].count(4) == 0
    assert sorted(e.id for e in entries_of_files([changed])) == [2, 3, 5, 6, 7]
    assert remarks(passed) == [
        "passed over, JSON, not Avro: 1 (pgavro.public.orders-value)",
        "passed over, refers to other schemas: 1 (pgavro.public.customers-key)",
    ]


def test_the_command_says_what_it_passed_over(tmp_path):
    fields = {"id": 1, "subject": "t-value", "schema": NUMBER, "references": [{}]}
    (tmp_path / "a.json").write_text(json.dumps([fields]))
    called = CliRunner().invoke(main, ["schemas", str(tmp_path / "a.json"), "--into", "a.b"])
    assert called.exit_code == 1
    assert "passed over, refers to other schemas: 1 (t-value)" in called.output
    assert "no schemas found to load" in called.output


def test_pages_of_apicurio_are_read_to_the_end():
    versions = [
        {"globalId": n, "contentId": n + 900, "artifactId": "s", "version": str(n)}
        for n in range(1, 1202)
    ]

    def page(query):
        first = int(query["offset"])
        return {"count": 1201, "versions": versions[first : first + int(query["limit"])]}

    answers = {f"/apis/registry/v3/ids/globalIds/{n}": NUMBER for n in range(1, 1202)}
    answers["/apis/registry/v3/search/versions"] = page
    with answering(answers) as url:
        found = list(entries_of_registry(url + "/apis/registry/v3", "contentId"))
    assert [e.id for e in found] == list(range(901, 2102))


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({}, "/subjects answers 404"),
        ({"/subjects": "<html>"}, "does not answer with JSON: is it the address of the API"),
    ],
)
def test_an_address_that_is_none_is_said(answers, said):
    with answering(answers) as url, pytest.raises(UserError, match=said):
        list(entries_of_registry(url))


def test_a_registry_that_is_not_there_is_said():
    with answering({}) as url:
        pass
    with pytest.raises(UserError, match="does not answer"):
        list(entries_of_registry(url))


def test_they_are_kept_once_and_added_to(spark, table):
    assert keep(spark, [one(1), one(1), one(2)], table, "parquet") == 2
    assert keep(spark, [one(1), one(3, None)], table, "parquet") == 1
    rows = spark.table(table).orderBy("id").collect()
    assert [(row.id, row.subject, row.version, row.schema) for row in rows] == [
        (1, "t-value", "1", NUMBER),
        (2, "t-value", "1", NUMBER),
        (3, None, "1", NUMBER),
    ]


def test_an_id_stands_for_one_schema(spark, table):
    """With another spelling it is still the same schema."""
    keep(spark, [one(1)], table, "parquet")
    assert keep(spark, [one(1, "other-value", '{"type":"long"}')], table, "parquet") == 1
    with pytest.raises(UserError, match="id 1 would stand for two schemas"):
        keep(spark, [one(1, "t-value", '{"type": "int"}')], table, "parquet")
    assert spark.table(table).count() == 2


def test_the_command(spark, table, tmp_path, monkeypatch):
    monkeypatch.setattr(session, "spark_session", lambda target: spark)
    called = CliRunner().invoke(main, ["schemas", str(EXPORT), "--into", table])
    assert (called.exit_code, called.output) == (0, f"{table}: 7 schemas read, 7 of them new\n")
    again = CliRunner().invoke(main, ["schemas", str(EXPORT), "--into", table])
    assert again.output == f"{table}: 7 schemas read, 0 of them new\n"
    wrong = CliRunner().invoke(main, ["schemas", "--into", table])
    assert (wrong.exit_code, "give either FILES or --registry" in wrong.output) == (2, True)


@pytest.fixture
def kept(monkeypatch):
    """What the command keeps: ids, table, format and session, here the name of a target."""
    found = []

    def keep(spark, entries, *rest):
        found.append(([entry.id for entry in entries], *rest, spark))
        return len(entries)

    monkeypatch.setattr("afterimage.schemas.keep", keep)
    monkeypatch.setattr(session, "spark_session", lambda target: target)
    return found


def test_the_command_takes_the_ids_that_the_frames_contain(kept, tmp_path):
    """From files, and from the API of Apicurio."""
    fields = {"artifactId": "t-value", "globalId": 5, "contentId": 4, "version": "1"}
    (tmp_path / "a.json").write_text(json.dumps([fields | {"schema": NUMBER}]))
    api = "/apis/registry/v3"
    answers = {
        f"{api}/search/versions": {"count": 1, "versions": [fields]},
        f"{api}/ids/globalIds/5": NUMBER,
    }
    with answering(answers) as url:
        for place in ([str(tmp_path / "a.json")], ["--registry", url + api]):
            for options in ([], ["--ids", "contentId"]):
                command = ["schemas", *place, "--into", "a.b", *options]
                done = CliRunner().invoke(main, command)
                assert done.output == "a.b: 1 schema read, 1 of them new\n"
    assert [ids for ids, *_ in kept] == [[5], [4], [5], [4]]


def test_ids_of_a_confluent_registry_are_of_one_kind():
    with answering({}) as url:
        command = ["schemas", "--registry", url, "--into", "a.b", "--ids", "contentId"]
        done = CliRunner().invoke(main, command)
    assert done.exit_code == 1 and "--ids is for Apicurio's own API" in done.output


def test_the_command_gives_the_format_of_a_new_table(kept):
    command = ["schemas", str(EXPORT), "--into", "a.b"]
    for options in ([], ["--file-format", "delta", "--target", "other"]):
        assert CliRunner().invoke(main, [*command, *options]).exit_code == 0
    assert [rest for _, *rest in kept] == [["a.b", "parquet", None], ["a.b", "delta", "other"]]
