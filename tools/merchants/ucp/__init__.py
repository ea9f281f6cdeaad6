"""The Universal Commerce Protocol, as a buyer's agent speaks it: over REST and over MCP."""
