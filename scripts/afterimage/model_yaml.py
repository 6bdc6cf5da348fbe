"""The YAML of the models, made from their contracts: names, types and descriptions of the columns.

Written beside each model, or into the file that describes it already. What the person wrote there
stays: tests, tags, comments, and descriptions beyond the part that is made.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from afterimage.columns import meanings
from afterimage.contract import read_contracts
from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.invoke import operation
from afterimage.scaffold.words import dumped, literal, yaml

# A business column's description begins with its source type, and its name there where that is
# another one; what follows is the person's own, or what the source's YAML says of the column.
MADE = re.compile(r'^`[^`]*` of the source(?:, called ".*?" there)?\.\s*')
# What the rows of a model lack if the connector leaves an operation out (skipped.operations).
UNSEEN = {
    "c": " The connector leaves out inserts: a row is seen from its first update on.",
    "u": " The connector leaves out updates: a row stays as it was inserted or read.",
    "d": " The connector leaves out deletes: a row that was deleted at the source stays.",
    "t": " The connector leaves out truncates: rows that a TRUNCATE took at the source stay.",
}


@dataclass(frozen=True)
class Model:
    """A change log, history or current table, as the macro model_columns reports it."""

    name: str
    path: str
    patch_path: str | None
    layer: str
    source_name: str
    table_name: str
    source_description: str
    key: list[str]
    skipped: list[str]
    laws: dict[str, dict[str, str]]
    columns: list[dict[str, Any]]

    @property
    def yaml_path(self) -> str:
        """The file that describes the model, relative to the project."""
        if self.patch_path:
            return self.patch_path.split("://", 1)[-1]
        return str(Path(self.path).with_suffix(".yml"))

    @property
    def description(self) -> str:
        """What it is, its grain, what the connector never sends, and the source's comment."""
        unseen = "".join(said for each, said in UNSEEN.items() if each in self.skipped)
        own = literal(self.source_description)
        return f"{self._grain}{unseen}\n\n{own}" if own else f"{self._grain}{unseen}"

    @property
    def _grain(self) -> str:
        table = f"{self.source_name}.{self.table_name}"
        key = ", ".join(f"`{name}`" for name in self.key)
        if self.layer == "cdc_change_log":
            return f"Change log of {table}: one row per accepted change event."
        if self.layer == "cdc_history":
            grain = f"one row per version of {key}" if key else "one row per version of a row"
            return f"History of {table}: {grain}, valid from `valid_from` until `valid_to`."
        if any(column["name"] == "_cdc_is_deleted" for column in self.columns):
            return (
                f"Current state of {table}: one row per existing or deleted row, by {key}; "
                "equals the source table where `_cdc_is_deleted` is false."
            )
        grain = f"one row per live row, by {key}" if key else "one row per live row, duplicates too"
        return f"Current state of {table}: {grain}; equals the source table."


def models(target: str | None = None) -> list[Model]:
    """The models of the project in the working directory.

    Errors: UserError with what dbt says, or with the file whose contracts cannot be read.
    """
    try:
        printed = operation("model_columns", target, queries=False)
    except UserError:
        # dbt does not always name the file
        for path in sorted(Path("models").rglob("*.y*ml")):
            read_contracts(path, yaml())
        raise
    return sorted((Model(**each) for each in json.loads(printed[-1])), key=lambda model: model.path)


def write_models(root: Path, target: str | None = None) -> list[str]:
    """Write the YAML of every model; out: what there is to say."""
    found = models(target)
    made = _made(root, found)
    written = []
    for path, text in made.items():
        file = root / path
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            written.append(path)
    said = [f"wrote {path}" for path in written]
    return [
        *said,
        f"{counted(len(found), 'model')}, {len(written)} of {counted(len(made), 'file')} written",
    ]


def drifted_models(root: Path, target: str | None = None) -> list[tuple[str, str]]:
    """Name and file of each model whose YAML is not what its contract makes."""
    drifted = []
    for model in models(target):
        file = root / model.yaml_path
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        if _described(text, model) != text:
            drifted.append((model.name, model.yaml_path))
    return drifted


