"""One effect: its keys, its arguments as decided, its evidence, its outcome, its guarantees."""
