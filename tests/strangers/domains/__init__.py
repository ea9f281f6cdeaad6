"""What an adopter would write for each service, from the README's words: at most 60 lines each."""
