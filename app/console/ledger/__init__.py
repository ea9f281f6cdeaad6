"""Pages of the ledger: entries, search, verification."""
