"""The ledger folded: entries, steps, plans, and what recovery does in each state."""
