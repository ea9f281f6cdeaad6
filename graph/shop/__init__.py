"""The demo shop's graph, and its resources."""
