"""The ledger in Postgres: transactions, chain, verification and search."""
