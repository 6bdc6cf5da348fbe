"""The files of a scaffold: written, or with --check only reported."""

import difflib
from pathlib import Path

SHOWN = 100  # lines of a file's differences


class Output:
    """Where files go. `changed` lists those that differ from what would be written."""

    def __init__(self, root: Path, check: bool = False) -> None:
        self.root, self.check = root, check
        self.changed: list[Path] = []

    def put(self, file: Path, text: str, is_new: bool = True) -> str:
        """Write a file. Out: a line to print about it; with --check also how an existing file
        would differ."""
        self.changed.append(file)
        if not self.check:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        verb = "write" if is_new else "change"
        done = f"would {verb}" if self.check else {"write": "wrote", "change": "changed"}[verb]
        shown = _differences(file, text) if self.check and file.is_file() else []
        return "\n".join([f"{done} {file.relative_to(self.root)}", *shown])


def _differences(file: Path, text: str) -> list[str]:
    """The lines that would change, as a unified diff without the names of files."""
    before = file.read_text(encoding="utf-8").splitlines()
    lines = list(difflib.unified_diff(before, text.splitlines(), n=1, lineterm=""))[2:]
    more = [f"… {len(lines) - SHOWN} more lines"] if len(lines) > SHOWN else []
    return lines[:SHOWN] + more
