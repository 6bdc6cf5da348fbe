"""A source column, as far as the sample shows it."""

from dataclasses import dataclass

NOT_NULL = "not null"


@dataclass
class Column:
    """A type, with remarks for the user."""

    type: str
    remark: str = ""
    is_guess: bool = False
    foreign: str = ""  # a semantic name that is not one of Debezium's or Connect's

    @property
    def comment(self) -> str:
        """The comment behind the type in YAML; empty without a remark."""
        return ": ".join(filter(None, ("guess" if self.is_guess else "", self.remark)))

    def but(self, *remarks: str, is_guess: bool | None = None) -> "Column":
        """The same column with further remarks, which replace the remark `not null`."""
        said = [each for each in (self.remark, *remarks) if each and each != NOT_NULL]
        guess = self.is_guess if is_guess is None else is_guess
        return Column(self.type, "; ".join(said) or self.remark, guess, self.foreign)


def kind_of_literal(connect: str | None) -> str:
    """The kind of JSON value that a Connect type is written as."""
    if connect in ("int8", "int16", "int32", "int64"):
        return "integer"
    if connect in ("float", "float32", "double", "float64"):
        return "number"
    return connect or ""
