"""A server where one person floods, and another one shops."""
