"""The agent, put together."""
