"""Fixtures of the tests that run dbt on Spark in this process."""

import shutil

import pytest

from tests.functional.project import Project
from tests.session import drop_schema


@pytest.fixture
def make_project(spark, tmp_path_factory):
    """make_project(schema, **fields of Project) -> Project in its own folder and schemas, by
    default of a source `s` in PostgreSQL.

    They are dropped afterwards.
    """
    usual = {"connector": "postgresql", "topic_prefix": "t"}
    made = []

    def make(schema: str, **fields) -> Project:
        fields = {"source": "s", "source_contract": dict(usual)} | fields
        folder = tmp_path_factory.mktemp(schema)
        project = Project(
            folder=folder, spark=spark, schema=schema, landing=f"{schema}_landing.events", **fields
        )
        made.append(project)
        return project

    yield make
    for project in made:
        drop(spark, project)


def drop(spark, project: Project) -> None:
    """Removes what a project created: all tests of the process share the in-memory catalog."""
    for schema in (project.schema, project.landing.split(".")[0]):
        drop_schema(spark, schema)
    shutil.rmtree(project.folder, ignore_errors=True)
