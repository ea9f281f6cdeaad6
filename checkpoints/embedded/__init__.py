"""A Postgres of our own where none is named."""
