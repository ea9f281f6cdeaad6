"""Placeholder of the lead until the real file is written over it."""


class EmbeddedModel:
    """Stand in."""
