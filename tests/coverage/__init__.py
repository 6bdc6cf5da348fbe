"""What the tests show: which systems, shapes, operations, types and settings their records hold."""
