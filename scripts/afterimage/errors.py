"""One exception for every fault that the user can correct."""

import click


class UserError(click.ClickException):
    """A fault of input or environment. Its message says what is wrong and what to do.

    click prints it as `Error: …` and exits with code 1; code that calls these modules directly
    catches it like any exception.
    """
