"""Events of an outbox under the laws: records that land again, in any number of runs and any order,
give the same rows, and at any time those of the records landed so far. The oracle gives the
expected rows."""

import json
import random

import pytest

from tests.functional.capture_project import landing_records
from tests.functional.outbox_project import events_of, models_of, refused_of
from tests.oracle.outbox import Outbox, read_all
from tests.oracle.records import Record

pytestmark = pytest.mark.xdist_group("outbox_laws")
PLACEMENT = "type:header:eventType,aggregateid:envelope:ref"
# name -> (declaration, the oracle's)
OUTBOXES = {
    "plain": ({"topic": "plain.${routedByValue}"}, Outbox(prefix="plain.")),
    "beside": (
        {"topic": "beside.${routedByValue}", "fields_additional_placement": PLACEMENT},
        Outbox(prefix="beside.", placement=PLACEMENT),
    ),
    "rows": ({"captured": "rows", "topic": "rows.outbox"}, Outbox(captured="rows")),
}
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 11))]


def stream(name: str, dice: random.Random) -> list[Record]:
    """Deliveries of some sixty events in topic order: again after a restart, from a new snapshot,
    with another payload, and records that are no event."""
    offsets: dict[tuple, int] = {}
    found, sent = [], []
    for number in range(90):
        choice = dice.random()
        if choice < 0.2 and sent:
            event = dice.choice(sent)
            if dice.random() < 0.3:
                event = event | {"payload": payload(dice)}
        else:
            event = {
                "id": f"{name}{number}",
                "of": dice.choice(["Order", "Cart"]),
                "key": str(dice.randrange(6)),
                "payload": payload(dice),
            }
            sent.append(event)
        topic = f"{name}.{event['of']}" if name != "rows" else "rows.outbox"
        partition = int(event["key"]) % 3
        offset = offsets[topic, partition] = offsets.get((topic, partition), -1) + 1
        value, headers = written(name, event, dice)
        # several records share a timestamp, as in a transaction
        at = 1700000000000 + number // 4
        record = Record(topic, partition, offset, json.dumps(event["key"]), value, headers, at)
        found.append(record)
    return found


def payload(dice: random.Random) -> str | None:
    value = dice.choice([None, [], {"a": dice.randrange(3)}, {"b": '\u00e9"}', "a": [1.5, None]}])
    return None if value is None else json.dumps(value, ensure_ascii=dice.random() < 0.5)


def written(name: str, event: dict, dice: random.Random) -> tuple[str | None, dict]:
    """Value and headers of a record of the event; a few are none."""
    carried = json.dumps(event["payload"])
    if event["payload"] is not None and dice.random() < 0.5:
        carried = event["payload"]
    headers = {"id": json.dumps(event["id"]), "eventType": '"Changed"'}
    odd = dice.random()
    if name == "rows":
        row = {"id": event["id"], "aggregatetype": event["of"], "aggregateid": event["key"]}
        row |= {"type": "Changed", "payload": event["payload"]}
        op = "d" if odd < 0.1 else "u" if odd < 0.15 else dice.choice("cr")
        images = {"before": row, "after": None} if op == "d" else {"before": None, "after": row}
        return None if odd > 0.95 else json.dumps({**images, "source": {}, "op": op}), {}
    if name == "beside":
        carried = f'{{"payload":{carried},"ref":"{event["key"]}"}}'
    if odd < 0.05:
        return carried[:-1], headers
    if odd < 0.1:
        return carried, {}
    return carried, headers


@pytest.mark.parametrize("seed", SEEDS)
def test_any_cut_and_order_gives_the_same(seed, make_project, compared):
    dice = random.Random(seed)
    records = [record for name in OUTBOXES for record in stream(name, dice)]
    project = make_project(
        f"outbox_laws_{seed}",
        source_contract={},
        tables={},
        outboxes={name: declared for name, (declared, _) in OUTBOXES.items()},
        extra_models={
            model: sql
            for name in OUTBOXES
            for model, sql in models_of(name).items()
            if "accounting" not in model
        },
    )
    order = records[:]
    dice.shuffle(order)
    cuts = sorted(dice.sample(range(1, len(order)), 2))
    landed: list[Record] = []
    for start, end in zip([0, *cuts], [*cuts, len(order)], strict=True):
        again = dice.sample(landed, min(20, len(landed)))
        part = order[start:end] + again
        landed += order[start:end]
        project.land(landing_records(part))
        project.run("run")
        for name, (_, words) in OUTBOXES.items():
            mine = [r for r in landed if r.topic.startswith(f"{name}.")]
            events, refused, deliveries = read_all(mine, words)
            assert events_of(project, name) == events
            assert refused_of(project, name) == refused
            if end == len(order):
                rows = project.rows(f"{name}_events")
                assert {row["event_id"]: row["deliveries"] for row in rows} == deliveries
                assert any(count > 1 for count in deliveries.values())
                if name != "rows":
                    assert {"broken_json", "missing_event_id"} & {*refused.values()}
                compared["outbox events under the laws"] += len(events)
