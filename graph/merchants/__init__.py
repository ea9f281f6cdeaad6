"""The graph that buys from merchants, and its resources."""
