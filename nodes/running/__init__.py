"""What a node runs with: its work, spans, model calls of sub-agents, and stop requests."""
