"""Tests that put several of our modules, real processes and a real Postgres together."""
