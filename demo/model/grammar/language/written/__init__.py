"""The written grammar, what runs it, and what its commands mean."""
