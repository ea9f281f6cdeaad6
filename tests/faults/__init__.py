"""What others do wrongly, what breaks off, and how it is taken up again."""
