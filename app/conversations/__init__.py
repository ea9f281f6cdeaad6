"""Talk at a terminal: chat, answers, stop, and what is shown of a thread."""
