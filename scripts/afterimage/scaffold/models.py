"""The models of a table: one line each."""

from afterimage.scaffold.output import Output
from afterimage.scaffold.topic import Topic

MODELS = {
    "models/staging/{source}/stg_{name}.sql": (
        "change_log(source('{source}', '{table}'), operator_events=ref('operator_events'))"
    ),
    "models/history/{source}/hist_{name}.sql": "history(ref('stg_{name}'))",
    "models/current/{source}/cur_{name}.sql": "current_state(ref('hist_{name}'))",
}


def write_models(output: Output, source: str, table: str, topic: Topic, force: bool) -> list[str]:
    """Write the models of a table. Out: what was written, and what was left."""
    said = []
    name = f"{source}__{table}".lower()  # Spark's catalog has only lower case
    models = MODELS
    if not topic.key and not topic.has_whole_images:
        said.append(
            f"{topic.name} has neither key nor before images: only its change log is written, as "
            "history and current state cannot distinguish its rows"
        )
        models = dict(list(MODELS.items())[:1])
    for path, call in models.items():
        file = output.root / path.format(source=source, name=name)
        text = "{{ afterimage." + call.format(source=source, table=table, name=name) + " }}\n"
        shown = file.relative_to(output.root)
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            said.append(f"unchanged {shown}")
        elif file.is_file() and not force:
            said.append(f"left {shown} as it is, though it differs; --force overwrites it")
        else:
            said.append(output.put(file, text))
    return said
