"""`afterimage drift`: the lines a contract lacks, with the types `afterimage scaffold` finds."""

import json
from types import SimpleNamespace

import pytest
import yaml

from afterimage.drift import Declared, declared, drift
from afterimage.errors import UserError
from afterimage.scaffold import known
from afterimage.scaffold.sample import Sampled

TOPIC = "p.s.a"


def contract(*columns: str, **fields) -> Declared:
    made = {"name": "shop.a", "file": "models/sources.yml", "landing": "landing.events"}
    made |= {"topics": (TOPIC,), "columns": columns, "connector": "postgresql"}
    return Declared(**(made | {"settings": dict(known.DEFAULTS)} | fields))


def record(after: dict, *fields: dict) -> Sampled:
    source = {"connector": "postgresql", "name": "p", "db": "d", "schema": "s", "table": "a"}
    value: dict = {"before": None, "after": after, "source": source, "op": "c"}
    if fields:
        image = {"type": "struct", "field": "after", "fields": list(fields), "optional": True}
        value = {
            "schema": {"type": "struct", "name": "p.s.a.Envelope", "fields": [image]},
            "payload": value,
        }
    return Sampled(TOPIC, b'{"id": 1}', json.dumps(value).encode())


AT = {"type": "int64", "name": "io.debezium.time.MicroTimestamp", "field": "at"}
ID = {"type": "int32", "field": "id"}


def test_types_of_a_schema_block():
    [where, lines] = drift(contract("id"), [record({"id": 1, "at": 5}, ID, AT)])
    assert where == "# shop.a in models/sources.yml"
    assert yaml.safe_load(lines) == {"columns": {"at": "timestamp"}}


def test_guesses_are_marked_and_names_are_data():
    [_, lines] = drift(contract("id"), [record({"id": 1, 'a"b: c': [1], "{{ x }}": True})])
    assert yaml.safe_load(lines) == {
        "columns": {'a"b: c': "bigint[]", "{% raw %}{{ x }}{% endraw %}": "boolean"}
    }
    assert "# guess" in lines


def test_what_is_gone_and_what_fits():
    [_, gone] = drift(contract("id", "old"), [record({"id": 1})])
    assert gone.startswith("# old is not in the newest record")
    renamed = contract("id", "title", former=("name",))
    [fits] = drift(renamed, [record({"id": 1, "name": "a"}), record({"id": 2, "title": "b"})])
    assert fits == "# shop.a: its contract has all columns of the newest records"
    [fits] = drift(contract("id"), [record({"id": 1})])
    assert fits == "# shop.a: its contract has all columns of the newest records"
    [none] = drift(contract("id"), [])
    assert none == "# shop.a: no record of p.s.a in the sample"
    [avro] = drift(contract("id", in_avro=True), [])
    assert "Avro" in avro


def test_contracts_of_a_project():
    own = {"topic": TOPIC, "columns": {"id": "int"}, "avro_schemas": "landing.schemas"}
    nodes = [
        ("a", {"connector": "postgresql", "settings": {"decimal_handling_mode": "string"}}, own),
        ("b", {"connector": "postgresql"}, None),
    ]
    manifest = SimpleNamespace(
        sources={
            name: SimpleNamespace(
                source_name="shop",
                name=name,
                schema="landing",
                identifier="events",
                original_file_path="models/sources.yml",
                source_meta={"cdc": over},
                meta={"cdc": table or over},
                config=SimpleNamespace(meta={"cdc": table or over}),
            )
            for name, over, table in nodes
        }
    )
    [found] = declared(manifest)
    assert (found.name, found.topics, found.columns) == ("shop.a", (TOPIC,), ("id",))
    assert found.settings["decimal_handling_mode"] == "string" and found.in_avro
    with pytest.raises(UserError, match=r"no contract for shop\.c\. There are: shop\.a"):
        declared(manifest, ["shop.c"])
