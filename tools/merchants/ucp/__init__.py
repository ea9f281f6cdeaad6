"""The Universal Commerce Protocol for a buyer's agent, over REST and MCP."""
