"""dbt run within the command line's own process."""

import sys

from afterimage import invoke


def test_dbt_does_not_see_the_arguments_of_the_command(monkeypatch, tmp_path):
    """It would write them into its log and artifacts: a person's key, a database's password."""
    seen = []

    class Runner:
        def __init__(self, callbacks):
            pass

        def invoke(self, command):
            seen.append(sys.argv)

    given = ["afterimage", "erase", "shop.people", "--key", "ann@example.org"]
    monkeypatch.setattr(sys, "argv", given)
    monkeypatch.setattr(invoke, "dbtRunner", Runner)
    monkeypatch.setattr(invoke, "project_root", lambda: tmp_path)
    monkeypatch.setattr(invoke, "profiles_dir", lambda: tmp_path)
    invoke._invoke(["parse"], None)
    assert seen == [["afterimage"]]
    assert sys.argv == given


def test_a_fault_of_the_package_stands_without_the_words_of_dbt():
    printed = """\
Encountered an error while running operation: Runtime Error
  Compilation Error in macro validate_contracts (macros/contract/validate_contracts.sql)
    [afterimage] 1 fault:
      - shop.orders: key: missing.

    > in macro validate_contracts (macros/contract/validate_contracts.sql)
    > called by macro validate_contracts (macros/contract/validate_contracts.sql)"""
    assert invoke._own_message(printed) == "1 fault:\n  - shop.orders: key: missing."
    assert invoke._own_message("Runtime Error\n  no profile") == "Runtime Error\n  no profile"
