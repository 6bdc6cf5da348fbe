"""What the models made of a live stream, compared with the database's own rows."""

from collections import Counter
from collections.abc import Iterable

from tests.functional.capture_project import table_name
from tests.functional.project import Project
from tests.functional.test_truth import exists_before
from tests.oracle.spec import Spec
from tests.truth.captures import Mark
from tests.truth.compare import compare_table


def differences(
    project: Project,
    spec: Spec,
    former_spec: Spec,
    final: dict[str, list[dict]],
    marks: Iterable[Mark],
    compared: Counter,
) -> list[str]:
    """Rows of `cur_` that are not the database's, and of `hist_` as of each mark.

    In: the rows the database holds now, and held at the marks, by table of the spec.
    """
    found = []
    for name, table in spec.tables.items():
        rows = project.rows(f"cur_src__{table_name(name)}")
        compared["live rows of cur_ compared with the database"] += len(rows)
        found += compare_table(table, final[name], rows)
        history = project.rows(f"hist_src__{table_name(name)}")
        for mark in [mark for mark in marks if name in mark.tables]:
            at_mark = [row for row in history if exists_before(row, mark.position)]
            compared["live rows of hist_ as of a mark compared with the database"] += len(at_mark)
            found += compare_table(former_spec.tables[name], mark.tables[name], at_mark)
    return [str(difference) for difference in found if not out_of_reach(difference)]


def out_of_reach(difference) -> bool:
    """Rows unchanged since ADD COLUMN points: no event shows that they hold NULL, and the models
    report that (_cdc_unknown)."""
    return (
        difference.column == "points"
        and difference.reason == "unknown"
        and difference.expected is None
    )
