"""What the report says of what nobody will ever see."""

from types import SimpleNamespace

from afterimage.report import never_seen


def source(name: str, over: dict | None, own: dict | None, *, at_config: bool = True):
    meta = {"cdc": own} if own is not None else {}
    return SimpleNamespace(
        source_name="shop",
        name=name,
        source_meta={"cdc": over} if over is not None else {},
        meta=meta,
        config=SimpleNamespace(meta=meta) if at_config else SimpleNamespace(),
    )


def told(*sources) -> dict[str, list[str]]:
    return never_seen(SimpleNamespace(sources={each.name: each for each in sources}))


def test_what_a_contract_says_or_leaves_at_the_default():
    over = {"connector": "postgresql", "settings": {"skipped_operations": ["d"]}}
    nothing = {"settings": {"skipped_operations": ["none"]}}
    assert told(
        source("by_default", {"connector": "postgresql"}, {"key": ["id"]}),
        source("by_its_source", over, {"key": ["id"]}, at_config=False),
        source("by_itself", over, {"settings": {"skipped_operations": ["t", "u"]}}),
        source("none", over, nothing),
    ) == {
        "u": ["shop.by_itself"],
        "d": ["shop.by_its_source"],
        "t": ["shop.by_default", "shop.by_itself"],
    }


def test_a_source_without_contract_is_not_spoken_of():
    over = {"connector": "postgresql"}
    assert told(source("events", None, None), source("other", over, over)) == {}
