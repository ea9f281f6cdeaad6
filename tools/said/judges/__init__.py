"""What is judged of a sentence, each thing by itself."""
