"""The database's own rows, the comparator, and the lists of what no stream can carry."""
