"""The contract's reference, made from the macros that validate it: JSON schema and table.

    python -m afterimage.contract     writes docs/reference/contract.schema.json and contract.md

A test holds the two files against what this makes.
"""

import json
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from afterimage.errors import UserError
from afterimage.macros import MACROS, Macros

FOLDER = MACROS.parent / "docs" / "reference"
SCHEMA = FOLDER / "contract.schema.json"
TABLE = FOLDER / "contract.md"

JSON_TYPES = {
    "text": "string",
    "list": "array",
    "map": "object",
    "number": "integer",
    "truth value": "boolean",
}
# Types that may say more between name and brackets: timestamp(3) without time zone.
ZONED = ("time", "timestamp")


def contract_schema() -> dict[str, Any]:
    """JSON schema of a sources YAML as far as contracts go; all else in the file is let through.

    It covers what one file shows: keys, levels, allowed values, names of types. Only `afterimage
    validate` checks what needs the whole project (two tables on one topic) or both ends (a key
    among the columns).
    """
    keys = _keys()
    both = [name for name, key in keys.items() if key.get("required") and key["level"] == "both"]
    source = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "config": _within("source_contract"),
            "tables": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {"config": _within("table_contract")},
                },
            },
        },
    }
    if both:
        source["allOf"] = [_at_source_or_at_each_table(name) for name in both]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dbt sources with afterimage contracts (config.meta.cdc)",
        "$comment": "Made by `python -m afterimage.contract` from macros/contract.",
        "type": "object",
        "properties": {"sources": {"type": "array", "items": source}},
        "$defs": {
            "source_contract": _contract(
                {name: key for name, key in keys.items() if key["level"] != "table"}, required=[]
            ),
            "table_contract": _contract(
                {name: key for name, key in keys.items() if key["level"] != "source"},
                [name for name, key in keys.items() if key.get("required") and name not in both],
            ),
        },
    }


