"""Constants of the macros: contract keys, their defaults, and the names of types."""

import json
from functools import cache
from typing import Any

from afterimage.macros import Macros

MACROS = Macros()
KEYS = MACROS.contract_keys()
OPERATIONS = MACROS.operations()
# Those of Debezium: records of others have no schema blocks to read types from.
CONNECTORS = [name for name in KEYS["connector"]["allowed"] if not name.startswith("datastream_")]
DEFAULTS = {name: setting["default"] for name, setting in KEYS["settings"]["keys"].items()}
ALLOWED = {name: setting.get("allowed") for name, setting in KEYS["settings"]["keys"].items()}
# The database's usual name for a decoder family.
WORDS = {"postgresql": {"double": "double precision"}}
# The types of other systems that hold the same values, in their widest form.
OWN_NAMES = {
    "sqlserver": {
        "boolean": "bit",
        "text": "nvarchar(max)",
        "bytea": "varbinary(max)",
        "double": "float",
        "jsonb": "nvarchar(max)",
    },
    "oracle": {
        "smallint": "number(4)",
        "int": "number(9)",
        "bigint": "number(18)",
        "numeric": "number",
        "real": "binary_float",
        "double": "binary_double",
        "text": "varchar2(4000)",
        "bytea": "raw(2000)",
    },
    "db2": {"text": "varchar(32672)", "bytea": "varbinary(32672)"},
}


@cache
def connector(name: str) -> dict[str, Any]:
    """Particulars of a connector."""
    return MACROS.connector(_contract(name))


@cache
def type_names(name: str) -> list[str]:
    """The types of a connector by family, without aliases."""
    return [kind for names in connector(name)["types"].values() for kind in names]


@cache  # hundreds of tables have few types
def parsed(kind: str, of: str) -> dict[str, Any] | None:
    """The parts of a type's text; none when contracts of that connector do not know the type."""
    found = MACROS.parse_type(kind, connector(of))
    return found if found and found["name"] in type_names(of) else None


def family(name: str, of: str) -> str:
    """The decoder family that reads a type."""
    return next(key for key, names in connector(of)["types"].items() if name in names)


def first_type(of: str, names: tuple = (), families: tuple = ()) -> str | None:
    """The first of the given types that a connector has, else the first type of given families."""
    own = {name: name for name in type_names(of)} | OWN_NAMES.get(of, {})
    found = [own[name] for name in names if name in own]
    found += [connector(of)["types"][key][0] for key in families if connector(of)["types"].get(key)]
    return shown(found[0], of) if found else None


def shown(name: str, of: str) -> str:
    return WORDS.get(of, {}).get(name, name)


def literal(kind: str, of: str, settings: dict[str, Any]) -> str | None:
    """The kind of JSON value that the decoder of a type reads; none without such a type."""
    return _literal(kind, of, json.dumps(DEFAULTS | settings))


@cache
def _literal(kind: str, of: str, settings: str) -> str | None:
    decoder = MACROS.decoder(kind, _contract(of) | {"settings": json.loads(settings)})
    return decoder and decoder["literal"]


def _contract(name: str) -> dict[str, Any]:
    return {"connector": name, "format": "debezium_json", "replica_identity": "default"}
