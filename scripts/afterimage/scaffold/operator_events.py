"""The seed of operator events, without rows: all change logs read it, so an operator only adds one.

The example project has the same files, the YAML under models/: dbt would take one under seeds/ for
a second description of an installing project's own seed.
"""

import json
from collections.abc import Iterator

from afterimage.outcomes import DOCS_INSTALLED
from afterimage.scaffold.known import MACROS
from afterimage.scaffold.output import Output
from afterimage.scaffold.words import yaml

NAME = "operator_events"
YAML = """\
seeds:
  - name: {name}
    description: >-
      What no stream contains, declared by an operator, one row per event: a restored database,
      a complete snapshot, a row that is gone or to be forgotten
      ({docs}/concepts/operator-events.md).
    config:
      # without types a position is loaded as a number and loses its zeros
      column_types:
{types}
    columns:
{columns}
"""


def write_operator_events(output: Output) -> Iterator[str]:
    """Write the seed if the project has nothing of that name; later it is the user's.

    Out: what was written.
    """
    file = output.root / "dbt_project.yml"
    project = yaml().load(file.read_text("utf-8")) if file.is_file() else None
    folders = (project or {}).get("seed-paths") or ["seeds"]
    files = [each for path in (*folders, "models") for each in output.root.glob(f"{path}/**/*.*")]
    if any(each.stem == NAME and each.suffix in (".csv", ".sql", ".py") for each in files):
        return
    for suffix, text in seed().items():
        yield output.put(output.root / folders[0] / (NAME + suffix), text)


def seed() -> dict[str, str]:
    """Suffix → text of the files."""
    names = MACROS.operator_event_columns()
    columns = [
        f"      - name: {name}\n        description: {_sentence(content)}"
        for name, content in names.items()
    ]
    types = [f"        {name}: string" for name in names]
    text = YAML.format(
        docs=DOCS_INSTALLED, name=NAME, types="\n".join(types), columns="\n".join(columns)
    )
    return {".csv": ",".join(names) + "\n", ".yml": text}


def _sentence(text: str) -> str:
    return json.dumps(f"{text[0].upper()}{text[1:]}.", ensure_ascii=False)
