"""What a conversation holds beside what was said."""
