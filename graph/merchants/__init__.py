"""The graph that buys from merchants, and what it runs on."""
