"""The options of every measurement."""

import argparse
from pathlib import Path

from bench import sessions


def parser(description: str, events: int) -> argparse.ArgumentParser:
    """The parser for a bench of one format. In: its module's docstring; events of its base."""
    made = argparse.ArgumentParser(description=description.split("\n")[0])
    made.add_argument("--format", choices=sessions.FORMATS, default="parquet")
    made.add_argument("--events", type=int, default=events)
    made.add_argument("--increment", type=int, default=10_000)
    made.add_argument("--out", type=_folder, default=_folder("target/bench"))
    return made


def _folder(path: str) -> Path:
    return Path(path).absolute()
