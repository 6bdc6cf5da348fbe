"""A contract or a configuration changes between runs: what was built before stays right, is
rebuilt, or is refused with a message. It is never silently wrong."""

import pytest

from tests.functional.project import DbtFailed

SOURCE = {"connector": "postgresql", "topic_prefix": "t"}
NAMES = {"id": "int", "first_name": "text", "last_name": "text"}


def event(lsn: int, after: dict | None, op: str = "c", before: dict | None = None) -> dict:
    return {
        "op": op,
        "before": before,
        "after": after,
        "source": {"lsn": lsn, "ts_ms": 1700000000000 + lsn, "txId": lsn, "snapshot": "false"},
    }


def record(offset: int, value: dict, topic: str = "t.public.people") -> dict:
    return {"topic": topic, "partition": 0, "offset": offset, "value": value}


def person(number: int, first: str, last: str, **more) -> dict:
    return {"id": number, "first_name": first, "last_name": last, **more}


@pytest.fixture
def project(make_project):
    """Three people and a tombstone, one run."""
    made = make_project(
        "changes",
        source="town",
        source_contract=SOURCE,
        tables={"people": {"topic": "t.public.people", "key": ["id"], "columns": dict(NAMES)}},
    )
    made.land(
        [
            record(0, event(10, person(1, "Ada", "Byron"))),
            record(1, event(20, person(2, "Grace", "Murray"))),
            record(2, event(30, person(3, "Emmy", "Noether"))),
            {"topic": "t.public.people", "partition": 0, "offset": 3, "value": None},
        ]
    )
    made.run("run")
    return made


def people(project, *columns: str) -> list[tuple]:
    columns = columns or ("id", "first_name", "last_name")
    return sorted(tuple(row[c] for c in columns) for row in project.rows("cur_town__people"))


START = [(1, "Ada", "Byron"), (2, "Grace", "Murray"), (3, "Emmy", "Noether")]


def test_columns_in_another_order_keep_their_values(project):
    project.tables["people"]["columns"] = dict(reversed(NAMES.items()))
    project.write()
    project.land([record(4, event(40, person(1, "Ada", "Lovelace"), "u"))])
    project.run("run")
    assert people(project) == [(1, "Ada", "Lovelace"), *START[1:]]


@pytest.mark.formats
def test_a_column_of_any_name_may_be_gained(project):
    """Delta allows blanks, commas and the like only if a table has column mapping."""
    name = "Gift, (wrap); a=b"
    project.tables["people"]["columns"] = NAMES | {name: "text"}
    project.write()
    project.land([record(4, event(40, person(4, "Lise", "Meitner", **{name: "red"})))])
    project.run("run")
    assert [row for row in people(project, "id", name) if row[0] == 4] == [(4, "red")]


def test_a_column_gained_is_unknown_where_it_was_not_read_and_redelivery_is_known_again(project):
    project.land([record(4, event(40, person(1, "Ada", "Byron", born=1815), "u"))])
    project.run("run")
    project.tables["people"]["columns"] = {"id": "int", "born": "int"} | NAMES
    project.write()
    project.land(
        [
            record(5, event(50, person(2, "Grace", "Hopper", born=1906), "u")),
            record(6, event(30, person(3, "Emmy", "Noether"))),  # offset 2 again
        ]
    )
    project.run("run")
    assert people(project, "id", "born", "_cdc_unknown") == [
        (1, None, '["born"]'),
        (2, 1906, None),
        (3, None, '["born"]'),
    ]
    assert project.counts()[("people", "duplicate", "redelivered")] == 1
    versions = [row["_cdc_position"][-2:] for row in project.rows("hist_town__people", "id = 3")]
    assert versions == ["30"]

    # a column dropped and declared again: what was not read in between is also unknown
    del project.tables["people"]["columns"]["born"]
    project.write()
    project.land([record(7, event(60, person(2, "Grace", "B. Hopper", born=1906), "u"))])
    project.run("run")
    project.tables["people"]["columns"]["born"] = "int"
    project.write()
    project.land([record(8, event(70, person(3, "Emmy", "N.", born=1882), "u"))])
    project.run("run")
    # the value of the update before is the last one known
    assert people(project, "id", "born", "_cdc_unknown") == [
        (1, None, '["born"]'),
        (2, 1906, None),
        (3, 1882, None),
    ]


def test_another_key_is_refused_before_anything_is_written(project):
    project.tables["people"]["key"] = ["id", "last_name"]
    project.write()
    project.land([record(4, event(40, person(1, "Ada", "Lovelace"), "u"))])
    before = project.files()
    with pytest.raises(DbtFailed, match=r'the key in .* is \["id", "last_name"\] and was \["id"\]'):
        project.run("run")
    assert project.files() == before
    project.run("run", "--full-refresh")
    assert people(project)[:2] == [(1, "Ada", "Byron"), (1, "Ada", "Lovelace")]


def test_another_topic_begins_its_own_offsets(project):
    """The connector recreated under another prefix: offsets start at 0 again."""
    topic = "t2.public.people"
    project.tables["people"]["topic"] = topic
    project.source_contract["side_topics"] = {"t.public.people": "the topic before"}
    project.write()
    project.land([record(n, event(100 + n, person(n, "New", f"N{n}")), topic) for n in (0, 1, 2)])
    project.run("run")
    assert people(project) == [(0, "New", "N0"), (1, "New", "N1"), (2, "New", "N2"), START[2]]
    with pytest.raises(DbtFailed, match=r"no longer in .* under topic t2\.public\.people"):
        project.run("run", "--full-refresh")


def test_a_change_log_built_anew_alone_is_followed(project):
    project.run("run", "--full-refresh", "--select", "stg_town__people")
    project.land([record(4, event(40, person(1, "Ada", "Lovelace"), "u"))])
    project.run("run", "--select", "stg_town__people")
    project.spark.sql(f"drop table {project.schema}.stg_town__people")
    project.run("run")
    assert people(project) == [(1, "Ada", "Lovelace"), *START[1:]]
    assert len(project.rows("hist_town__people")) == 4


@pytest.mark.iceberg
def test_a_column_gained_beside_small_integers(make_project):
    """Iceberg keeps them as int, also within arrays, and that is no change of their type."""
    columns = {"id": "smallint", "some": "smallint[]"}
    project = make_project(
        "small_integers",
        source_contract=SOURCE,
        tables={"o": {"topic": "t.p.o", "key": ["id"], "columns": columns}},
    )
    project.land([record(0, event(10, {"id": 1, "some": [1, None]}), "t.p.o")])
    project.run("run", "--exclude", "dq_*")
    project.tables["o"]["columns"] = columns | {"more": "smallint"}
    project.write()
    after = {"id": 1, "some": [2], "more": 3}
    project.land([record(1, event(20, after, "u"), "t.p.o")])
    project.run("run", "--exclude", "dq_*")
    assert [(r["id"], r["some"], r["more"]) for r in project.rows("cur_s__o")] == [(1, [2], 3)]
