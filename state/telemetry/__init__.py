"""Spans: what a turn did, and what the ledger knows of it."""
