"""What a prompt takes, turn by turn, beside the agents of langchain (`make context`)."""
