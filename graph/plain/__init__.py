"""Effects of plain asynchronous functions, which the nodes of somebody else's graph call."""
