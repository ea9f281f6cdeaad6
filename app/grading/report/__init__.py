"""A grade as people read it: at a terminal, as a page of the console, as a file."""
