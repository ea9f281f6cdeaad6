"""What a node runs with: its work, its spans, a sub-agent's own call, the wish to stop."""
