"""Print and compare the ledger: steps, traces, recovery, the world."""
