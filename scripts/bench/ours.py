"""The contestant: a consumer dbt project with change log, history and current state of one table,
run in this process so that dbt and Spark are measured together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.dbt_project import DbtProject
from bench.generate import COLUMNS, TOPIC
from bench.measure import Cost, spent

REPOSITORY = Path(__file__).resolve().parents[2]
MODELS = {
    "stg_bench__orders": "change_log(source('bench', 'orders'))",
    "hist_bench__orders": "history(ref('stg_bench__orders'))",
    "cur_bench__orders": "current_state(ref('hist_bench__orders'))",
}
# the cost of a layout is dbt's own work and that of its models
LAYOUTS = {
    "ours_change_log": ["stg_bench__orders"],
    "ours_history": ["stg_bench__orders", "hist_bench__orders"],
    "ours_all": list(MODELS),
}


@dataclass
class Run:
    """Cost of one `dbt run`: of each model, and of the rest (parsing, contracts, hooks); sent: the
    SQL that Spark received (bench.recording.counts), where it was counted."""

    models: dict[str, Cost] = field(default_factory=dict)
    rest: Cost = field(default_factory=Cost)
    sent: dict[str, int] = field(default_factory=dict)

    def of(self, layout: str) -> Cost:
        return sum((self.models[name] for name in LAYOUTS[layout]), self.rest)


@dataclass
class Consumer:
    """A dbt project in `folder` that installs this package; landing is `schema.table`, for a table
    with these columns and types."""

    folder: Path
    landing: str
    file_format: str = "parquet"
    schema: str = "bench"
    columns: Mapping[str, str] = field(default_factory=lambda: COLUMNS)
    connection: Mapping[str, object] | None = None

    def __post_init__(self):
        options = {"connection": self.connection} if self.connection else {}
        self._project = DbtProject(self.folder, self.schema, **options)

    def write(self) -> None:
        """Rewrites the project and links the package."""
        landing_schema, identifier = self.landing.split(".")
        models = {"+file_format": self.file_format}
        contract = {
            "topic": TOPIC,
            "key": ["order_id"],
            "columns": dict(self.columns),
            "connector": "postgresql",
            "settings": {"decimal_handling_mode": "string", "skipped_operations": ["none"]},
        }
        tables = [
            {
                "name": "orders",
                "identifier": identifier,
                "config": {"meta": {"cdc": contract}},
            }
        ]
        sources = [{"name": "bench", "schema": landing_schema, "tables": tables}]
        files = {
            "packages.yml": {"packages": [{"local": str(REPOSITORY)}]},
            "models/sources.yml": {"sources": sources},
        }
        for name, macro in MODELS.items():
            files[f"models/{name}.sql"] = f"{{{{ afterimage.{macro} }}}}\n"
        self._project.write({"models": {"bench_consumer": models}}, files)
        self._project.dbt("deps")

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
        self._project.dbt("run", callback=note)
        run.rest = spent() - start
        for cost in run.models.values():
            run.rest -= cost
        return run

    def relation(self, model: str) -> str:
        return f"{self.schema}.{model}"
