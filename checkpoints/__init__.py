"""Postgres: the ledger, the runs, people's data, and an embedded server."""

if __name__ != "daybook.checkpoints":
    # From this folder alone it would be a second package with classes of its own.
    raise ImportError("This package is daybook.checkpoints: import it by that name.")
