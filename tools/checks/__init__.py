"""Checks of declarations before anything runs."""
