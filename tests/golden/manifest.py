"""The rules of the house, held against dbt's manifest.

Models: described, their columns too, named after the folder of their layer, reading only from the
layers below, no alias twice. Public macros: described, in a file of their own name or of the family
that file holds. Macros whose name begins with `_`: called within their folder only. The core: calls
nothing of what is built on it.
"""

import re
from collections import defaultdict
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "afterimage"
# Folder of a layer -> prefixes of its models, and of what they may read besides their own layer.
LAYERS = {
    "staging": (("stg_",), ("source",)),
    "history": (("hist_",), ("stg_",)),
    "current": (("cur_",), ("stg_", "hist_")),
    "quality": (("dq_",), ("source", "stg_", "hist_", "cur_")),
    "marts": (("fct_", "dim_"), ("hist_", "cur_")),
}
# Made by macros from lists: their columns are described where the macros are.
NO_COLUMNS = ("dq_",)
# Folders of macros that call the core, which is all others, and are never called by it.
BUILT_ON_CORE = ("control", "outbox", "quality", "tests")
# Files that hold a family of small public macros, and so have the family's name.
FAMILIES = {
    "macros/change_log/change_log.sql": "the model and its retry stamp",
    "macros/change_log/change_log_state.sql": "what a change log remembers, and how it is read",
    "macros/change_log/recognised_changes.sql": "which changes are new, and their rows",
    "macros/change_log/seen_in_batches.sql": "what is counted, remembered and read of batches",
    "macros/contract/cdc_columns.sql": "the columns of each layer",
    "macros/contract/contract_columns.sql": "a contract's columns with their decoders",
    "macros/contract/contract_keys.sql": "keys and settings",
    "macros/contract/contract_of.sql": "ways to a contract",
    "macros/contract/declared_columns.sql": "columns, and the names that models have for them",
    "macros/contract/helper_tables.sql": "kinds of helpers, by name and as a contract tells them",
    "macros/contract/operations.sql": "what is asked of the letters of operations",
    "macros/contract/validate_contracts.sql": "the faults of one table and of all",
    "macros/decode/decoder.sql": "types, and placeholders in templates",
    "macros/decode/placeholder_bytes.sql": "the mark of what was not sent, in each type's form",
    "macros/decode/plain_value.sql": "what is plainly of its type: its value, and how it is read",
    "macros/forms/avro/avro_records.sql": "the CTEs, the id of a schema and the text of a side",
    "macros/forms/avro/declared_in_avro.sql": "of one column, and the fields of a row",
    "macros/forms/debezium_json/debezium_json_routine.sql": "the form, and what follows its rows",
    "macros/forms/document/document_envelope.sql": "the CTEs, their texts and the type of these",
    "macros/forms/envelope_images.sql": "the images of an envelope and their type",
    "macros/forms/landed_columns.sql": "what forms take of a record, as landed and parsed",
    "macros/forms/record_format.sql": "formats, and the traits of one",
    "macros/forms/record_of_connector.sql": "what the connector writes besides, read and landed",
    "macros/forms/row_image_type.sql": "the type of an image, its members, and the image",
    "macros/forms/unwrapped/added_fields.sql": "fields and headers that were added",
    "macros/forms/unwrapped/reports_position.sql": "whether records tell their place, and deletes",
    "macros/forms/unwrapped/unwrapped.sql": "the form's CTEs, what was added, and its connector",
    "macros/forms/unwrapped/unwrapped_routine.sql": "the form, and what follows its row",
    "macros/history/carry_forward.sql": "filling in, and where there is nothing to fill in",
    "macros/history/fold_rules.sql": "the rules, and the CTEs of those that hold",
    "macros/history/intervals.sql": "what lies between places, and how a version tells it",
    "macros/history/key_changes_seen.sql": "what a change log holds of them",
    "macros/history/place_of_change.sql": "a place as a change has it, or a truncate",
    "macros/history/progress.sql": "where a history goes on, and with what",
    "macros/history/versions.sql": "versions to append, versions in one step, and the way to both",
    "macros/landing/long_numbers_quoted.sql": "objects with long numbers, how long, and where",
    "macros/landing/new_records.sql": "which records are new, and the join on their place",
    "macros/landing/region_read.sql": "a region of landing, from its checksum to its condition",
    "macros/materializations/cdc_current.sql": "its statements",
    "macros/operator/epochs.sql": "epochs, and places within them",
    "macros/operator/operator_events.sql": "the table of operator events and its faults",
    "macros/operator/operator_rows.sql": "operator events in a change log",
    "macros/order/image_hash.sql": "the hash of an image and of an identity",
    "macros/order/key_text.sql": "keys of rows",
    "macros/outbox/json_values.sql": "what a JSON text is and says",
    "macros/outbox/outbox_of.sql": "ways to a declared outbox",
    "macros/outbox/outbox_topics.sql": "topics by name and by form",
    "macros/quality/accounting.sql": "counts and topics without a table",
    "macros/quality/images_not_as_declared.sql": "of changes, and what is asked of each",
    "macros/quality/several_source_tables.sql": "the tables, and those that are several",
    "macros/records/expected_form.sql": "what a record looks like, as known and as told",
    "macros/records/judged_records.sql": "the verdicts and their columns",
    "macros/records/key_alone_before.sql": "rows before that are told by their key alone",
    "macros/records/records_read_by.sql": "the statement, and whether it reads schemas of records",
    "macros/records/schema_misfits.sql": "of a schema block, and of a schema in Avro",
    "macros/records/reported_snapshot.sql": "what a record says of one, and a first one's words",
    "macros/state/current_state.sql": "the model and what it replaces",
    "macros/support/ask.sql": "what is sent to Spark, with and without rows, or not at all",
    "macros/support/carry_out_fold.sql": "the statement, and its settings on each engine",
    "macros/support/check_format.sql": "the check, and the session on each engine",
    "macros/support/companion_table.sql": "what stands beside a model, and its schema",
    "macros/support/driver_identity.sql": "what Spark says of itself, and of other drivers",
    "macros/support/ensure_table.sql": "how a table is made, and whether one stands as it would be",
    "macros/support/ensure_view.sql": "a view, and whether it stands",
    "macros/support/fill_working_table.sql": "working tables from their making to their end",
    "macros/support/listed_relation.sql": "names of relations, and what the catalog lists",
    "macros/support/lock.sql": "the lock, whose it is, and whether it holds",
    "macros/support/log_of.sql": "the log a view stands over, the one to come, the former one",
    "macros/support/maintain.sql": "maintenance, by format, and what it leaves when cut off",
    "macros/support/run_state.sql": "what has been built so far",
    "macros/support/table_format.sql": "formats, a model's own, and what follows from it",
    "macros/support/text.sql": "literals, names, log lines",
    "macros/tests/cdc_no_placeholder_left.sql": "the test and what it looks for",
}


