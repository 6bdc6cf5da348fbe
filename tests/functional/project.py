"""A throw-away dbt project that installs this package as a user does, run in the test's process.

project = Project(folder, ...)      # writes dbt_project.yml, packages.yml, sources, models
project.land(records)               # appends records to the landing table
project.run("run")                  # any dbt command; DbtFailed has dbt's messages
project.rows("cur_shop__orders")    # rows as dicts
"""

import contextlib
import csv
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import yaml

from tests.server import ServerSession
from tests.session import (
    append_rows,
    file_format_of,
    profile_of,
    read_rows,
    views_of,
    warehouse_of,
)

REPOSITORY = Path(__file__).resolve().parents[2]
LAYERS = {
    "stg": "change_log(source('{source}', '{table}'))",
    "hist": "history(ref('stg_{source}__{table}'))",
    "cur": "current_state(ref('hist_{source}__{table}'))",
}

LANDING_DDL = """create table if not exists {table} (
    topic string, partition int, offset bigint, timestamp timestamp, key binary, value binary,
    headers array<struct<key: string, value: binary>>, file string, line bigint
) using {file_format}"""


class DbtFailed(AssertionError):  # noqa: N818
    """A dbt command failed; the text holds dbt's messages."""


@dataclass
class Project:
    """A consumer project in `folder`.

    source: name of the dbt source; source_contract: `cdc` meta of the source; tables: name -> `cdc`
    meta of the table; outboxes: the same of `outbox` meta; layers: which models each table gets;
    landing: landing table (schema.table); landing_format: what it is made of;
    operator_events: rows of the seed of that name, which all change logs then read (`run("seed")`).
    """

    folder: Path
    spark: object
    source: str
    source_contract: dict
    tables: dict[str, dict]
    schema: str = "analytics"
    landing: str = "landing.events"
    landing_format: str = "parquet"
    layers: dict[str, list[str]] = field(default_factory=dict)
    model_config: dict = field(default_factory=dict)
    extra_models: dict[str, str] = field(default_factory=dict)
    operator_events: list[dict[str, str]] | None = None
    outboxes: dict[str, dict] = field(default_factory=dict)
    said: list[str] = field(default_factory=list, init=False)  # by the package in the last command

    def __post_init__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.write()
        self.spark.sql(f"create database if not exists {self.landing.split('.')[0]}")
        self.make_landing()

    def make_landing(self):
        """Creates the landing table, empty, if it does not exist."""
        self.spark.sql(LANDING_DDL.format(table=self.landing, file_format=self.landing_format))

    def write(self):
        """(Re)writes the project's files from the fields; call it after changing a contract."""
        schema, identifier = self.landing.split(".")
        models = {
            "+file_format": file_format_of(self.spark),
            # so that even tables of a few rows are appended to for a while and then rewritten
            "+replaced_share": 3,
            **self.model_config,
        }
        if isinstance(self.spark, ServerSession) and len(self.tables) > 20:
            # its catalog on Derby holds no longer view
            models[f"dq_{self.source}__accounting"] = {"+materialized": "table"}
        self._file(
            "dbt_project.yml",
            {
                "name": "consumer",
                "version": "1.0.0",
                "config-version": 2,
                "profile": "consumer",
                "model-paths": ["models"],
                "models": {"consumer": models},
                "flags": {"send_anonymous_usage_stats": False},
            },
        )
        self._file("packages.yml", {"packages": [{"local": str(REPOSITORY)}]})
        self._file(
            "profiles.yml",
            {
                "consumer": {
                    "target": "test",
                    "outputs": {"test": {"schema": self.schema, **profile_of(self.spark)}},
                }
            },
        )
        metas = {name: {"cdc": contract} for name, contract in self.tables.items()}
        for name, outbox in self.outboxes.items():
            metas.setdefault(name, {})["outbox"] = outbox
        tables = [
            {"name": name, "identifier": identifier, "config": {"meta": meta}}
            for name, meta in metas.items()
        ]
        self._file(
            "models/sources.yml",
            {
                "sources": [
                    {
                        "name": self.source,
                        "schema": schema,
                        "config": {"meta": {"cdc": self.source_contract}},
                        "tables": tables,
                    }
                ]
            },
        )
        for table in self.tables:
            for layer in self.layers.get(table, list(LAYERS)):
                macro = LAYERS[layer].format(source=self.source, table=table)
                if layer == "stg" and self.operator_events is not None:
                    macro = macro[:-1] + ", operator_events=ref('operator_events'))"
                self._text(
                    f"models/{layer}_{self.source}__{table}.sql", "{{ afterimage." + macro + " }}\n"
                )
        if self.operator_events is not None:
            self._operator_events()
        logs = ", ".join(f"ref('stg_{self.source}__{table}')" for table in self.tables)
        landing = f"[source('{self.source}', '{next(iter(metas))}')]"
        for name in ("quarantine", "accounting") if self.tables else ():
            self._text(
                f"models/dq_{self.source}__{name}.sql",
                "{{ afterimage." + f"{name}([{logs}], {landing})" + " }}\n",
            )
        for name, sql in self.extra_models.items():
            self._text(f"models/{name}.sql", sql)

    def _operator_events(self):
        """The seed of operator events, all columns text as in the documentation."""
        header = "event,kind,source_name,table_name,row_key,position,source_ts,landed_from,note"
        names = header.split(",")
        path = self.folder / "seeds" / "operator_events.csv"
        path.parent.mkdir(exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, names)
            table.writeheader()
            table.writerows(self.operator_events)
        types = {"column_types": dict.fromkeys(names, "string")}
        seeds = {"seeds": [{"name": "operator_events", "config": types}]}
        self._file("seeds/seeds.yml", seeds)

    def land(self, records: list[dict]):
        """Appends records in the captures' form, or {'line': text} for a line that was not a
        record."""
        append_rows(self.spark, self.landing, landing_rows(records))

    def run(self, *arguments: str):
        """Runs a dbt command in this process; returns its result or raises DbtFailed."""
        from dbt.cli.main import dbtRunner

        # the result of `dbt deps` for a local package, without its seconds; test_package.py runs it
        packages = self.folder / "dbt_packages"
        if not packages.exists():
            packages.mkdir()
            (packages / "afterimage").symlink_to(REPOSITORY, target_is_directory=True)
        messages = []
        self.said = []

        def hear(event) -> None:
            if event.info.level in ("warn", "error"):
                messages.append(event.info.msg)
            elif event.info.msg.startswith("[afterimage] "):
                self.said.append(event.info.msg.removeprefix("[afterimage] "))

        folder = str(self.folder)
        options = ["--project-dir", folder, "--profiles-dir", folder, "--quiet", "--no-write-json"]
        # dbt changes to the project's folder
        with contextlib.chdir(Path.cwd()):
            result = dbtRunner(callbacks=[hear]).invoke([*arguments, *options])
        if not result.success:
            told = [m for m in messages if m.strip()]
            raise DbtFailed(
                f"dbt {' '.join(arguments)} failed: {result.exception or ''}\n"
                + "\n".join(told[-40:])
            )
        return result

    def rows(self, relation: str, where: str = "true") -> list[dict]:
        """Rows of a relation of the project as dicts of Python values."""
        name = relation if "." in relation else f"{self.schema}.{relation}"
        return read_rows(self.spark, name, where)

    def counts(self) -> dict[tuple, int]:
        """The counts of accounting: (table, outcome, kind) -> records, of all topics together."""
        counts = {}
        for r in self.rows(f"dq_{self.source}__accounting"):
            kind = (r["table_name"], r["outcome"], r["kind"])
            counts[kind] = counts.get(kind, 0) + r["records"]
        return counts

    def files(self) -> set[tuple[str, int]]:
        """Files of the project's tables with their times, including the format's own log: if the
        sets are equal, nothing was written."""
        folder = warehouse_of(self.spark, self.schema)
        found = {(str(p), p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()}
        # Iceberg keeps views as files, and dbt replaces its own views in each run
        views = [f"{folder}/{view}/" for view in views_of(self.spark, self.schema)]
        return {(path, time) for path, time in found if not path.startswith(tuple(views))}

    def _file(self, name, content):
        self._text(name, yaml.safe_dump(content, sort_keys=False, allow_unicode=True))

    def _text(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def landing_rows(records: list[dict]) -> list[tuple]:
    """Rows of a landing table: see Project.land."""
    rows = []
    for number, record in enumerate(records):
        if "line" in record:
            line = record["line"].encode()
            rows.append((None, None, None, None, None, line, None, "test.jsonl", number + 1))
            continue
        headers = [
            (k, v.encode() if isinstance(v, str) else v)
            for k, v in (record.get("headers") or {}).items()
        ]
        millis = record.get("timestamp") or 0
        landed = datetime.fromtimestamp(millis / 1000, UTC).replace(tzinfo=None)
        place = (record["topic"], record["partition"], record["offset"], landed)
        key, value = _bytes(record.get("key")), _bytes(record.get("value"))
        rows.append((*place, key, value, headers, None, None))
    return rows


def as_debezium_writes(value) -> str:
    """JSON as Kafka Connect's converter writes it: without spaces, the parts of an envelope in
    order."""
    if isinstance(value, dict) and "op" in value and ("after" in value or "before" in value):
        order = ("before", "after", "source", "transaction", "op")
        told = {"before": None, "after": None} | value
        value = {part: told[part] for part in order if part in told} | told
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _bytes(value):
    if value is None or isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else as_debezium_writes(value)).encode()
