"""The schemas of a registry from files.

*.zip           an export of Apicurio Registry (GET …/apis/registry/v3/admin/export)
*.avsc          a schema; its name has subject and id: shop.orders-value.17.avsc, or 17.avsc
*.json, *.jsonl objects with id (or globalId, contentId), subject (or artifactId) and schema, in
                a list or one per line: responses of Confluent's API, and values of its
                topic _schemas
"""

import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from afterimage.errors import UserError
from afterimage.schemas.entry import Entry, Passed, entry, why_not


def entries_of_files(
    paths: Sequence[Path], ids: str | None = None, passed: list[Passed] | None = None
) -> Iterator[Entry]:
    """The entries of files, and of the files in folders.

    In: paths; `globalId` (default) or `contentId`, for files with both; a list that receives the
    versions that are not Avro or refer to others.
    Errors: UserError for a file of another format, with its name and what is missing.
    """
    passed = [] if passed is None else passed
    for path in paths:
        found = sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]
        if not found:
            raise UserError(f"{path}: no files in this folder")
        for file in found:
            yield from _entries(file, ids or "globalId", passed)


def _entries(path: Path, ids: str, passed: list[Passed]) -> Iterator[Entry]:
    read = {".zip": _export, ".avsc": _schema, ".json": _objects, ".jsonl": _objects}
    if path.suffix not in read:
        raise UserError(f"{path}: no .avsc, .json, .jsonl or .zip")
    yield from read[path.suffix](path, ids, passed)


def _schema(path: Path, _ids: str, _passed: list[Passed]) -> Iterator[Entry]:
    subject, _, number = path.stem.rpartition(".")
    if not number.isdecimal():
        raise UserError(
            f"{path}: the name does not end with the id of the schema: shop.orders-value.17.avsc"
        )
    yield entry(str(path), number, subject or None, None, _text(path))


def _objects(path: Path, ids: str, passed: list[Passed]) -> Iterator[Entry]:
    text = _text(path)
    try:
        whole = text.lstrip().startswith("[")
        objects = json.loads(text) if whole else [json.loads(x) for x in text.split("\n") if x]
    except json.JSONDecodeError as error:
        raise UserError(f"{path}: neither JSON nor one JSON object a line ({error})") from None
    for number, fields in enumerate(objects, 1):
        where = f"{path}: entry {number}"
        if not isinstance(fields, dict) or "schema" not in fields:
            raise UserError(f"{where} has no `schema`")
        subject = next(
            (fields[n] for n in ("subject", "artifactId", "artifact") if n in fields), None
        )
        if why := why_not(fields.get("schemaType"), fields.get("references")):
            passed.append(Passed(subject, why))
            continue
        given = fields.get(ids, fields.get("id"))
        yield entry(where, given, subject, fields.get("version"), fields["schema"])


def _export(path: Path, ids: str, passed: list[Passed]) -> Iterator[Entry]:
    """Versions refer to their content by id, and contents to their data by hash; the artifact has
    the type."""
    try:
        with zipfile.ZipFile(path) as export:
            names = export.namelist()
            contents = {
                content["contentId"]: (name.removesuffix(".json") + ".data", content)
                for name in names
                if name.endswith(".Content.json")
                for content in [json.loads(export.read(name))]
            }
            kinds = {
                (artifact.get("groupId"), artifact["artifactId"]): artifact.get("artifactType")
                for name in names
                if name.endswith(".Artifact.json")
                for artifact in [json.loads(export.read(name))]
            }
            for name in names:
                if not name.endswith(".ArtifactVersion.json"):
                    continue
                version = json.loads(export.read(name))
                data, content = contents[version["contentId"]]
                kind = kinds.get((version.get("groupId"), version["artifactId"]))
                references = json.loads(content.get("serializedReferences") or "[]")
                if why := why_not(kind or content.get("artifactType"), references):
                    passed.append(Passed(version["artifactId"], why))
                    continue
                schema = export.read(data).decode()
                yield entry(
                    f"{path}: {name}",
                    version[ids],
                    version["artifactId"],
                    version["version"],
                    schema,
                )
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UserError(
            f"{path}: not an export of Apicurio Registry 3 ({type(error).__name__}: {error})"
        ) from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 text ({error})") from None
