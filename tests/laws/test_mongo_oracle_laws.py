"""The oracle of MongoDB on generated databases: it must reproduce them before models are compared
with it.

Truth at the end and at every mark, in any order of arrival, in every capture mode; a looked-up
document is one that the database held at its update or later.
"""

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.laws.delivery import deliveries
from tests.laws.mongo import Mongo
from tests.laws.mongo_connector import FORMS, MODES, Connector
from tests.oracle.bson import identity, loose
from tests.oracle.mongodb import Folded, fold, read_event, went_back
from tests.oracle.records import record_from

MADE_UP = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def connectors(draw, modes=MODES, steps_back: float = 0) -> Connector:
    # a seed, because drawn databases could be shrunk for hours
    random = Random(draw(st.integers(0, 2**32)))
    connector = Connector(
        Mongo(
            random,
            sets=draw(st.integers(1, 3)),
            tells_clock=draw(st.booleans()),
            steps_back=steps_back,
        ),
        random,
        mode=draw(st.sampled_from(modes)),
        metadata=draw(st.booleans()),
        tombstones=draw(st.booleans()),
        forms=draw(st.sampled_from(list(FORMS))),
        initial=draw(st.booleans()),
        run_header=draw(st.booleans()),
        blocking=draw(st.booleans()) and not steps_back,
        renames=draw(st.sampled_from([{}, {"n": "count", "where.city": "town"}])),
        excludes=draw(st.sampled_from([(), ("price", "where.geo", "items")])),
    )
    connector.work(draw(st.integers(3, 20)))
    return connector


def folded(stream: list[dict], **how) -> Folded:
    return fold([record_from(record) for record in stream], **how)


def same(found: dict, held: dict, begun_late: bool = False) -> bool:
    """`begun_late`: a snapshot leaves out a document of which an update was streamed during the
    read, so the state before the connector started may never be sent."""
    return found.keys() == held.keys() and all(
        (document is None and begun_late)
        or (document is not None and loose(document) == loose(held[key]))
        for key, document in found.items()
    )


def not_as_held(found: dict, held: dict, begun_late: bool = False) -> set[tuple]:
    """The identities of the documents that differ; `begun_late` as in `same`."""
    return {
        key
        for key in found.keys() | held.keys()
        if not same(
            {key: found[key]} if key in found else {},
            {key: held[key]} if key in held else {},
            begun_late,
        )
    }


def shown(connector: Connector, held: dict) -> dict:
    return {key: connector.shown(document) for key, document in held.items()}


def begun_late(connector: Connector) -> bool:
    return connector.late and "_update_full" not in connector.mode


@MADE_UP
@given(connectors(), st.booleans())
def test_truth_in_the_end(connector, lookups):
    found = folded(connector.stream, lookups=lookups).documents
    held = shown(connector, connector.database.rows())
    assert same(found, held, begun_late(connector))


@MADE_UP
@given(connectors())
def test_truth_at_every_mark(connector):
    """If a connector started late, a document may be known only by a lookup, which is from
    later."""
    told = folded(connector.stream)
    for places, held in connector.marks:
        held = shown(connector, held)
        standing = told.standing({name: place.pair for name, place in places.items()})
        found = {identity(v.id): v.document for v in standing}
        if connector.late:
            found |= {(key := identity(v.id)): held.get(key) for v in standing if v.approximate}
        assert same(found, held, begun_late(connector))


@MADE_UP
@given(connectors(steps_back=0.05), st.booleans())
def test_a_document_that_a_clock_set_back_leaves_wrong_is_named(connector, lookups):
    """Where positions come from servers' clocks, and these are set back: no other document is
    wrong. Without blocking snapshots, which read ahead of the stream."""
    found = folded(connector.stream, lookups=lookups).documents
    held = shown(connector, connector.database.rows())
    named = {identity(event.id) for event in went_back(map(record_from, connector.stream))}
    assert not_as_held(found, held, begun_late(connector)) <= named


@pytest.mark.parametrize("mode", MODES)
def test_a_clock_set_back_leaves_documents_wrong(mode):
    """Otherwise the law above would prove nothing. A change in the stream was placed before another
    change, a first read or an incremental one."""
    wrong, before = set(), set()
    for seed in range(12):
        connector = Connector(
            Mongo(Random(seed), sets=2, steps_back=0.05), Random(seed), mode=mode, metadata=True
        )
        connector.work(30)
        events = [e for r in connector.stream if (e := read_event(record_from(r)))]
        held = connector.database.rows()
        differing = not_as_held(folded(connector.stream).documents, held)
        wrong |= {(seed, key) for key in differing}
        for late in went_back(map(record_from, connector.stream)):
            before |= {
                event.read_by
                for event in events
                if event.coordinate < late.coordinate
                and event.place > late.place
                and identity(event.id) == identity(late.id) in differing
            }
    assert len(wrong) > 10
    assert {None, "true", "incremental"} <= before


