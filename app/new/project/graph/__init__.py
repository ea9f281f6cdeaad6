"""The agent: its domain, graph and stand-in for a model."""
