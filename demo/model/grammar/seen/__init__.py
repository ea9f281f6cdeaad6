"""What the prompt says: the conversation, results, what is on view and what is known."""