def faults_of(manifest) -> list[str]:
    """Every fault, a line each. In: the parsed project."""
    models = [
        node
        for node in manifest.nodes.values()
        if node.resource_type == "model" and node.package_name == PACKAGE
    ]
    macros = [macro for macro in manifest.macros.values() if macro.package_name == PACKAGE]
    faults = [
        *(fault for model in models for fault in model_faults(model)),
        *alias_faults(models),
        *macro_faults(macros),
        *privacy_faults(macros),
        *room_faults(macros),
        *patch_faults(macros),
    ]
    return sorted(faults)


def model_faults(model) -> list[str]:
    """Description, name and lineage of one model."""
    faults = []
    if model.patch_path and not model.description.strip():
        faults.append("has no description")
    if model.patch_path and not model.name.startswith(NO_COLUMNS):
        if not model.columns:
            faults.append("describes no column (afterimage model-yaml writes them)")
        for column in model.columns.values():
            if not column.description.strip():
                faults.append(f"column {column.name} has no description")
    layer = model.fqn[1]
    if layer not in LAYERS:
        faults.append(f"lies in models/{layer}, which is no layer: {', '.join(LAYERS)}")
    else:
        prefixes, below = LAYERS[layer]
        if not model.name.startswith(prefixes):
            faults.append(f"lies in models/{layer}; its name should begin with {shown(prefixes)}")
        for unique_id in model.depends_on.nodes:
            kind, *_, name = unique_id.split(".")
            read = "source" if kind == "source" else name
            if not read.startswith((*below, *prefixes)):
                faults.append(f"reads {name}; models/{layer} may read {shown(below)} only")
    return [f"{model.original_file_path}: {model.name} {fault}" for fault in faults]


