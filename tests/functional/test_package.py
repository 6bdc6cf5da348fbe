"""Installed as a package, afterimage adds macros and nothing else. The neighbouring files build
such projects; this one tests what must stay out."""

REMEDIES = "seed.afterimage.afterimage_remedies"
OF_THE_EXAMPLE = {"seed.afterimage.operator_events", "seed.afterimage.code_order_statuses"}
CONTRACT = {
    "topic": "t.public.orders",
    "key": ["id"],
    # not the columns of the example's table of this name
    "columns": {"id": "int", "amount": "numeric(4,2)"},
}


def test_the_example_reaches_no_other_project(make_project):
    """Source, table and seed have the example's names: neither its models nor their YAML may
    appear."""
    project = make_project(
        "package",
        source="shop",
        tables={"orders": dict(CONTRACT)},
        operator_events=[],
    )
    project.run("deps")
    manifest = project.run("parse").result
    shipped = [n for n in manifest.nodes.values() if n.package_name == "afterimage"]
    assert {n.resource_type for n in shipped} == {"operation"}, "the hook that checks contracts"
    assert manifest.disabled.keys() == {REMEDIES, *OF_THE_EXAMPLE}
    assert {s.package_name for s in manifest.sources.values()} == {"consumer"}
    assert not manifest.unit_tests

    model = manifest.nodes["model.consumer.stg_shop__orders"]
    assert model.columns == {}
    assert not model.config.contract.enforced
    assert "doc.afterimage._cdc_op" in manifest.docs


def test_another_project_may_have_the_remedies(make_project):
    contract = {"connector": "postgresql", "topic_prefix": "t"}
    tables = {"orders": dict(CONTRACT)}
    project = make_project("remedies", source="shop", source_contract=contract, tables=tables)
    file = project.folder / "dbt_project.yml"
    with file.open("a", encoding="utf-8") as end:
        end.write("seeds: {afterimage: {afterimage_remedies: {+enabled: true}}}\n")
    manifest = project.run("parse").result
    assert REMEDIES in manifest.nodes and manifest.disabled.keys() == OF_THE_EXAMPLE
