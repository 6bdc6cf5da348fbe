"""A count with its noun."""


def counted(number: int, noun: str, nouns: str = "") -> str:
    """1 record, 2,447 records. In: the number; its noun, and the plural if it is not with an s."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"
