"""Look at the tools of an MCP server, and write declarations of them."""
