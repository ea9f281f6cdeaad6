"""The state of a thread that buys from merchants."""
