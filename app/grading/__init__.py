"""Grade the steps of a thread."""
