"""What is kept of people and for how long: threads, tokens, memory, history, erasure."""
