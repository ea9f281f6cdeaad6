"""The prompt of a decision: compiled, divided into epochs, and its answer checked."""
