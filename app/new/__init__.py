"""Projects of one's own: what `daybook new` writes."""
