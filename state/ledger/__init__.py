"""The ledger, folded: entries, steps, plans, and recovery for each state."""
