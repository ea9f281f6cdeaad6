"""Print, verify, export and reconcile the ledger."""
