"""The statements that dbt sends to Spark: observed, changed, or cut off.

with passing_through(lambda sql, carry_out: carry_out(sql)):
    project.run("run")
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dbt.adapters.spark.connections import PyhiveConnectionWrapper
from dbt.adapters.spark.session import SessionConnectionWrapper


@contextmanager
def passing_through(act: Callable[[str, Callable[[str], None]], None]) -> Iterator[None]:
    """Every statement goes through `act(sql, carry_out)`, which may run it, run another one, or
    raise. Embedded and over Thrift."""
    wrappers = (SessionConnectionWrapper, PyhiveConnectionWrapper)
    known = {wrapper: wrapper.execute for wrapper in wrappers}

    def through(execute):
        def executed(self, sql, bindings=None):
            act(sql, lambda text: execute(self, text, bindings))

        return executed

    for wrapper in wrappers:
        wrapper.execute = through(known[wrapper])
    try:
        yield
    finally:
        for wrapper in wrappers:
            wrapper.execute = known[wrapper]


@contextmanager
def heard() -> Iterator[list[str]]:
    """All statements, as sent."""
    said: list[str] = []

    def hear(sql, carry_out):
        said.append(sql)
        carry_out(sql)

    with passing_through(hear):
        yield said


@contextmanager
def around_first(text: str, before=lambda: None, after=lambda: None) -> Iterator[None]:
    """Runs code before and after the first statement that contains a text."""
    waiting = [True]

    def act(sql, carry_out):
        if waiting and text in sql:
            waiting.clear()
            before()
            carry_out(sql)
            after()
        else:
            carry_out(sql)

    with passing_through(act):
        yield
