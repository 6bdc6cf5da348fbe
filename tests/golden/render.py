"""Renders the example's models and the samples with dbt in this process; no Spark is started."""

import contextlib
import io
import re
import tempfile
from functools import cache
from pathlib import Path

from dbt.cli.main import dbtRunner

from tests.golden.samples import SAMPLES, SETUP

ROOT = Path(__file__).resolve().parents[2]
# Models with the same form as another: left out, for speed.
LIKE_OTHERS = re.compile(r"(stg|hist|cur)_shop__(orders|order_lines|carts)|hist_shop__products")
# random in each run
GENERATION = re.compile(r"generation [0-9a-f-]{36}")


@cache
def parsed():
    """The project, parsed once in a process: dbt's manifest.

    Errors: RuntimeError with what dbt said.
    """
    return _dbt(["parse"]).result


@cache
def rendered() -> dict[str, str]:
    """What each model of the example and each sample renders to: name → SQL.

    Errors: RuntimeError with what dbt said.
    """
    templates = {
        node.name: _without_questions(node.raw_code)
        for node in parsed().nodes.values()
        if node.resource_type == "model" and node.package_name == "afterimage"
        if not LIKE_OTHERS.fullmatch(node.name)
    }
    templates |= {name: _as_model(_laid_out(template)) for name, template in SAMPLES.items()}
    found = {}
    for name, template in sorted(templates.items()):
        command = ["compile", "--inline", template, "--no-populate-cache", "--no-introspect"]
        done = _dbt(command, parsed())
        text = done.result.results[0].node.compiled_code.strip() + "\n"
        found[name] = GENERATION.sub("generation <drawn by the run>", text)
    return found


def _laid_out(template: str) -> str:
    """Formatted as it is sent, see laid_out."""
    return f"{{% set sql %}}{template}{{% endset %}}{{{{ afterimage.laid_out(sql) }}}}"


def _as_model(template: str) -> str:
    """dbt learns references while it parses; contracts exist only afterwards."""
    if not re.search(r"\b(contract|bag|outbox)\b", template):
        return template
    asked = ", ".join(re.findall(r"(?:ref|source)\([^)]*\)", template))
    return f"{{% do [{asked}] %}}{{% if execute %}}{SETUP}{template}{{% endif %}}"


def _without_questions(template: str) -> str:
    """A quality model queries its landing table's columns, unless they are given as text."""
    if "afterimage.change_log" in template:
        return template
    return re.sub(r"source\('(\w+)', '(\w+)'\)", r"'\1.\2'", template)


def _dbt(command: list[str], manifest=None):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), tempfile.TemporaryDirectory() as folder:
        options = [
            *("--project-dir", str(ROOT), "--profiles-dir", str(ROOT / "profiles")),
            *("--target", "ci", "--target-path", folder, "--log-path", folder),
            *("--quiet", "--no-write-json"),
        ]
        done = dbtRunner(manifest=manifest).invoke([*command, *options])
    if not done.success:
        raise RuntimeError(f"dbt {' '.join(command)}\n{said.getvalue()}{done.exception or ''}")
    return done
