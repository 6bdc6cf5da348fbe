"""Fill a landing table: from files (`files`) or from Kafka (`kafka`)."""
