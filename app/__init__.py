"""The commands, the server's side, and the console."""

if __name__ != "daybook.app":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.app: import it by that name.")
