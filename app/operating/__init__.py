"""Keep it running for others: worker, metrics, rules, retention, tokens."""
