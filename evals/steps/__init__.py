"""Judge each step of a thread: what was decided, what it came to, and whether it was right."""