def read_contracts(path: Path, yaml: YAML) -> Any:
    """The document of a YAML file of dbt, whose contracts can be read; none for an empty file.

    Errors: UserError for a file that is not YAML, and for parts of another type than the schema's,
    such as `tables: text`. Other faults are left to `afterimage validate`.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"))
    except YAMLError as error:
        raise UserError(f"{path} cannot be read as YAML: {error}") from error
    if document is None:
        return None
    faults = []
    for error in _validator().iter_errors(document):
        place = f"{path}: {error.json_path.removeprefix('$').removeprefix('.') or 'the file'}"
        if error.validator == "required" and error.validator_value == ["name"]:
            faults.append(f"{place}: name is missing")
        elif error.validator == "type" and not _is_empty_map(error):
            kinds = [kind for kind, name in JSON_TYPES.items() if name in error.validator_value]
            found = json.dumps(error.instance, default=str, ensure_ascii=False)
            faults.append(f"{place}: expected a {' or '.join(kinds)}, got {found[:60]}")
    if faults:
        raise UserError("\n".join(faults))
    return document


@cache  # a project has hundreds of files
def _validator() -> Draft202012Validator:
    return Draft202012Validator(contract_schema())


def _is_empty_map(error: Any) -> bool:
    """Whether a type error is a map without entries, such as `columns:`; a list needs its items."""
    is_none = error.instance is None and error.validator_value == "object"
    return is_none and isinstance(error.path[-1], str)


def contract_table() -> str:
    """The reference of the contract's keys as Markdown."""
    keys = _keys()
    lines = [
        "<!-- Made by `python -m afterimage.contract` from macros/contract. Do not edit. -->",
        "# The contract of a source",
        "",
        "The contract is under `config.meta.cdc` of a dbt source and of its tables; a table's keys",
        "override those of its source, `settings` one by one. `afterimage validate` checks every",
        "contract of a project, as does each run before its first model. Editors check a file that",
        "begins with `# yaml-language-server: $schema=…/contract.schema.json`.",
        "",
        "## Keys",
        "",
        "| key | level | type | allowed | default | what it does |",
        "|---|---|---|---|---|---|",
    ]
    for name, key in keys.items():
        level = {"both": "source or table"}.get(key["level"], key["level"])
        default = "**required**" if key.get("required") else _shown(key.get("default"))
        allowed = "see below" if key.get("keys") else _allowed(key)
        lines.append(
            f"| `{name}` | {level} | {key['type']} | {allowed} | {default} | {key['help']} |"
        )
    lines += [
        "",
        "## Settings",
        "",
        "Settings of the connector that change or hide events, with the connector's names (`_`",
        "for `.`) and its defaults. `decimal_format` is the JSON converter's, for keys and values",
        "alike: `NUMERIC` if precise decimals come as JSON numbers. They are exact to 38 digits;",
        "longer numbers are refused. [Settings of connectors](settings.md) says why other",
        "settings are not here.",
        "",
        "| setting | type | allowed | default |",
        "|---|---|---|---|",
    ]
    for name, setting in keys["settings"]["keys"].items():
        lines.append(
            f"| `{name}` | {_kind(setting['default'])} | {_allowed(setting)} | "
            f"{_shown(setting['default'])} |"
        )
    lines += [
        "",
        "## Names of columns",
        "",
        "A column keeps its source name in the models, except for names that models cannot have:",
        "`valid_from`, `valid_to`, `is_current`, `cdc_append` and names that begin with `_cdc_`",
        "are reserved; Spark treats `Code` and `code` as one name; SQL cannot hold backticks,",
        "control characters and `${`. Such a column gets a `_` after its name (`valid_from_`,",
        "`code_`), loses its first `_` (`_cdc_op`: `cdc_op`) or has `_` in place of the invalid",
        "characters (`a_b`); `model_names` sets another name. All other keys of a contract",
        "(`key`, `masked`, …) use the source's names. The models' YAML (`afterimage model-yaml`)",
        "has the source's name of each such column. After a change of `model_names` or",
        "`former_names`, rebuild the change log (`--full-refresh`).",
        "",
        "## Source types",
        "",
        "Types have the database's names, with their arguments: `numeric(12,2)`, `timestamp(3)`,",
        "`varchar(20)[]`, `geometry(Point,4326)`, `text character set latin1`, `int[3]`. Declare",
        "an enum as `enum`, a domain as its base type. Arrays have one dimension: for an array of",
        "arrays the connector writes NULLs or Java addresses. Types that it omits (composite",
        "types, multiranges, `pg_lsn`, `tsquery` …) have no name here; under",
        "`include.unknown.datatypes` they come as bytes: declare them as `bytea`. Declare a",
        "`char` or `text` of MySQL with character set `binary` as the `binary`, `varbinary` or",
        "`blob` that MySQL makes of it.",
        "",
        *(
            f"- {connector}: {', '.join(f'`{name}`' for name in names)}"
            for connector, names in _types().items()
        ),
        "",
    ]
    return "\n".join(lines)


def schema_text() -> str:
    """The schema as its file holds it."""
    return json.dumps(contract_schema(), indent=2, ensure_ascii=False) + "\n"


def _keys() -> dict[str, dict[str, Any]]:
    return Macros().contract_keys()


def _types() -> dict[str, list[str]]:
    """Connector -> the names of the types its contracts may use."""
    macros = Macros()
    return {
        connector: macros.type_names({"connector": connector, "replica_identity": "default"})
        for connector in macros.connectors()
    }


def _contract(keys: dict[str, dict[str, Any]], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: _property(name, key) for name, key in keys.items()},
        "required": required,
        "additionalProperties": False,
    }


