"""The crash matrix: a purchase killed at every moment there is, and judged by the shop's record."""
