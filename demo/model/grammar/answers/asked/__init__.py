"""What was asked or offered before, and what a text means as an answer to it."""
