"""Accepts the current rendering of models and macros: `make golden`, then read the difference in
git."""

import sys

from tests.golden.lint import faults_of, not_linted, remember
from tests.golden.render import rendered
from tests.golden.test_golden import GOLDEN


def main() -> int:
    """Writes tests/golden/sql; lints what changed. Out: 1 if the linter found faults."""
    texts = rendered()
    former = {path.stem: path.read_text() for path in GOLDEN.glob("*.sql")}
    for name in former.keys() - texts.keys():
        (GOLDEN / f"{name}.sql").unlink()
    for name, text in texts.items():
        (GOLDEN / f"{name}.sql").write_text(text)
    changed = [name for name in texts if texts[name] != former.get(name)]
    unknown = not_linted(texts)
    faults = faults_of(unknown)
    print("\n".join(faults))
    if not faults:
        remember(texts)
    print(
        f"{len(texts)} rendered, {len(changed)} changed, {len(former.keys() - texts.keys())} gone, "
        f"{len(unknown)} linted, {len(faults)} faults. Read the difference: git diff tests/golden"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
