"""A grade as a person reads it: at a terminal, as a page, as a file."""
