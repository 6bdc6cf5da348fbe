"""The cost of the models, as a ratio to the least that a Spark job does with the same records."""
