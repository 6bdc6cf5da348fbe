"""A source column, as far as a sample tells it."""

from dataclasses import dataclass

NOT_NULL = "not null"


@dataclass
class Column:
    """A type, and what the person should know of it."""

    type: str
    remark: str = ""
    is_guess: bool = False
    foreign: str = ""  # a semantic name that is none of Debezium's or Connect's

    def but(self, *remarks: str, is_guess: bool | None = None) -> "Column":
        """The same with further remarks; `not null` is the last word and gives way to others."""
        said = [each for each in (self.remark, *remarks) if each and each != NOT_NULL]
        guess = self.is_guess if is_guess is None else is_guess
        return Column(self.type, "; ".join(said) or self.remark, guess, self.foreign)


def kind_of_literal(connect: str | None) -> str:
    """What JSON value a type of Connect is written as."""
    if connect in ("int8", "int16", "int32", "int64"):
        return "integer"
    if connect in ("float", "float32", "double", "float64"):
        return "number"
    return connect or ""
