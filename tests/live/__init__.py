"""Captures of real Debezium events from a throw-away PostgreSQL. See README.md in this folder."""
