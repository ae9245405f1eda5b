"""The REST operations, one module a family."""
