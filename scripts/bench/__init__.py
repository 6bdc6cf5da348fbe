"""What the models cost, as a ratio to the least a Spark job can do with the same records."""
