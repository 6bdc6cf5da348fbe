"""The independent oracle: PostgreSQL change records in, the tables they describe out.

It shares no code with the dbt models. It may be compared with them only because it first reproduces
the rows that were read from the database itself (see `tests/truth`).
"""
