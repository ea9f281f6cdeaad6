"""Tools of MCP servers as tools of a domain, as docs/merchants.md describes."""
