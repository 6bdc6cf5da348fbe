"""The contestant: a consumer dbt project with change log, history and current state of one table,
run in this process so that dbt and Spark are measured together."""

import contextlib
import io
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from afterimage.errors import UserError
from bench.generate import COLUMNS, TOPIC
from bench.measure import Cost, spent

REPOSITORY = Path(__file__).resolve().parents[2]
MODELS = {
    "stg_bench__orders": "change_log(source('bench', 'orders'))",
    "hist_bench__orders": "history(ref('stg_bench__orders'))",
    "cur_bench__orders": "current_state(ref('hist_bench__orders'))",
}
# what a layout costs is dbt's own work and that of its models
LAYOUTS = {
    "change log": ["stg_bench__orders"],
    "change log, history": ["stg_bench__orders", "hist_bench__orders"],
    "change log, history, current": list(MODELS),
}


@dataclass
class Run:
    """Cost of one `dbt run`: of each model, and of the rest (parsing, contracts, hooks)."""

    models: dict[str, Cost] = field(default_factory=dict)
    rest: Cost = field(default_factory=Cost)

    def of(self, layout: str) -> Cost:
        return sum((self.models[name] for name in LAYOUTS[layout]), self.rest)


@dataclass
class Consumer:
    """A dbt project in `folder` that installs this package; landing is `schema.table`."""

    folder: Path
    landing: str
    file_format: str = "parquet"
    schema: str = "bench"
    buckets: int = 8

    def write(self) -> None:
        """Writes the project anew and links the package."""
        shutil.rmtree(self.folder, ignore_errors=True)
        landing_schema, identifier = self.landing.split(".")
        models = {"+file_format": self.file_format, "+buckets": self.buckets}
        output = {"type": "spark", "method": "session", "host": "NA", "threads": 1}
        contract = {
            "topic": TOPIC,
            "key": ["order_id"],
            "columns": COLUMNS,
            "connector": "postgresql",
            "settings": {"decimal_handling_mode": "string"},
        }
        files = {
            "dbt_project.yml": {
                "name": "bench_consumer",
                "version": "1.0.0",
                "profile": "bench",
                "models": {"bench_consumer": models},
                "flags": {"send_anonymous_usage_stats": False},
            },
            "packages.yml": {"packages": [{"local": str(REPOSITORY)}]},
            "profiles.yml": {
                "bench": {
                    "target": "bench",
                    "outputs": {"bench": {**output, "schema": self.schema}},
                }
            },
            "models/sources.yml": {
                "sources": [
                    {
                        "name": "bench",
                        "schema": landing_schema,
                        "tables": [
                            {
                                "name": "orders",
                                "identifier": identifier,
                                "config": {"meta": {"cdc": contract}},
                            }
                        ],
                    }
                ]
            },
        }
        (self.folder / "models").mkdir(parents=True)
        for name, content in files.items():
            (self.folder / name).write_text(yaml.safe_dump(content, sort_keys=False))
        for name, macro in MODELS.items():
            (self.folder / "models" / f"{name}.sql").write_text(f"{{{{ afterimage.{macro} }}}}\n")
        self._dbt("deps")

    def run(self) -> Run:
        """One `dbt run` of all models, one after the other."""
        run, started = Run(), {}

        def note(event) -> None:
            if event.info.name == "NodeStart":
                started[event.data.node_info.node_name] = spent()
            elif event.info.name == "NodeFinished":
                name = event.data.node_info.node_name
                run.models[name] = spent() - started[name]

        start = spent()
        self._dbt("run", callback=note)
        run.rest = spent() - start
        for cost in run.models.values():
            run.rest -= cost
        return run

    def relation(self, model: str) -> str:
        return f"{self.schema}.{model}"

    def _dbt(self, *arguments: str, callback=None) -> None:
        from dbt.cli.main import dbtRunner

        runner = dbtRunner(callbacks=[callback] if callback else [])
        options = ["--project-dir", str(self.folder), "--profiles-dir", str(self.folder)]
        said = io.StringIO()
        # dbt changes into the project's folder
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(said):
            done = runner.invoke([*arguments, *options, "--no-use-colors"])
        if not done.success:
            raise UserError(f"dbt {arguments[0]} of the bench failed:\n{said.getvalue()[-6000:]}")
