"""The shop's mail server and its messages."""
