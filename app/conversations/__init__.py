"""Conversations in a terminal: the chat, answers, stop, and the display of a thread."""
