"""Tools: how one is declared and called, how services are reached."""

if __name__ != "daybook.tools":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.tools: import it by that name.")
