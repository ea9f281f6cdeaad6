"""Where spans go beside our own table."""
