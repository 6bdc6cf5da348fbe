"""The cells of the types page: what source types look like in an event, and their decoded values.

`postgresql.yml` and the files of the other connectors in this folder hold, by families as on the
page:

```yaml
also: {connector: mysql, except: [json]}    # the cells of another connector also apply here
families:
  Exact numbers:
    setting: decimal_handling_mode      # whose value `under` names, if any
    says: a sentence for the page
    cells:
      - type: numeric(10,2)           # as a contract declares it
        under: string                 # or a list of equivalent values
        settings: {…}                 # further settings, where they matter
        literal: '"1.50"'             # JSON text, as in the event
        value: "1.50"                 # what the column holds, as `read.shown` writes it; null: NULL
        special: NaN                  # what `_cdc_special` holds for it, if anything
        refused: true                 # instead of a value: the record is refused
        not_sent: true                # instead of a value: the source did not send one
        from: pg-inventory shop.products.price      # where literal and value come from, see below
        note: a few words for the page
never:    # types that have no cell under these settings (each a value or a list), and why:
          # [{types, settings, because}]
absent:   # rows of the documentation that name no type, `but` some: [{row, but, because}]
```

`from` is a capture, table and column (a test finds literal and value there); the fixture flink-cdc
and a column; for Datastream `datastream` and a column of its files; a line of the notes on
Debezium's documentation (connector-postgresql.md:265); a class of Debezium's source, where that is
silent (debezium NanoTime); or `rule`, if the type alone determines the result. A cell that names no
value of a setting is for all values under which the type is read alike.
"""

import json
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from pathlib import Path

import yaml

from afterimage.macros import Macros

HERE = Path(__file__).resolve().parent
TITLES = Macros().connectors()
# Sources whose rows are documents: a type is a path's.
DOCUMENTS = ("mongodb",)
# Through Google Datastream, whose files contain other literals.
DATASTREAM = tuple(name for name in TITLES if name.startswith("datastream_"))
CONNECTORS = tuple(name for name in TITLES if name not in DOCUMENTS + DATASTREAM)
KEYS = {"type", "under", "settings", "literal", "value", "special", "refused", "not_sent"}
KEYS |= {"from", "note"}
# A setting whose values cannot be listed: the default and another one.
OPEN_SETTINGS = {"money_fraction_digits": (2, 4)}
# Names whose arguments change the literal or its reading: one of each sort is required.
SORTS = {
    "numeric": ("numeric(10,2)", "numeric(50,30)", "numeric"),
    "decimal": ("decimal(10,2)", "decimal(65,30)"),
    "bit": ("bit(1)", "bit(9)"),
    "time": ("time(3)", "time(6)"),
    "timestamp": ("timestamp(3)", "timestamp(6)"),
    "datetime": ("datetime(3)", "datetime(6)"),
}
# Those whose unit depends only on the number of digits.
BY_DIGITS = {
    "sqlserver": {
        "decimal": ("decimal(10,2)",),
        "time": ("time(3)", "time(6)", "time(7)"),
        "datetime": ("datetime",),
        "datetime2": ("datetime2(3)", "datetime2(6)", "datetime2(7)"),
    },
    "oracle": {
        "number": ("number(9)", "number(10,2)", "number(36,-2)", "number"),
        "decimal": ("decimal", "decimal(10,2)"),
        "timestamp": ("timestamp(3)", "timestamp(6)", "timestamp(9)"),
    },
    "db2": {
        "decimal": ("decimal(9,2)",),
        "time": ("time",),
        "timestamp": ("timestamp(3)", "timestamp(6)", "timestamp(9)"),
    },
}
BY_DIGITS["datastream_oracle"] = {
    name: types for name, types in BY_DIGITS["oracle"].items() if name != "timestamp"
}
# Their texts show the digits.
BY_DIGITS["datastream_sqlserver"] = {"decimal": BY_DIGITS["sqlserver"]["decimal"]}
OF_DOCUMENTS = {"decimal": ("decimal", "decimal(10,2)")}
UNSIGNED = ("tinyint", "smallint", "mediumint", "int", "bigint")


@dataclass(frozen=True)
class Cell:
    """One line of the YAML; `settings` has a tuple of values for each name."""

    connector: str
    family: str
    type: str
    settings: dict[str, tuple] = field(hash=False)
    literal: str
    value: str | None
    special: str | None
    refused: bool
    not_sent: bool
    source: str
    note: str

    def __str__(self) -> str:
        return f"{self.connector} {self.type} {dict(self.settings)} {self.literal}"

    def variants(self) -> list[dict]:
        """All combinations of settings, one by one. A setting that the cell does not name has any
        value under which the type is read as under its default."""
        names, found = list(self.settings), []
        matter = settings_that_matter(self.connector, self.type)
        for values in product(*self.settings.values()):
            under = default_settings() | dict(zip(names, values, strict=True))
            found.append(under)
            for name in matter.keys() - set(names):
                for value in matter[name][1:]:
                    other = under | {name: value}
                    if self.decoder(other) == self.decoder(under):
                        found.append(other)
        return found

    def decoder(self, settings: dict) -> dict:
        return decoder(self.connector, self.type, settings)


@cache
def macros() -> Macros:
    """The macros that read a record, as the models use them."""
    return Macros()


@cache
def setting_values() -> dict[str, tuple]:
    """Every setting with the values that must be covered; the first is the default."""
    values = {}
    for name, setting in macros().contract_settings().items():
        allowed = setting.get("allowed") or OPEN_SETTINGS.get(name, ())
        values[name] = (setting["default"], *(v for v in allowed if v != setting["default"]))
    return values


