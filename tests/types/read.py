"""The cells through the project's own macros on Spark: one record per cell, as Debezium writes it,
parsed and decoded by the SQL of a change log."""

import json
from dataclasses import dataclass

from tests.types.cells import DOCUMENTS, Cell, contract, default_settings, macros


@dataclass(frozen=True)
class Read:
    """The result of a cell: the texts of the column and of `_cdc_special`, whether the record is
    refused or the value counts as not sent, and the column's Spark type."""

    value: str | None
    special: str | None
    refused: bool
    not_sent: bool
    type: str


AT_ONCE = 24  # columns per query
FIELDS = ("value", "special", "misfit", "not_sent", "type")


def read(spark, connector: str, cells: list[tuple[Cell, dict]]) -> list[Read]:
    """In: cells of a connector, each with the settings to read it under; out: one result per cell.

    A column for each type and settings, a record for each literal of it, which holds only that
    column; as many columns per query as Spark plans quickly.
    """
    columns: dict[str, dict] = {}
    records: dict[tuple[str, str], int] = {}
    numbers = []
    for cell, settings in cells:
        # settings under which a type is read alike share a column and its records
        which = json.dumps([cell.type, cell.decoder(settings)])
        column = columns.setdefault(which, _column(len(columns), cell, settings))
        numbers.append(records.setdefault((column["name"], cell.literal), len(records)))
    found: dict[int, Read] = {}
    for some in _parts(list(columns.values())):
        names = {column["name"] for column in some}
        told = [(n, name, text) for (name, text), n in records.items() if name in names]
        query = _of_documents if connector in DOCUMENTS else _query
        rows = spark.sql(query(connector, some, told)).collect()
        found |= {row["number"]: _read(row) for row in rows}
    return [found[number] for number in numbers]


def read_plainly(spark, connector: str, cells: list[tuple[Cell, dict]]) -> list[str | None]:
    """The same cells as the routine statement reads them: the text of the column, or None if it
    would leave it to the exact one."""
    known = macros()
    columns: dict[str, dict] = {}
    places = []
    for cell, settings in cells:
        which = json.dumps([cell.type, cell.decoder(settings)])
        column = columns.setdefault(which, _column(len(columns), cell, settings))
        places.append((column["name"], cell.literal))
    found: dict[tuple[str, str], str] = {}
    for some in _parts(list(columns.values())):
        select = []
        for column in some:
            name, decoder = column["name"], column["decoder"]
            type_ = known.literal(f"struct<{name}: {known.plain_literal(decoder)}>")
            plain = known.fill(known.plain_value(decoder), f"row.{name}")
            unsent = known.fill(decoder.get("unknown") or "false", f"row.{name}")
            written = "to_json(row, map('ignoreNullFields', 'false'))"
            of_row = (
                f"if(row.{name} is null or {unsent} or not coalesce({written} = document, false),"
                f" null, {shown(plain, column['type'])})"
            )
            select.append(
                f"when '{name}' then get(transform(array(from_json(document, {type_},"
                f" map('allowNonNumericNumbers', 'true'))), row -> {of_row}), 0)"
            )
        landed = ",\n".join(
            f"('{name}', {known.literal(text)}, {known.literal(_document_of(name, text))})"
            for name, text in sorted(set(places))
            if name in {column["name"] for column in some}
        )
        query = f"""
select name, literal, case name {" ".join(select)} end as value
from values {landed} as landed (name, literal, document)"""
        found |= {(r["name"], r["literal"]): r["value"] for r in spark.sql(query).collect()}
    return [found[place] for place in places]


def _document_of(name: str, text: str) -> str:
    return f'{{"{name}":{text}}}'


def _parts(columns: list[dict]) -> list[list[dict]]:
    """A few columns at a time: Spark's planning time grows faster than the query."""
    return [columns[begin : begin + AT_ONCE] for begin in range(0, len(columns), AT_ONCE)]


def _column(number: int, cell: Cell, settings: dict) -> dict:
    """A column as `contract_columns` has it."""
    decoder = cell.decoder(settings)
    name = f"c{number}"
    return {
        "name": name,
        "field": name,
        "sql": name,
        "source_type": cell.type,
        "type": decoder["type"],
        "decoder": decoder,
        "is_key": False,
        "is_sensitive": False,
    }


def _record(column: str, literal: str) -> str:
    return (
        f'{{"before":null,"after":{{"{column}":{literal}}},"source":{{"ts_ms":1}},'
        f'"op":"c","ts_ms":1,"transaction":null}}'
    )


