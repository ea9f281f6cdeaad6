"""What is done to the world, each once for each key: the rules, and the record of it."""
