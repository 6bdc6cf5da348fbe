"""The evidence of a sample about one topic."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from afterimage.scaffold import bson, known, unwrapped
from afterimage.scaffold.catalog import CatalogColumn, CatalogTable
from afterimage.scaffold.catalog.types import contract_type, is_sent_as
from afterimage.scaffold.column import NOT_NULL, Column
from afterimage.scaffold.declared import declared
from afterimage.scaffold.documents import is_null, text_of, unpacked
from afterimage.scaffold.guessed import guessed, kind_of, text_forms
from afterimage.scaffold.proven import Evidence
from afterimage.scaffold.sample import Sampled
from afterimage.scaffold.semantic import PLAIN
from afterimage.scaffold.shapes import (
    Change,
    change_of,
    is_no_row,
    is_of_datastream,
    names_in_topic,
)
from afterimage.scaffold.source_type import OF_CATALOG, adjusted_from

WIDER = ("smallint", "int", "bigint")
SHORT = 32  # longest text that may be an operation or a name
CONTEXT = "__debezium.context."
ADDED_TO_KEY = "__dbz__"


@dataclass
class Topic:
    """What the records of a topic have in common."""

    name: str
    records: int = 0
    unreadable: int = 0
    changes: int = 0
    empty: int = 0  # records without a row: tombstones, and deletes of rows without envelopes
    rows: int = 0  # objects that are not changes, and may be rows without envelopes
    rows_with_key: int = 0  # those of them with the columns of their key
    others: int = 0  # other records of the connector
    of_datastream: int = 0  # those of them that are events of Google Datastream
    ops: Counter = field(default_factory=Counter)
    framing: str = ""  # of Avro records, as in a contract
    is_like_avro: bool = False  # some unread record begins with a zero byte
    connector: str = ""
    format: str = "debezium_json"
    prefix: str = ""
    database: str = ""
    table: str = ""
    schema_name: str = ""
    key: list[str] | None = None
    of_key: dict[str, tuple] = field(default_factory=dict)  # by column: its field, its literal
    headers: dict[str, set[str]] = field(default_factory=dict)  # by name: some of their values
    declared: dict[str, dict] = field(default_factory=dict)  # by column: field of a schema block
    newest: list[str] = field(default_factory=list)  # columns of the last image
    seen: dict[str, Counter] = field(default_factory=dict)  # by column: kinds of its literals
    texts: dict[str, set[str]] = field(default_factory=dict)  # by column: some short texts
    forms: dict[str, tuple] = field(default_factory=dict)  # by column: possible forms of its texts
    updates_with_before: int = 0
    deleted: set[str] = field(default_factory=set)  # values of the field __deleted
    row_schema: dict | None = None
    structures: list[dict] = field(default_factory=list)  # schema changes, in order
    catalog: list[CatalogTable] = field(default_factory=list)  # best source first

    def take(self, record: Sampled) -> None:
        """Take the evidence of one record."""
        self.records += 1
        for name, value in record.headers:
            _some(self.headers, name, text_of(value))
        if is_null(record.value):
            self.empty += record.key is not None
            return
        document, schema = unpacked(record.value)
        if document is None:
            self.unreadable += 1
            self.is_like_avro = self.is_like_avro or record.value[:1] == b"\0"
            return
        self.framing = record.framing or self.framing
        key, key_schema = unpacked(record.key) if record.key is not None else (None, None)
        key = self._row_key(key, key_schema)
        if change := change_of(document, schema, self.name):
            self._take_change(change, key)
        elif is_no_row(document):
            self.others += 1
            self.of_datastream += is_of_datastream(document)
            if document.get("tableChanges"):
                self.structures.append(document)
        else:
            self._take_row(document, schema, key)

    def _row_key(self, key: dict | None, schema: dict | None) -> dict | None:
        """The key without the field that a transformation added to distinguish physical tables."""
        if key is None:
            return None
        fields = {each.get("field"): each for each in (schema or {}).get("fields") or []}
        found = {name: value for name, value in key.items() if not name.startswith(ADDED_TO_KEY)}
        self.of_key |= {name: (fields.get(name), value) for name, value in found.items()}
        return found

    def _take_change(self, change: Change, key: dict | None) -> None:
        self.changes += 1
        self.ops[change.op] += 1
        self.format, self.connector, self.prefix = change.format, change.connector, change.prefix
        self.database, self.schema_name = change.database, change.schema_name
        self.table = change.table
        if self.is_document:
            self._take_document(change)
            return
        if key is not None:
            self.key = list(key)
        if change.op == "u" and change.before is not None:
            self.updates_with_before += 1
        for column in change.fields:
            self._declare(column)
        is_delete = change.op == "d"
        self._take_image(change.before if is_delete else change.after, is_delete)

    def _take_document(self, change: Change) -> None:
        """The id identifies a document, and a delete may have no document."""
        self.key = ["_id"]
        document = bson.document_of(change.after) or bson.document_of(change.before) or {}
        for name, value in document.items():
            if bson.is_path(name):
                self.seen.setdefault(name, Counter())[bson.type_of(value)] += 1

    def _take_row(self, row: dict, schema: dict | None, key: dict | None) -> None:
        self.rows += 1
        self.rows_with_key += bool(key) and key.keys() <= row.keys()
        if self.changes:
            return
        if key is not None:
            self.key = list(key)
        self.row_schema = schema or self.row_schema
        for column in (schema or {}).get("fields") or []:
            self._declare(column)
        if unwrapped.DELETED in row:
            self.deleted.add(str(row[unwrapped.DELETED]).lower())
        self._take_image(row, str(row.get(unwrapped.DELETED)).lower() == "true")

    def _take_image(self, image: Any, is_delete: bool) -> None:
        if not isinstance(image, dict):
            return
        if not is_delete or not self.newest:
            self.newest = list(image)
        for name, literal in image.items():
            # Where a delete has only its key, the connector invents values for the rest.
            if is_delete and name not in (self.key or []):
                continue
            self.seen.setdefault(name, Counter())[kind_of(literal)] += 1
            if isinstance(literal, str):
                _some(self.texts, name, literal)
                self.forms[name] = text_forms(literal, self.forms.get(name))

    def _declare(self, column: dict) -> None:
        name = column["field"]
        earlier = self.declared.get(name)
        # A column widened since: the wider type holds the older records too.
        if earlier and _wider(earlier, column):
            return
        self.declared[name] = column

    def settle(self, connector: str | None = None) -> None:
        """Decide what the records are, after the last one: rows without envelopes have names in
        their headers, their added fields and their topic's name."""
        if self.changes or not self.has_rows:
            return
        # Uses what is removed below.
        self.format, _, _ = "unwrapped", self.added, self.added_headers
        self.changes = self.rows
        prefix, schema_name, table = unwrapped.names_in_schema(self.row_schema) or ("", "", "")
        _, in_topic, last = names_in_topic(self.name)
        self.database = self._told("db", "source.db")
        self.schema_name = self._told("schema", "source.schema") or schema_name or in_topic
        self.table = self._told("table", "source.table") or table or last
        ending = f".{self.schema_name}.{self.table}"
        self.prefix = (
            self._told("name", "source.name")
            or self._context("connectorLogicalName")
            or prefix
            or (self.name.removesuffix(ending) if self.name.endswith(ending) else "")
        )
        self.connector = (
            self._told("connector", "source.connector")
            or self._context("connectorName")
            or next((of for path, of in unwrapped.PLACES.items() if self._has(path)), "")
            or connector
            or ""
        )
        if self.is_mysql:
            self.database = self.database or self.schema_name
        for name in (unwrapped.DELETED, *self.added.paths):
            for about in (self.declared, self.seen):
                about.pop(name, None)
            if name in self.newest:
                self.newest.remove(name)

    @property
    def has_rows(self) -> bool:
        """Whether the records are rows without envelopes: the transformation left its marks, or
        each row has the columns of its key."""
        if not self.rows or self.others:
            return False
        is_marked = bool(self.deleted or self.added.paths or self.added_headers.paths)
        is_named = unwrapped.names_in_schema(self.row_schema) is not None
        return is_marked or is_named or self.rows_with_key == self.rows

    @cached_property
    def added(self) -> unwrapped.Added:
        """Fields that were added to the rows."""
        return unwrapped.added([*self.newest, *self.seen], self.texts)

    @cached_property
    def added_headers(self) -> unwrapped.Added:
        return unwrapped.added(self.headers, self.headers)

    def _has(self, path: str) -> bool:
        paths = {*self.added.paths.values(), *self.added_headers.paths.values()}
        return bool(paths & {path, f"source.{path}"})

    def _told(self, *paths: str) -> str:
        """The value of the first such added field or header, if it is always the same."""
        for added, texts in ((self.added, self.texts), (self.added_headers, self.headers)):
            said = texts.get(added.name_of(*paths) or "") or ()
            if len(said) == 1:
                return next(iter(said))
        return ""

    def _context(self, name: str) -> str:
        """What the connector's own headers say about it."""
        said = self.headers.get(CONTEXT + name) or ()
        return next(iter(said)) if len(said) == 1 else ""

    def shape(self) -> dict[str, Any]:
        """The contract keys for the records' form."""
        found = self._told_of_rows()
        if lost := self.places_lost:
            found["add_fields"] = [path for path in found["add_fields"] if path not in lost]
            if not found["add_fields"]:
                del found["add_fields"]
        return found

    def _told_of_rows(self) -> dict[str, Any]:
        """The shape as configured in the transformation."""
        found: dict[str, Any] = {"format": self.format}
        if self.format != "unwrapped":
            return found
        for name, added in (("add_fields", self.added), ("add_headers", self.added_headers)):
            if added.paths:
                found[name] = list(dict.fromkeys(added.paths.values()))
                if added.prefix != unwrapped.PREFIX:
                    found[f"{name}_prefix"] = added.prefix
        mode = unwrapped.delete_mode(bool(self.deleted), bool(self.empty))
        if mode != known.KEYS["delete_tombstone_handling_mode"]["default"]:
            found["delete_tombstone_handling_mode"] = mode
        return found

    @property
    def places_lost(self) -> list[str]:
        """Fields with the place of a row that its delete lacks, where that is a record without a
        row: the models cannot order by them, so the contract leaves them out."""
        if self.format != "unwrapped" or self.is_document:
            return []
        defaults = {name: key.get("default") for name, key in known.KEYS.items()}
        contract = defaults | {"connector": self.connector} | self._told_of_rows()
        lost = [name.split(".")[-1] for name in known.MACROS.place_lost_by_deletes(contract)]
        return [path for path in self.added.paths.values() if path.split(".")[-1] in lost]

    @property
    def shows_deletes(self) -> bool:
        """Whether the sample has a delete of a row without envelope."""
        return "true" in self.deleted or bool(self.empty)

    def evidence(self) -> list[Evidence]:
        """What the columns prove about the connector's settings."""
        return [
            Evidence(
                name, self._field(name), set(self.seen.get(name) or ()), self.forms.get(name) or ()
            )
            for name in self.declared
        ] + [
            Evidence(name, {OF_CATALOG: kind}, set(self.seen[name]), self.forms.get(name) or ())
            for name in self.seen
            if name not in self.declared and (kind := self.catalog_type(name))
        ]

    def columns(self, settings: dict[str, Any] | None = None) -> dict[str, Column]:
        """Columns by name, those of the newest record first."""
        if self.is_document:
            return {name: bson.column_of(types) for name, types in self.seen.items()}
        found = {}
        for name in dict.fromkeys([*self.newest, *self.declared, *self.seen]):
            if name in self.declared:
                column = declared(self._field(name), self.connector, settings)
            else:
                column = self._of_catalog(name, settings) or self._of_literals(
                    self.seen.get(name, Counter())
                )
            if self.format == "unwrapped" and name.startswith(unwrapped.PREFIX):
                column = column.but("or a field that was added")
            if name not in self.newest and self.newest:
                column = column.but("not in the newest record")
            found[name] = column
        for name in self.key or [] if found else []:
            if name not in found:
                told, value = self.of_key.get(name, (None, None))
                column = (
                    declared(told, self.connector, settings)
                    if told
                    else self._of_catalog(name, settings)
                    or self._of_literals(Counter([kind_of(value)]))
                )
                found[name] = column.but("only in the record's key")
        return found

    def told_by_catalog(self, name: str) -> CatalogColumn | None:
        """The best source's description of a column, by its name there."""
        own = adjusted_from(self.declared.get(name) or {}) or name
        return next((table.columns[own] for table in self.catalog if own in table.columns), None)

    def catalog_type(self, name: str) -> str | None:
        """The contract type of a column by its catalog."""
        column = self.told_by_catalog(name)
        return contract_type(column.type, self.connector) if column else None

    def origin_of(self, name: str, kind: str) -> str:
        """The source that gives a column this type; empty if the records do."""
        column = self.told_by_catalog(name)
        if column is None or self.catalog_type(name) != kind:
            return ""
        return next(each.origin for each in self.catalog if column in each.columns.values())

    def _field(self, name: str) -> dict:
        """A field of the schema block, with its column's type in a catalog."""
        kind = self.catalog_type(name)
        return self.declared[name] | ({OF_CATALOG: kind} if kind else {})

    def _of_catalog(self, name: str, settings: dict[str, Any] | None) -> Column | None:
        """A column that no schema block declares, from its catalog; none if unknown there."""
        told, kind = self.told_by_catalog(name), self.catalog_type(name)
        if told is None:
            return None
        seen = self.seen.get(name, Counter())
        if kind is None:
            return self._of_literals(seen).but(f"source type {told.type or 'unknown'}")
        column = Column(kind, NOT_NULL if told.is_required else "")
        if is_sent_as(kind, seen, self.connector, settings or {}):
            return column
        sent = ", ".join(each for each in seen if each not in ("null", "unsent"))
        return column.but(f"sent as {sent}: compare the connector's settings")

    def _of_literals(self, kinds: Counter) -> Column:
        """The guess under the type's name in the connector's database."""
        column = guessed(kinds)
        name = "double" if column.type == "double precision" else column.type
        if self.connector in known.OWN_NAMES:
            own = known.first_type(self.connector, (name, "decimal"))
            return Column(own or column.type, column.remark, True)
        if not self.is_mysql:
            return column
        if column.type.endswith("[]"):  # vectors are the only arrays
            is_vector = column.type in ("bigint[]", "double precision[]")
            return Column("vector" if is_vector else "text", column.remark, True)
        if column.type == "numeric":  # without a schema block its digits are unknown
            return Column("decimal(65,30)", "precision and scale are not in the sample", True)
        remark = "or bigint unsigned" if name == "bigint" else ""
        return Column(name, column.remark, True).but(remark)

    @property
    def is_document(self) -> bool:
        return self.connector == bson.CONNECTOR

    @property
    def is_mysql(self) -> bool:
        is_known = self.connector in known.CONNECTORS
        return is_known and known.connector(self.connector).get("ddl_is_of_mysql", False)

    @property
    def is_full(self) -> bool:
        """Whether every update carries its before image, as under REPLICA IDENTITY FULL, if the
        connector's before images are not always complete."""
        if self.is_document:
            return False
        if self.identity_told:
            return self.identity_told == "full"
        is_always = known.connector(self.connector)["before_is_whole"]
        return not is_always and 0 < self.ops["u"] == self.updates_with_before

    @property
    def identity_origin(self) -> str:
        """The source that has the replica identity; empty if unknown."""
        return next((table.origin for table in self.catalog if table.replica_identity), "")

    @property
    def identity_told(self) -> str:
        """The replica identity from a catalog; empty if unknown."""
        return next(
            (table.replica_identity for table in self.catalog if table.replica_identity), ""
        )

    @property
    def replica_identity(self) -> str:
        return self.identity_told or ("full" if self.is_full else "default")

    @property
    def has_whole_images(self) -> bool:
        """Whether before images are complete, so that rows need no key."""
        return self.is_full or known.connector(self.connector)["before_is_whole"]


def _some(texts: dict[str, set[str]], name: str, text: str) -> None:
    """Keep some of the texts, short ones unchanged: enough to recognise names and operations."""
    found = texts.setdefault(name, set())
    if len(found) < 8:
        found.add(text if len(text) <= SHORT else text[:SHORT])


def _wider(left: dict, right: dict) -> bool:
    """Whether both are integers and the left one is wider."""
    if left.get("name") or right.get("name"):
        return False
    types = [PLAIN[kind].names[0] for each in (left, right) if (kind := each.get("type")) in PLAIN]
    if len(types) < 2 or not all(kind in WIDER for kind in types):
        return False
    return WIDER.index(types[0]) > WIDER.index(types[1])
