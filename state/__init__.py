"""Daybook's types and pure functions. No I/O, no clock, no LangGraph."""

if __name__ != "daybook.state":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.state: import it by that name.")
