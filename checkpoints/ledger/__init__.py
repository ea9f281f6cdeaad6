"""The ledger in Postgres: pages, chain, audit, and what is searched in it."""
