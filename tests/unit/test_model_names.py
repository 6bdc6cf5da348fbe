"""The names of a contract's columns in the models, and the names under which their fields are
read."""

from tests.routine import contract_of


def columns(names: list[str], connector="postgresql", **contract) -> list[dict]:
    declared = {"connector": connector, "columns": dict.fromkeys(names, "int"), **contract}
    return contract_of(declared)["columns"]


def named(names: list[str], **contract) -> list[str]:
    return [column["name"] for column in columns(names, **contract)]


def test_names_that_are_taken_give_way():
    assert named(["valid_from", "VALID_TO", "is_current", "cdc_append"]) == [
        *("valid_from_", "VALID_TO_", "is_current_", "cdc_append_"),
    ]
    assert named(["_cdc_op", "_CDC_x", "cdc_op"]) == ["cdc_op_", "CDC_x", "cdc_op"]
    assert named(["a`b", "a${b", "a\nb", "a_b"]) == ["a_b_", "a_{b", "a_b__", "a_b"]


def test_a_column_that_can_keeps_its_name():
    """Regardless of the columns before it."""
    assert named(["valid_from", "valid_from_", "Code", "code"]) == [
        *("valid_from__", "valid_from_", "Code", "code_"),
    ]


def test_the_contract_gives_another():
    names = {"valid_from": "starts", "n": "Valid"}
    assert named(["valid_from", "n"], model_names=names) == ["starts", "Valid"]


def test_paths_of_documents():
    names = ["_id", "valid_from", "a.b", "a_b"]
    assert named(names, connector="mongodb") == ["_id", "valid_from_", "a_b", "a_b_"]


def test_all_else_in_a_contract_names_columns_as_the_source_does():
    contract = contract_of(
        {
            "connector": "postgresql",
            "columns": {"valid_from": "int", "_cdc_op": "text", "valid_to": "int"},
            "key": ["valid_from"],
            "masked": {"_cdc_op": "hash"},
            "untracked": ["valid_to"],
            "former_types": {"valid_to": {"00000000000000000050": "text"}},
        }
    )
    assert contract["key"] == ["valid_from_"]
    assert contract["masked"] == {"cdc_op": "hash"} and contract["sensitive"] == ["cdc_op"]
    assert contract["untracked"] == ["valid_to_"]
    assert list(contract["former_types"]) == ["valid_to_"]


def test_fields_that_sql_cannot_tell_apart():
    first, second, third = columns(["Code", "code", "a`b"], former_names={"a`b": ["CODE", "old"]})
    assert "member" not in first
    assert second["member"] == "_cdc_field_1" and third["member"] == "_cdc_field_2"
    assert third["former"] == [
        {"field": "CODE", "member": "_cdc_field_3"},
        {"field": "old", "member": "old"},
    ]
