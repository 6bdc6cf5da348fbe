"""The documentation matches the code."""