def _query(connector: str, columns: list[dict], records: list[tuple]) -> str:
    known = macros()
    declared = contract(connector, default_settings()) | {"columns": columns}
    literal, select = known.literal, []
    for column in columns:
        value = known["_decoded_value"](column, "image", True)
        select.append(
            f"when '{column['name']}' then named_struct("
            f"'value', {shown(value, column['type'])}, "
            f"'special', {known['special_values']([column], True)}, "
            f"'misfit', {known['_misfits']([column], True, 'debezium_json')}, "
            f"'not_sent', {known['_is_unsent'](column)}, "
            f"'type', typeof({value}))"
        )
    landed = ",\n".join(
        f"({n}, '{name}', {literal(_record(name, text))})" for n, name, text in records
    )
    return f"""
with new_records as (
    select name as topic, 0 as partition, number as offset, current_timestamp() as timestamp,
        cast(null as array<struct<key: string, value: binary>>) as headers,
        cast(null as string) as record_key, record_value
    from values {landed} as landed (number, name, record_value)
),
{known.debezium_json(declared, columns)}
images as (
    select *, after as image, json_object_keys(image_text) as fields, false as is_whole,
        cast(null as struct<none: string>) as key_in_record,
        {known.schema_fields("debezium_json")} as schema_fields
    from envelope
)
select offset as number, topic as name, is_object, is_corrupt, {", ".join(FIELDS)}
from images lateral view inline(array(case topic {" ".join(select)} end)) read as
    {", ".join(FIELDS)}
"""


def _of_documents(connector: str, columns: list[dict], records: list[tuple]) -> str:
    """The same for documents, whose values are in a text; the document is what is refused."""
    known = macros()
    declared = contract(connector, default_settings()) | {"columns": columns}
    literal, select = known.literal, []
    for column in columns:
        value = known["_decoded_value"](column, "image", True)
        select.append(
            f"when '{column['name']}' then named_struct("
            f"'value', {shown(value, column['type'])}, "
            f"'special', {known['special_values']([column], True)}, "
            f"'misfit', document_fault, 'not_sent', false, 'type', typeof({value}))"
        )
    landed = ",\n".join(
        f"({n}, '{name}', {literal(_document(name, text))})" for n, name, text in records
    )
    return f"""
with new_records as (
    select name as topic, 0 as partition, number as offset, current_timestamp() as timestamp,
        cast(null as array<struct<key: string, value: binary>>) as headers,
        '{{"id":"1"}}' as record_key, record_value
    from values {landed} as landed (number, name, record_value)
),
{known.debezium_json(declared, columns)}
{known.document_envelope(declared)}
{known.document_images(declared, columns, known.connector(declared))}
told as (select * except (fields) from images)
select offset as number, topic as name, is_object, is_corrupt, {", ".join(FIELDS)}
from told lateral view inline(array(case topic {" ".join(select)} end)) read as
    {", ".join(FIELDS)}
"""


def _document(name: str, literal: str) -> str:
    event = {"after": f'{{"_id": 1, "{name}": {literal}}}', "source": {"ts_ms": 1}, "op": "c"}
    return json.dumps(event, ensure_ascii=False)


def _read(row) -> Read:
    assert row["is_object"], row
    special = json.loads(row["special"])[row["name"]] if row["special"] else None
    return Read(
        value=row["value"],
        special=special,
        refused=row["is_corrupt"] or row["misfit"] is not None,
        not_sent=bool(row["not_sent"]),
        type=row["type"],
    )


# --- values as the page shows them --------------------------------------------------------------


def shown(value: str, type_: str) -> str:
    """SQL of a value's text. Text is itself; bytes are a Spark literal, X'00FF'; an instant is in
    UTC and ends in Z; within arrays and structs text is quoted and NULL is a word."""
    if type_ == "binary":
        return f"concat('X''', hex({value}), '''')"
    if type_ == "timestamp":
        return f"concat(cast({value} as string), 'Z')"
    if type_.startswith("array<"):
        within = _within("e", type_[6:-1])
        parts = f"array_join(transform({value}, e -> {within}), ', ')"
        return f"concat('[', {parts}, ']')"
    if type_.startswith("struct<"):
        fields = _fields(type_[7:-1])
        parts = ", ', ', ".join(f"'{n}: ', {_within(f'{value}.{n}', t)}" for n, t in fields)
        return f"case when {value} is not null then concat('{{', {parts}, '}}') end"
    return f"cast({value} as string)"


def _within(value: str, type_: str) -> str:
    text = f"concat('\"', {value}, '\"')" if type_ == "string" else shown(value, type_)
    return f"coalesce({text}, 'NULL')"


def _fields(text: str) -> list[tuple[str, str]]:
    """`x: double, at: array<struct<a: int, b: int>>` → names and types."""
    depth, begin, parts = 0, 0, []
    for at, character in enumerate(text + ","):
        depth += {"<": 1, ">": -1, "(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            name, _, type_ = text[begin:at].strip().partition(": ")
            parts.append((name, type_))
            begin = at + 1
    return parts