def _made(root: Path, found: list[Model]) -> dict[str, str]:
    """Each file's text; a file may describe several models."""
    texts: dict[str, str] = {}
    for model in found:
        path = model.yaml_path
        if path not in texts:
            file = root / path
            texts[path] = file.read_text(encoding="utf-8") if file.is_file() else ""
        texts[path] = _described(texts[path], model)
    return texts


def _described(text: str, model: Model) -> str:
    """The text of a YAML file with the model's entry as its contract makes it."""
    try:
        document = yaml().load(text) if text.strip() else None
    except YAMLError as error:
        raise UserError(f"{model.yaml_path} cannot be read as YAML: {error}") from error
    if document is None:
        document = CommentedMap()
    entries = document.setdefault("models", CommentedSeq())
    entry = next((each for each in entries if each.get("name") == model.name), None)
    before = _plain(entry)
    if entry is None:
        entry = CommentedMap(name=model.name, data_tests=_tests(model))
        entries.append(entry)
    _describe(entry, model)
    # Where nothing has drifted the person's own layout of the file stays.
    return text if _plain(entry) == before else dumped(document)


def _tests(model: Model) -> CommentedSeq:
    """The laws that hold of a model, as dbt has tests."""
    tests = CommentedSeq()
    for name, arguments in model.laws.items():
        test = f"afterimage.{name}"
        tests.append({test: {"arguments": arguments}} if arguments else test)
    return tests


def _describe(entry: CommentedMap, model: Model) -> None:
    """Bring a model's entry in line with its contract."""
    if not str(entry.get("description") or "").strip():
        _put(entry, "description", model.description, 1)
    config = entry.get("config")
    if config is None:
        config = CommentedMap()
        _put(entry, "config", config, 2)
    contract = config.setdefault("contract", CommentedMap())
    contract["enforced"] = True
    there = {_name(column): column for column in entry.get("columns") or []}
    columns = entry.get("columns")
    if columns is None:
        columns = entry["columns"] = CommentedSeq()
    wanted = []
    for column in model.columns:
        known = there.get(column["name"])
        each = known if known is not None else CommentedMap(name=literal(column["name"]))
        _describe_column(each, column)
        wanted.append(each)
    if [id(each) for each in columns] != [id(each) for each in wanted]:
        # Comments between columns hang on the entries and move with them.
        columns[:] = wanted


def _describe_column(each: CommentedMap, column: dict[str, Any]) -> None:
    _put(each, "data_type", column["data_type"], 1)
    if column["quote"]:
        _put(each, "quote", True, 2)
    else:
        each.pop("quote", None)
    text = str(each.get("description") or "").strip()
    if column["source_type"] is None:
        if not text:
            text = _words(column["name"])
    else:
        name = column.get("source_name")
        called = f', called "{literal(name)}" there' if name else ""
        own = MADE.sub("", text) or literal(column.get("source_description") or "")
        text = f"`{column['source_type']}` of the source{called}. {own}".strip()
    if text != str(each.get("description") or "").strip():
        _put(each, "description", text, 3 if column["quote"] else 2)


def _words(name: str) -> str:
    """What a column of afterimage's is: a doc block, but for those that a contract names."""
    if name in meanings():
        return f'{{{{ doc("{name}") }}}}'
    if name.startswith("_cdc_header_"):
        return "Kafka header of that name (`_` for all but letters and digits), as text."
    return f"`{name.removeprefix('_cdc_source_')}` of the event's `source`, as text."


def _put(entry: CommentedMap, name: str, value: Any, position: int) -> None:
    if name in entry:
        entry[name] = value
    else:
        entry.insert(min(position, len(entry)), name, value)


def _name(column: CommentedMap) -> str:
    return str(column.get("name")).removeprefix("{% raw %}").removesuffix("{% endraw %}")


def _plain(entry: Any) -> Any:
    """Values alone, for comparing, keys in their order."""
    return None if entry is None else json.dumps(entry, default=str)
