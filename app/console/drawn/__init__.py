"""A plan's timeline, drawn to scale."""
