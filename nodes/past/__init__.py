"""What a thread has behind it: plans that are over, branches, what was learnt and remembered."""
