"""A temporary dbt project, run in this process so that dbt and Spark are measured together."""

import contextlib
import io
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from afterimage.errors import UserError


@dataclass
class DbtProject:
    """A project in `folder`, whose models build into a schema; connection: how dbt reaches Spark,
    as in a profile; by default the session of this process."""

    folder: Path
    schema: str
    name: str = "bench_consumer"
    connection: Mapping[str, object] = field(
        default_factory=lambda: {"method": "session", "host": "NA"}
    )

    def write(self, config: dict, files: dict[str, dict | str]) -> None:
        """Rewrites the project. In: more of dbt_project.yml; path -> content, text or YAML."""
        shutil.rmtree(self.folder, ignore_errors=True)
        output = {"type": "spark", **self.connection, "threads": 1}
        own = {
            "dbt_project.yml": {
                "name": self.name,
                "version": "1.0.0",
                "profile": "bench",
                "flags": {"send_anonymous_usage_stats": False},
                **config,
            },
            "profiles.yml": {
                "bench": {
                    "target": "bench",
                    "outputs": {"bench": {**output, "schema": self.schema}},
                }
            },
        }
        for path, content in {**own, **files}.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
            file.write_text(text, encoding="utf-8")

    def dbt(self, *arguments: str, callback=None) -> None:
        """Runs a dbt command. Errors: UserError with the end of dbt's output."""
        from dbt.cli.main import dbtRunner

        runner = dbtRunner(callbacks=[callback] if callback else [])
        options = ["--project-dir", str(self.folder), "--profiles-dir", str(self.folder)]
        said = io.StringIO()
        # dbt changes to the project's folder
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(said):
            done = runner.invoke([*arguments, *options, "--no-use-colors"])
        if not done.success:
            raise UserError(f"dbt {arguments[0]} of the bench failed:\n{said.getvalue()[-6000:]}")
