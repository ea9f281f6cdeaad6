"""One program that any number of processes share, ended with its last user."""
