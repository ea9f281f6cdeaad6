"""What an adopter would write for each service, from the words of docs/own_tools.md: at most 60 lines each."""
