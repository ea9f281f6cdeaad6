"""The nodes of the graph, one per file; subpackages hold what they are made of."""

if __name__ != "daybook.nodes":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.nodes: import it by that name.")
