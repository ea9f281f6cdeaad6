"""Tools that every domain has: history, memory, recall."""
