"""Text to typed intents: the written grammar, run as it stands."""
