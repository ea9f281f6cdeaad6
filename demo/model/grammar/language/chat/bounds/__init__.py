"""What goods must have or cost, and what they must not be."""
