"""The model that is asked: which, through what, and with which use of its cache."""
