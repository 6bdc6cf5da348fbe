"""Installed as a package, afterimage brings macros and nothing else. The builds of such projects
are in the neighbouring files; here is what must stay out."""

from __future__ import annotations

CONTRACT = {
    "topic": "t.public.orders",
    "key": ["id"],
    # not what the example's table of the same name has
    "columns": {"id": "int", "amount": "numeric(4,2)"},
}


def test_the_example_reaches_no_other_project(make_project):
    """Source and table have the example's names: neither its models nor their YAML may show."""
    project = make_project(
        "package",
        source="shop",
        source_contract={"connector": "postgresql", "topic_prefix": "t"},
        tables={"orders": dict(CONTRACT)},
    )
    project.run("deps")
    manifest = project.run("parse").result
    shipped = [n for n in manifest.nodes.values() if n.package_name == "afterimage"]
    assert {n.resource_type for n in shipped} == {"operation"}, "the hook that checks contracts"
    assert [n for nodes in manifest.disabled.values() for n in nodes] == []
    assert {s.package_name for s in manifest.sources.values()} == {"consumer"}
    assert not manifest.unit_tests

    model = manifest.nodes["model.consumer.stg_shop__orders"]
    assert model.columns == {}
    assert not model.config.contract.enforced
    assert "doc.afterimage._cdc_op" in manifest.docs
