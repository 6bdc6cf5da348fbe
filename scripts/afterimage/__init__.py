"""The command line beside the dbt project: land files, choose a Java, run the demo."""
