"""What was read of the parts of a text, joined and put as it is meant."""
