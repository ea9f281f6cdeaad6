"""Users' data and its retention: threads, tokens, memory, history, erasure."""
