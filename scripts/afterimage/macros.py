"""Read constants from the dbt macros without dbt: macros that do nothing but `{{ return(…) }}`."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2

MACROS = Path(__file__).resolve().parents[2] / "macros"
PREFIX = "macro_"


class _Returned(Exception):  # noqa: N818
    """What `return` in a macro raises, as in dbt."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Macros:
    """The macros of some files as methods: `Macros("contract/contract_keys.sql").contract_keys()`.
    A name may be a pattern: `connectors/*.sql`.

    Within them `afterimage.…` means the macros of the same files. They see no adapter and no graph,
    nor anything else of dbt's that is not given by name.
    """

    def __init__(self, *files: str, **given: Any) -> None:
        known = {
            "return": _return,
            "afterimage": self,
            "context": {"afterimage": self},
            "modules": SimpleNamespace(re=re),
            **given,
        }
        self._macros: dict[str, Callable] = {}
        for path in [path for file in files for path in sorted(MACROS.glob(file))]:
            text = path.read_text(encoding="utf-8")
            # Jinja exports no name that begins with _; a prefix, as dbt itself gives, mends that.
            text = re.sub(r"({%-?\s*macro\s+)(\w+)", rf"\1{PREFIX}\2", text)
            for name, value in vars(_template(text).make_module(known)).items():
                if name.startswith(PREFIX):
                    self._macros[name.removeprefix(PREFIX)] = value

    def __getitem__(self, name: str) -> Callable:
        return getattr(self, name)

    def __getattr__(self, name: str) -> Callable:
        macro = self.__dict__.get("_macros", {}).get(name)
        if macro is None:
            raise AttributeError(name)

        def call(*arguments: Any, **named: Any) -> Any:
            try:
                return macro(*arguments, **named)
            except _Returned as returned:
                return returned.value

        return call


@cache
def _template(text: str) -> jinja2.Template:
    """A file compiled once, however many read it."""
    return jinja2.Environment(extensions=["jinja2.ext.do"]).from_string(text)


def _return(value: Any) -> None:
    raise _Returned(value)
