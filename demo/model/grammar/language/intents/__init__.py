"""What a clause can mean: the typed intents by subject, and the ways to point at something."""