def alias_faults(models: list) -> list[str]:
    """One session has one name for a model's scratch view, whatever its schema."""
    by_alias = defaultdict(list)
    for model in models:
        by_alias[model.alias].append(model)
    return [
        f"{model.original_file_path}: the alias {alias} is that of {len(same)} models"
        for alias, same in by_alias.items()
        if len(same) > 1
        for model in same
    ]


def patch_faults(macros: list) -> list[str]:
    """Macros that the YAML describes and nobody has: dbt would warn every user of the package."""
    path = ROOT / "macros" / "_macros.yml"
    described = yaml.safe_load(path.read_text(encoding="utf-8"))["macros"]
    there = {macro.name for macro in macros}
    return [
        f"{path.relative_to(ROOT)}: describes {entry['name']}, which is no macro"
        for entry in described
        if entry["name"] not in there
    ]


def macro_faults(macros: list) -> list[str]:
    """Comment and file of each public macro; families that are none any more."""
    faults, files = [], defaultdict(set)
    for macro in macros:
        path = Path(macro.original_file_path)
        # dbt names a materialization and a generic test after their kind too.
        name = re.sub(r"^materialization_(\w+)_spark$|^test_(\w+)$", r"\1\2", macro.name)
        if name.startswith("_"):
            continue
        files[str(path)].add(name)
        if name != path.stem and str(path) not in FAMILIES:
            faults.append(
                f"{path}: public macro {name} stands in a file of another name; give it a file of "
                "its own, or list the file as a family in tests/golden/manifest.py"
            )
        before = (ROOT / path).read_text(encoding="utf-8").split(opening(macro.name))[0]
        if not before.rstrip().endswith("#}"):
            faults.append(f"{path}: public macro {name} has no comment above it")
    faults += [
        f"tests/golden/manifest.py: {path} is listed as a family and is none"
        for path in FAMILIES
        if len(files[path]) < 2
    ]
    return faults


def privacy_faults(macros: list) -> list[str]:
    """Macros whose name begins with `_` and that another folder calls."""
    folders = {macro.unique_id: Path(macro.original_file_path).parent for macro in macros}
    return [
        f"{macro.original_file_path}: {macro.name} calls {called.rpartition('.')[2]}, which is "
        f"private to {folders[called]}; give it a public name"
        for macro in macros
        for called in macro.depends_on.macros
        if called.rpartition(".")[2].startswith("_")
        and folders.get(called, folders[macro.unique_id]) != folders[macro.unique_id]
    ]


def room_faults(macros: list) -> list[str]:
    """Calls from the core to what is built on it."""
    rooms = {macro.unique_id: Path(macro.original_file_path).parts[1] for macro in macros}
    return [
        f"{macro.original_file_path}: {macro.name} is of the core and calls "
        f"{called.rpartition('.')[2]} of macros/{rooms[called]}, which is built on it"
        for macro in macros
        for called in macro.depends_on.macros
        if rooms[macro.unique_id] not in BUILT_ON_CORE and rooms.get(called) in BUILT_ON_CORE
    ]


def opening(name: str) -> str:
    """How the definition of a macro begins in its file."""
    for kind in ("materialization", "test"):
        if name.startswith(f"{kind}_"):
            bare = name.removeprefix(f"{kind}_").removesuffix("_spark")
            return f"{{% {kind} {bare}"
    return f"{{% macro {name}("


def shown(prefixes: tuple[str, ...]) -> str:
    return " or ".join(prefixes)
