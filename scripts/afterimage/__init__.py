"""The command line next to the dbt project: land files, choose a Java, run the demo."""
