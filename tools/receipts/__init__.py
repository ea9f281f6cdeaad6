"""Check what a model writes against the receipts of its effects."""
