"""What is asked after every step of a life, and in its evening."""
