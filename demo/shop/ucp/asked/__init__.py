"""How the merchant is asked: its thirteen operations, over REST and over MCP."""
