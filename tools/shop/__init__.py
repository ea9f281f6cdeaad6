"""The domain of the demo shop."""
