"""A docs block about a source's tables, for the description of an exposure."""

from collections.abc import Iterator

from afterimage.scaffold.output import Output

TEXT = """\
{{% docs {source}_changes %}}
Tables of {source}, maintained from its change stream: `cur_{source}__…` has the current rows,
`hist_{source}__…` every version of a row with its validity, `stg_{source}__…` each change.
They are as recent as the last `dbt build`; `dq_{source}__accounting` says where each record went,
and what to look at.
{{% enddocs %}}
"""


def write_docs_block(output: Output, source: str) -> Iterator[str]:
    """Write the text if the project has none; later it is the user's. Out: what was written."""
    file = output.root / f"models/staging/{source}/_{source}__docs.md"
    block = f"docs {source}_changes "
    if not any(block in each.read_text("utf-8") for each in output.root.glob("models/**/*.md")):
        yield output.put(file, TEXT.format(source=source))