def default_settings() -> dict:
    return {name: values[0] for name, values in setting_values().items()}


def contract(connector: str, settings: dict) -> dict:
    """The part of a contract that reading a value needs."""
    return {"connector": connector, "settings": settings, "replica_identity": "full"}


def decoder(connector: str, type_: str, settings: dict) -> dict:
    """The templates that read a type."""
    return _decoder(connector, type_, json.dumps(settings))


@cache
def _decoder(connector: str, type_: str, settings: str) -> dict:
    found = macros().decoder(type_, contract(connector, json.loads(settings)))
    if found is None:
        raise ValueError(f"{connector}: {type_!r} is no source type of a contract")
    return found


@cache
def families(connector: str) -> dict[str, str]:
    """Name of a source type → the family (macro decode_<family>) that reads it."""
    types = macros().connector(contract(connector, default_settings()))["types"]
    return {name: family for family, names in types.items() for name in names}


@cache
def other_names(connector: str) -> dict[str, list[str]]:
    """Name of a source type → its other names."""
    aliases = macros().connector(contract(connector, default_settings()))["type_aliases"]
    found: dict[str, list[str]] = {}
    for alias, name in aliases.items():
        found.setdefault(name, []).append(alias)
    return found


def parsed(connector: str, type_: str) -> dict:
    """A source type as the decoders take it apart."""
    known = macros().connector(contract(connector, default_settings()))
    return macros()["parse_type"](type_, known)


def sort_of(connector: str, type_: str) -> tuple:
    """A common key for types that are written and read alike apart from sizes."""
    type_ = parsed(connector, type_)
    name, arguments, first = type_["name"], type_["arguments"], (type_["arguments"] or [None])[0]
    if connector in BY_DIGITS:
        if name in ("time", "timestamp", "datetime2"):
            return name, False, False, (first + 2) // 3
        scale = arguments[1] if len(arguments) > 1 else 0
        sign = (scale > 0) - (scale < 0) if connector.endswith("oracle") else 0
        return (
            name,
            False,
            False,
            (bool(arguments), sign) if name in ("number", "decimal") else None,
        )
    sort = {
        "numeric": first and first <= 38,
        "decimal": first and first <= 38,
        "bit": first == 1,
        "datetime": first and first <= 3,
        "time": (first or 0) <= 3 if connector == "postgresql" else None,
        "timestamp": (first or 0) <= 3 if connector == "postgresql" else None,
    }.get(name)
    return name, type_["is_array"], type_["is_unsigned"], sort if arguments else None


def sorts(connector: str, name: str) -> list[str]:
    """A type of each sort that a name covers."""
    found = {}
    sizes = OF_DOCUMENTS if connector in DOCUMENTS else BY_DIGITS.get(connector, SORTS)
    for type_ in sizes.get(name, (name,)):
        found.setdefault(sort_of(connector, type_), type_)
    if connector in ("mysql", "mariadb", "datastream_mysql") and name in UNSIGNED:
        found[(name, "unsigned")] = f"{name} unsigned"
    return list(found.values())


def settings_that_matter(connector: str, type_: str) -> dict[str, tuple]:
    """The settings under which a type is read differently, with all their values."""
    found = {}
    for name, values in setting_values().items():
        read = [decoder(connector, type_, default_settings() | {name: value}) for value in values]
        if any(other != read[0] for other in read[1:]):
            found[name] = values
    return found


@cache
def declared(connector: str) -> dict:
    return yaml.safe_load((HERE / f"{connector}.yml").read_text(encoding="utf-8"))


@cache
def own_cells(connector: str) -> tuple[Cell, ...]:
    """The cells of a connector's file, in the order of the page."""
    return tuple(
        _cell(connector, family, facts.get("setting"), entry)
        for family, facts in declared(connector)["families"].items()
        for entry in facts["cells"]
    )


@cache
def cells(connector: str) -> tuple[Cell, ...]:
    """Those, and the cells of another connector that also apply here."""
    also = declared(connector).get("also")
    if not also:
        return own_cells(connector)
    shared = (
        replace(cell, connector=connector)
        for cell in own_cells(also["connector"])
        if parsed(connector, cell.type)["name"] not in also["except"]
    )
    return own_cells(connector) + tuple(shared)


def _cell(connector: str, family: str, setting: str | None, entry: dict) -> Cell:
    where = f"{connector}.yml, {family}, {entry}"
    if unknown := entry.keys() - KEYS:
        raise ValueError(f"{where}: unknown {sorted(unknown)}")
    literal = entry["literal"]
    if isinstance(literal, float):
        raise ValueError(f"{where}: quote a literal with a point, or it is not as it stands there")
    literal = literal if isinstance(literal, str) else json.dumps(literal)
    json.loads(literal)
    outcomes = [name for name in ("value", "refused", "not_sent") if name in entry]
    if len(outcomes) != 1 or not isinstance(entry.get("value"), str | None):
        raise ValueError(f"{where}: one of value (text or null), refused and not_sent")
    settings = dict(entry.get("settings") or {})
    if "under" in entry:
        settings[setting] = entry["under"]
    if strange := settings.keys() - default_settings():
        raise ValueError(f"{where}: no settings of a contract: {sorted(map(str, strange))}")
    return Cell(
        connector=connector,
        family=family,
        type=entry["type"],
        settings={
            name: tuple(value) if isinstance(value, list) else (value,)
            for name, value in settings.items()
        },
        literal=literal,
        value=entry.get("value"),
        special=entry.get("special"),
        refused=entry.get("refused", False),
        not_sent=entry.get("not_sent", False),
        source=entry["from"],
        note=entry.get("note", ""),
    )
