"""What is said as an answer to the last question, one matter in each module."""
