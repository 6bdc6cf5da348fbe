"""Users' own streams, through the oracle and, where they can run, through the models."""

import json

import pytest

from tests.coverage import streams
from tests.oracle.fold import fold
from tests.oracle.postgres import UNKNOWN
from tests.oracle.spec import Table
from tests.truth.captures import position_text
from tests.truth.compare import as_model_rows, canonical, canonical_key, compare_table
from tests.truth.user_streams import NOT_SENT, is_slow, load_user_stream, user_stream_paths


@pytest.fixture(params=user_stream_paths(), ids=lambda path: path.stem)
def stream(request):
    return load_user_stream(request.param)


def test_the_oracle_gives_what_is_expected(stream):
    folded = fold(stream.envelopes, stream.spec)
    for name, expected in stream.expected.items():
        table = stream.spec.tables[name]
        current = as_model_rows(folded.current[name])
        assert differences(table, expected["current"], current) == []
        if "history" in expected:
            assert spans_of_oracle(table, folded.versions[name]) == spans(
                table, expected["history"]
            )


def test_the_order_of_arrival_changes_nothing(stream):
    assert fold(stream.envelopes[::-1], stream.spec) == fold(stream.envelopes, stream.spec)


@pytest.mark.shows(of="stream", streams=streams.of_user_stream)
@pytest.mark.parametrize(
    "stream",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if is_slow(path) else ())
        for path in user_stream_paths()
    ],
    indirect=True,
)
def test_the_models_give_what_is_expected(stream, run_models):
    """`run_models(stream)` builds the models of the contract and lands the records; it returns
    table → (rows of `cur_`, rows of `hist_`), as dicts."""
    found = run_models(stream)
    for name, expected in stream.expected.items():
        table = stream.spec.tables[name]
        current, history = found[name]
        assert differences(table, expected["current"], current) == []
        if "history" in expected:
            assert spans_of_models(table, history) == spans(table, expected["history"])


def differences(table: Table, expected: list[dict], got: list) -> list[str]:
    """A column that an expected row omits is not compared in that row; NOT_SENT requires an unknown
    value."""
    if not table.key:
        return [str(d) for d in compare_table(table, expected, got)]
    whole = [dict.fromkeys(table.columns) | row for row in expected]
    not_sent = {
        (canonical_key(table, row), column)
        for row in whole
        for column in table.columns
        if row[column] == NOT_SENT
    }
    left_out = {
        (tuple(canonical(table.columns[c], row[c]) for c in table.key), column)
        for row in expected
        for column in table.columns
        if column not in row
    }
    found = compare_table(table, whole, got)
    known = not_sent - {(d.key, d.column) for d in found if d.reason == "unknown"}
    return [str(d) for d in found if (d.key, d.column) not in left_out | (not_sent - known)]


def spans(table: Table, history: list[dict]) -> list[tuple]:
    """(row, from, to, why it ended) of every expected version, to be compared as a set."""
    return sorted(
        (
            (_comparable(table, v["row"]), _place(v["from"]), _place(v["to"]), v.get("ended_by"))
            for v in history
        ),
        key=repr,
    )


def _place(told) -> str | None:
    """A log position, as a file, the oracle or the models write it, in the models' form."""
    if told is None or isinstance(told, str):
        return told
    return position_text(tuple(told) if isinstance(told, list) else told)


def spans_of_oracle(table: Table, versions: list) -> list[tuple]:
    history = [
        {
            "row": {c: v for c, v in version.values.items() if v is not UNKNOWN},
            "from": version.start.lsn,
            "to": version.end and version.end.lsn,
            "ended_by": version.end_reason,
        }
        for version in versions
    ]
    return spans(table, history)


def spans_of_models(table: Table, rows: list[dict]) -> list[tuple]:
    history = [
        {
            "row": {
                column: row[column]
                for column in table.columns
                if column not in json.loads(row["_cdc_unknown"] or "[]")
            }
            | json.loads(row["_cdc_special"] or "{}"),
            "from": row["_cdc_position"],
            "to": row["_cdc_end_position"],
            "ended_by": row["_cdc_end_reason"],
        }
        for row in rows
    ]
    return spans(table, history)


def _comparable(table: Table, row: dict) -> tuple:
    return tuple((column, canonical(table.columns[column], row[column])) for column in sorted(row))
