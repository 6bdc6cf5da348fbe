"""The files of a scaffold: written, or with --check only reported."""

from pathlib import Path


class Output:
    """Where files go. `changed` lists those that differ from what would be written."""

    def __init__(self, root: Path, check: bool = False) -> None:
        self.root, self.check = root, check
        self.changed: list[Path] = []

    def put(self, file: Path, text: str, is_new: bool = True) -> str:
        """Write a file. Out: a line to print about it."""
        self.changed.append(file)
        if not self.check:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        verb = "write" if is_new else "change"
        done = f"would {verb}" if self.check else {"write": "wrote", "change": "changed"}[verb]
        return f"{done} {file.relative_to(self.root)}"
