"""Tools of MCP servers looked at, and Daybook as an MCP server."""
