"""The life of a write: propose, approve, run, attempt, resolve. Nothing else has side effects."""
