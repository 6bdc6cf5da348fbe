"""One exception for everything the person at the keyboard can mend."""

import click


class UserError(click.ClickException):
    """A fault of input or surroundings. Its message says what is wrong and what to do.

    click prints it as `Error: …` and leaves with exit code 1; code that calls these modules
    directly catches it like any exception.
    """
