"""The project that `daybook new` writes."""
