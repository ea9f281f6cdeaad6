"""Goods as people and models name them, and what was taken out and is not to be named again."""
