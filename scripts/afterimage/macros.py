"""Read constants from the dbt macros without dbt: macros that only `{{ return(…) }}`."""

import re
from collections.abc import Callable
from functools import cache
from hashlib import md5
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2

MACROS = Path(__file__).resolve().parents[2] / "macros"
PREFIX = "macro_"
MACRO = re.compile(r"({%-?\s*macro\s+)(\w+)")


class _Returned(Exception):  # noqa: N818
    """Raised by `return` in a macro, as in dbt."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Macros:
    """The macros as methods: `Macros().contract_keys()`.

    Within them `afterimage.…` refers to all the others. They see no adapter, no graph and nothing
    else of dbt's except what is given by name.
    """

    def __init__(self, **given: Any) -> None:
        self._known = {
            "return": _return,
            "afterimage": self,
            "context": {"afterimage": self},
            "modules": SimpleNamespace(re=re),
            "local_md5": lambda text: md5(text.encode(), usedforsecurity=False).hexdigest(),
            **given,
        }
        self._macros: dict[str, Callable] = {}

    def _read(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        # Jinja exports no name that begins with _; hence a prefix, as in dbt itself.
        text = MACRO.sub(rf"\1{PREFIX}\2", text)
        for name, value in vars(_template(text).make_module(self._known)).items():
            if name.startswith(PREFIX):
                self._macros[name.removeprefix(PREFIX)] = value

    def __getitem__(self, name: str) -> Callable:
        return getattr(self, name)

    def __getattr__(self, name: str) -> Callable:
        if name not in _files():
            raise AttributeError(name)
        if name not in self._macros:
            self._read(_files()[name])
        macro = self._macros[name]

        def call(*arguments: Any, **named: Any) -> Any:
            try:
                return macro(*arguments, **named)
            except _Returned as returned:
                return returned.value

        return call


@cache
def _files() -> dict[str, Path]:
    """Name of a macro → the file it is in."""
    texts = {path: path.read_text(encoding="utf-8") for path in MACROS.rglob("*.sql")}
    return {found[2]: path for path, text in texts.items() for found in MACRO.finditer(text)}


@cache
def _template(text: str) -> jinja2.Template:
    """A file, compiled once for all callers."""
    return jinja2.Environment(extensions=["jinja2.ext.do"]).from_string(text)


def _return(value: Any) -> None:
    raise _Returned(value)
