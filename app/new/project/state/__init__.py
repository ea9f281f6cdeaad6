"""The state of a conversation, beside its messages."""
