"""The shrinking tool can be started: it is needed when a law fails, and seldom otherwise."""

import subprocess
import sys


def test_it_starts():
    command = [sys.executable, "-m", "tests.laws.shrink", "--help"]
    assert "--alone" in subprocess.run(command, check=True, capture_output=True, text=True).stdout
