"""What the tests cover: the systems, shapes, operations, types and settings in their records."""
