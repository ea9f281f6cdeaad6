"""The ledger on the real Postgres: append-only, one writer a thread, one tenant a row."""
