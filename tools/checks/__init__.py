"""What is checked of declarations before anything runs."""
