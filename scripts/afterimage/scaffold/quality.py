"""The quality models of a source: the outcome of each landed record, over all its change logs.

They name every change log of the source by ref(), so that the graph is right. A later scaffold adds
new change logs; a file that a user has edited stays, and what it lacks is reported.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from afterimage.scaffold.output import Output

# Up to so many change logs the model is a view, else a table: a catalog on Derby, as an embedded
# session has it, holds no longer text (see refuse_long_view.sql). The quarantine is the longest.
AS_VIEW = 7
# macro -> the model's name after dq_<source>__, and whether the macro takes the landing tables too
MODELS = {
    "accounting": ("accounting", True),
    "quarantine": ("quarantine", True),
    "accounting_by_run": ("runs", False),
}
YAML = """\
models:
  - name: dq_{source}__accounting
    description: Where every record of {source} went; one row per topic, outcome and kind.
    data_tests:
      - afterimage.cdc_conservation
  - name: dq_{source}__quarantine
    description: One row per refused record of {source}.
    data_tests:
      - afterimage.cdc_refused_at_most:
          config: {{severity: warn}}
      - afterimage.cdc_no_row_behind
  - name: dq_{source}__runs
    description: What each run did; one row per table of {source}, run, outcome and kind.
    data_tests:
      - afterimage.cdc_runs_add_up:
          arguments: {{accounting: ref('dq_{source}__accounting')}}
"""


def write_quality(
    output: Output, source: str, landings: Sequence[str], force: bool
) -> Iterator[str]:
    """Write the quality models of a source and their tests.

    In: where files go; the dbt source; a table of the source for each landing table it reads;
    whether to overwrite files that differ. Out: what was written, and what was left.
    """
    root = output.root
    texts = {
        file: file.read_text(encoding="utf-8") for file in sorted(root.glob("models/**/*.sql"))
    }
    call = re.compile(rf"afterimage\.change_log\(\s*source\(\s*['\"]{re.escape(source)}['\"]\s*,")
    logs = sorted(file.stem for file, text in texts.items() if call.search(text))
    for macro, (name, takes_landing) in MODELS.items():
        of_landing = landings if takes_landing else ()
        model = f"dq_{source}__{name}"
        usual = root / f"models/quality/{source}/{model}.sql"
        file = next((each for each in texts if each.stem == model), usual)
        before = texts.get(file)
        known = re.findall(r"\bref\(\s*['\"](\w+)['\"]\s*\)", before or "")
        read = re.findall(r"\bsource\(\s*['\"]\w+['\"]\s*,\s*['\"](\w+)['\"]\s*\)", before or "")
        missing = [f"ref('{log}')" for log in logs if log not in known]
        missing += [f"source('{source}', '{table}')" for table in of_landing if table not in read]
        shown = file.relative_to(root)
        if before is not None and not missing:
            yield f"unchanged {shown}"
        elif before in (None, _model(macro, source, known, read)) or force:
            yield output.put(file, _model(macro, source, sorted({*known, *logs}), of_landing))
        else:
            yield f"left {shown} as it is: it lacks {', '.join(missing)}"
    file = root / f"models/quality/{source}/_{source}__quality.yml"
    names = [f"dq_{source}__{name}" for name, _ in MODELS.values()]
    if not any(_describes(each, names) for each in root.glob("models/**/*.y*ml")):
        yield output.put(file, YAML.format(source=source))


def _model(macro: str, source: str, logs: Sequence[str], landings: Sequence[str]) -> str:
    refs = "".join(f"\n        ref('{log}')," for log in logs)
    over = ", ".join(f"source('{source}', '{table}')" for table in landings)
    lists = f"    [{refs}\n    ]" + (f",\n    [{over}]" if landings else "")
    text = f"{{{{ afterimage.{macro}(\n{lists}\n) }}}}\n"
    return "{{ config(materialized='table') }}\n" + text if len(logs) > AS_VIEW else text


def _describes(file: Path, models: Sequence[str]) -> bool:
    text = file.read_text(encoding="utf-8")
    return any(re.search(rf"name:\s*['\"]?{name}\b", text) for name in models)
