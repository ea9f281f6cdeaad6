"""Tools of MCP servers as tools of a domain: declared, pinned, sent once. docs/mcp.md tells how."""
