"""What a thread did, step by step, read from its records and its words."""
