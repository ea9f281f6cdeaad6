"""Spans and measures, kept in Postgres."""
