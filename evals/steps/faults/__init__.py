"""Faults to put into a clean trajectory: each is one that a check is there to find."""
