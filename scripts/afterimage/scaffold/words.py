"""Names for dbt, and YAML in a hand-written style."""

import re

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

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


def flow(values: dict) -> CommentedMap:
    flow = CommentedMap(values)
    flow.fa.set_flow_style()
    return flow


def yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 160
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml
