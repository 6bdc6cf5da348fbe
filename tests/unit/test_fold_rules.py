"""Which rules a fold follows, by its contract and the statistics of its change log."""

import json
import re

import pytest

from afterimage.macros import Macros

CONTRACT = {
    "source_name": "shop",
    "table_name": "orders",
    "connector": "postgresql",
    "format": "debezium_json",
    "key": ["id"],
    "columns": [
        {"name": "id", "field": "id", "source_type": "bigint"},
        {"name": "note", "field": "note", "source_type": "text"},
    ],
    "replica_identity": "default",
    "truncate_empties": "table",
    "untracked": [],
    "settings": {},
}
# contract and log statistics, and the rules that then hold
CASES = {
    "nothing": ({}, {}, "all_values_sent"),
    "unsent": ({}, {"unknown": ["note"]}, "carry_forward"),
    "unsent_elsewhere": ({}, {"unknown": ["gone"]}, "all_values_sent"),
    "moves": ({}, {"unknown": ["note"], "moves": 1}, "key_moves_traced carry_forward"),
    "unlinked": (
        {},
        {"unknown": ["note"], "unlinked": True, "moves": None},
        "key_change_pairs_linked key_moves_traced carry_forward",
    ),
    "closings": ({}, {"closings": True}, "truncates all_values_sent"),
    "partitions": (
        {"truncate_empties": "partition"},
        {"closings": True},
        "truncates closings_of_key all_values_sent",
    ),
    "superseded": ({}, {"superseded": True}, "snapshot_rows_placed all_values_sent"),
    "moved_updates": ({}, {"moved_updates": True}, "moved_updates_parted all_values_sent"),
    "whole_before": ({}, {"whole_before": True}, "key_collisions all_values_sent"),
    "untracked": ({"untracked": ["note"]}, {}, "all_values_sent refreshed"),
    "no_key": ({"key": [], "replica_identity": "full"}, {}, "truncates"),
    "no_key_superseded": (
        {"key": [], "replica_identity": "full"},
        {"superseded": True},
        "truncates steps_behind_reads",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_history_has_the_steps_of_the_rules_that_hold_and_names_them(name):
    of_contract, seen, rules = CASES[name]
    macros = Macros(tojson=json.dumps, fromjson=json.loads)
    at_first = json.loads(macros.seen_at_first())
    macros.seen_in_log = lambda changes: at_first | seen
    macros.is_model_run = lambda: False
    macros.operator_state_of = lambda changes: {"kinds": [], "epochs": []}
    head, _, steps = macros.versions("landed_changes", CONTRACT | of_contract).partition("with\n")
    assert re.findall(r"^-- (\w+): ", head, re.M) == rules.split()
    ctes = re.findall(r"^(\w+) as \($", steps, re.M)
    assert len(set(ctes)) == len(ctes)
    assert set(rules.split()) <= set(ctes)
    # each step reads the one before it, whichever rules hold
    assert set(ctes) <= set(re.findall(r"\b(?:from|join) (\w+)", steps))