def _property(name: str, key: dict[str, Any]) -> dict[str, Any]:
    types = [JSON_TYPES[kind] for kind in key["type"].split(" or ")]
    schema: dict[str, Any] = {"description": key["help"], "type": types[0]}
    if len(types) > 1:
        return schema | {"type": types, "items": {"type": "string"}}
    if key.get("allowed"):
        schema["enum"] = key["allowed"]
    if key.get("default") is not None:
        schema["default"] = key["default"]
    if schema["type"] == "array":
        schema["items"] = {"type": "string"}
    if key.get("words"):
        no_text = {part: schema.pop(part) for part in ("type", "items")}
        return schema | {"anyOf": [no_text, {"enum": key["words"]}]}
    if key.get("keys"):
        schema["properties"] = {setting: _setting(spec) for setting, spec in key["keys"].items()}
        schema["additionalProperties"] = False
    elif name == "columns":
        schema["minProperties"] = 1
        schema["additionalProperties"] = {
            "description": "source type, in lower case",
            "type": "string",
            "pattern": _type_pattern(),
        }
    elif name == "former_types":
        types = {"type": "string", "pattern": _type_pattern()}
        schema["additionalProperties"] = {"type": "object", "additionalProperties": types}
    elif name == "former_names":
        names = {"type": "array", "items": {"type": "string"}}
        schema["additionalProperties"] = names
    elif name == "masked":
        schema["additionalProperties"] = {"type": "string", "enum": key["each"]}
    elif schema["type"] == "object":
        schema["additionalProperties"] = {"type": "string"}
    return schema


def _setting(spec: dict[str, Any]) -> dict[str, Any]:
    default = spec["default"]
    schema: dict[str, Any] = {"type": JSON_TYPES[_kind(default)], "default": default}
    if spec.get("allowed"):
        schema["enum"] = spec["allowed"]
    if schema["type"] == "array":
        schema["items"] = {"type": "string"} | ({"enum": spec["each"]} if spec.get("each") else {})
    return schema


def _type_pattern() -> str:
    """A regular expression of the texts that `parse_type` reads; of the attributes and words of a
    type it takes any, which only `afterimage validate` tells apart."""
    names = "|".join(sorted(set(chain.from_iterable(_types().values()))))
    arguments = r"( ?\( ?[0-9]+ ?(, ?-?[0-9]+ ?)?\))?"
    numbers = rf"({names}){arguments}( unsigned| signed)?( zerofill)?"
    zoned = rf"({'|'.join(ZONED)}){arguments} with(out)? time zone"
    interval = rf"interval [a-z]+( to [a-z]+)?{arguments}"
    shape = r"(geometry|geography) ?\( ?[a-zA-Z]+ ?(, ?[0-9]+ ?)?\)"
    written = r"( (character set|charset|collate)( ?= ?| )[a-z0-9_]+| ascii| unicode| srid [0-9]+)*"
    array = r"( ?\[ ?[0-9]* ?\]| array( ?\[ ?[0-9]+ ?\])?)?"
    labels = rf"(enum|set) ?\(.*\){written}"
    return rf"^(({numbers}{written}|{zoned}|{interval}|{shape}){array}|{labels})$"


def _within(definition: str) -> dict[str, Any]:
    """A `config` whose `meta.cdc` is of a definition."""
    cdc = {"type": "object", "properties": {"cdc": {"$ref": f"#/$defs/{definition}"}}}
    return {"type": "object", "properties": {"meta": cdc}}


def _at_source_or_at_each_table(name: str) -> dict[str, Any]:
    """A source without contracts, one that gives the key itself, or one whose tables all do."""

    def has(schema: dict[str, Any]) -> dict[str, Any]:
        cdc = {"type": "object", "properties": {"cdc": schema}, "required": ["cdc"]}
        meta = {"type": "object", "properties": {"meta": cdc}, "required": ["meta"]}
        return {"properties": {"config": meta}, "required": ["config"]}

    each = {"items": {"if": has({}), "then": has({"required": [name]})}}
    return {"if": has({"required": [name]}), "else": {"properties": {"tables": each}}}


def _kind(value: Any) -> str:
    """The word the macros have for the kind of a value."""
    kinds = {bool: "truth value", str: "text", list: "list", dict: "map"}
    return next((kind for python, kind in kinds.items() if isinstance(value, python)), "number")


def _shown(value: Any) -> str:
    return "" if value is None else f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _allowed(key: dict[str, Any]) -> str:
    if key.get("allowed"):
        return ", ".join(f"`{value}`" for value in key["allowed"])
    if key.get("each"):
        return "of " + ", ".join(f"`{value}`" for value in key["each"])
    return ""


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    TABLE.write_text(contract_table(), encoding="utf-8")
    print(SCHEMA, TABLE, sep="\n")
