"""Names for dbt, and YAML in a hand-written style."""

import io
import re

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.tokens import CommentToken

JINJA = re.compile(r"{[{%#]|[#}%]}")
ENDS_RAW = re.compile(r"{%(?=[-+]?\s*endraw\b)")


def word(text: str) -> str:
    """A name for dbt: lower-case letters, digits and _."""
    return re.sub(r"\W+", "_", text.lower(), flags=re.ASCII).strip("_") or "source"


def literal(text: str) -> str:
    """A text that dbt does not render, as it renders the values of YAML."""
    if not JINJA.search(text):
        return text
    text = ENDS_RAW.sub("{% endraw %}{{ '{%' }}{% raw %}", text)
    return f"{{% raw %}}{text}{{% endraw %}}"


def map_at(entry: CommentedMap, *path: str) -> CommentedMap:
    for name in path:
        if entry.get(name) is None:
            # Before `tables`, so that a source's own contract is read first.
            position = list(entry).index("tables") if "tables" in entry else len(entry)
            entry.insert(position, name, CommentedMap())
        entry = entry[name]
    return entry


def flow(values: dict | list) -> CommentedMap | CommentedSeq:
    """The same on one line."""
    flow = CommentedMap(values) if isinstance(values, dict) else CommentedSeq(values)
    flow.fa.set_flow_style()
    return flow


def add_comments(entry: CommentedMap, comments: dict[str, str], indent: int) -> None:
    """Comment entries of a map behind their values, in one column, which is two blanks behind the
    longest. In: the map; comments by key, empty ones for none; the blanks before its keys."""
    comments = {name: " ".join(comment.split()) for name, comment in comments.items() if comment}
    if not comments:
        return
    lines = dumped({name: entry[name] for name in comments}).splitlines()
    column = indent + max(map(len, lines)) + 2
    for name, comment in comments.items():
        entry.yaml_add_eol_comment(comment, name, column)


def comment_of(entry: CommentedMap, name: str) -> str:
    """The comment behind an entry of a map; empty without one."""
    tokens = entry.ca.items.get(name) or []
    lines = (each.value.split("\n")[0] for each in tokens if isinstance(each, CommentToken))
    return next(lines, "")


def yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 160
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def dumped(document: dict) -> str:
    """A document as text."""
    stream = io.StringIO()
    yaml().dump(document, stream)
    return stream.getvalue()
