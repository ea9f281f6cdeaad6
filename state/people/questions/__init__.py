"""Open questions: how they are asked, how clients show them, and how answers are read."""
