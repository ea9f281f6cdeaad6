"""The prompt of a decision: compiled, kept in epochs, and proved afterwards."""
