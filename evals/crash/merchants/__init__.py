"""The matrix of merchants: a purchase over UCP killed at every moment, over REST and MCP."""
