"""The demo shop's graph, and what it runs on."""
