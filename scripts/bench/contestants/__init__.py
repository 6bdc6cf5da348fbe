"""Common alternatives, on the same landing table in the same session as our models.

Each is written as a careful engineer would, from the tool's documentation. Errors inherent to the
method stay and show as wrong rows: a snapshot sees one state per run, a late change comes after
the newer one.
"""

from bench.contestants.contestant import Contestant
from bench.contestants.dbt_incremental import DbtIncremental
from bench.contestants.dbt_snapshot import DbtSnapshot
from bench.contestants.duckdb import DuckDb
from bench.contestants.merge_current import MergeCurrent
from bench.contestants.merge_scd2 import MergeScd2
from bench.contestants.recompute import Recompute

CONTESTANTS: list[type[Contestant]] = [
    MergeCurrent,
    MergeScd2,
    DbtIncremental,
    DbtSnapshot,
    Recompute,
    DuckDb,
]

__all__ = ["CONTESTANTS", "Contestant"]