def held_by(connector: Connector) -> dict[tuple, list]:
    """Replica set and identity -> the document's states, each with its first position."""
    held: dict[tuple, list] = {}
    for rs, place, key, document in connector.database.told:
        state = document and connector.shown(document)
        held.setdefault((rs, key), []).append((place.pair, state))
    return held


def found_gone(connector: Connector) -> set[tuple]:
    """Replica set, identity and position of the updates whose lookup found nothing: only their
    descriptions are known, applied to whatever was known."""
    events = [read_event(record_from(record)) for record in connector.stream]
    return {(e.rs, identity(e.id), e.place) for e in events if e and e.op == "u" and not e.after}


@MADE_UP
@given(connectors([mode for mode in MODES if "_update_full" in mode]))
def test_a_document_that_was_looked_up_is_of_then_or_later(connector):
    """Never older than its update; and if all of a mark is exact, it is what was held."""
    told = folded(connector.stream, lookups=True)
    held, gone = held_by(connector), found_gone(connector)
    for version in told.versions:
        key = version.rs, identity(version.id)
        if not version.approximate or version.document is None or (*key, version.begun) in gone:
            continue
        later = [loose(d) for place, d in held[key] if place >= version.begun and d is not None]
        assert loose(version.document) in later
    for places, rows in connector.marks:
        standing = told.standing({name: place.pair for name, place in places.items()})
        assert {identity(version.id) for version in standing} == rows.keys()
        for version in standing:
            held_then = loose(connector.shown(rows[identity(version.id)]))
            assert version.approximate or loose(version.document) == held_then


@MADE_UP
@given(connectors(), st.booleans())
def test_what_is_not_approximate_was_so_from_its_place_on(connector, lookups):
    """Except where a snapshot read during writes: such rows may contain later changes. A version of
    no duration was in a transaction whose end an incremental snapshot may have read at its
    position."""
    if not connector.late or connector.blocking:
        return
    held = held_by(connector)
    for version in folded(connector.stream, lookups=lookups).versions:
        if version.approximate or version.document is None or version.begun == version.ended:
            continue
        states = held[version.rs, identity(version.id)]
        before = [document for place, document in states if place < version.begun][-1:]
        there = [document for place, document in states if place == version.begun]
        assert loose(version.document) in [loose(document) for document in before + there]


@MADE_UP
@given(connectors(), st.integers(0, 2**32))
def test_any_arrival_gives_the_same(connector, seed):
    parts = deliveries(connector.stream, Random(seed), 3, in_order=False)
    landed = [record for part in parts for record in part]
    assert folded(landed) == folded(connector.stream)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_made_up_covers_what_may_happen(mode):
    """Otherwise the laws would prove little."""
    seen = set()
    for seed in range(14):
        connector = Connector(
            Mongo(Random(seed), sets=2), Random(seed), mode=mode, metadata=seed % 2
        )
        connector.work(40)
        told, looked_up = folded(connector.stream), folded(connector.stream, lookups=True)
        assert same(told.documents, connector.database.rows())
        for record in connector.stream:
            seen |= traits(record)
        if changed_to_and_fro(connector):
            seen.add("equal changes at one place")
        if any(len(v.parts) for v in told.versions):
            seen.add("birth not seen")
        if any(v.approximate for v in looked_up.versions):
            seen.add("approximate")
        if len(told.versions) != len(looked_up.versions):
            seen.add("versions that lookups hide")
        events = len([r for r in connector.stream if r["value"]])
        if told.events < events:
            seen.add("sent again")
    wanted = {"c", "u", "d", "r", "tombstone", "replaced", "removed", "truncated", "element",
              "incremental", "transaction", "total order", "sent again",
              "equal changes at one place"}  # fmt: skip
    if "_update_full" in mode:
        wanted |= {"looked up", "gone when looked up", "approximate", "versions that lookups hide"}
    else:
        wanted |= {"no image"} if "pre_image" not in mode else {"only before"}
    assert wanted <= seen, wanted - seen


def changed_to_and_fro(connector: Connector) -> bool:
    oplogs = [change for rs in connector.database.sets for change in rs.oplog if change.description]
    equal = Counter((c.place, identity(c.id), repr(c.description)) for c in oplogs)
    return max(equal.values(), default=0) > 1


def traits(record: dict) -> set[str]:
    if record["value"] is None:
        return {"tombstone"}
    value = json.loads(record["value"])
    found, told = {value["op"]}, value["updateDescription"]
    if value["source"]["snapshot"] == "incremental":
        found.add("incremental")
    if value["source"]["txnNumber"]:
        found.add("transaction")
    if value["transaction"]:
        found.add("total order")
    if value["op"] != "u":
        return found
    if told is None:
        return found | {"replaced"}
    found |= {"removed"} if told["removedFields"] else set()
    found |= {"truncated"} if told["truncatedArrays"] else set()
    found |= {"element"} if ".0" in told["updatedFields"] else set()
    images = (value["before"] is not None, value["after"] is not None)
    return (
        found
        | {
            {
                (False, True): "looked up",
                (True, True): "looked up",
                (False, False): "no image",
                (True, False): "only before",
            }[images]
        }
        | ({"gone when looked up"} if value["after"] is None else set())
    )
