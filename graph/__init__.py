"""The graph: built from a domain, guarded, served."""

if __name__ != "daybook.graph":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.graph: import it by that name.")
