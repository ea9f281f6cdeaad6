"""The ledger for your own graphs and agents: each effect happens once, or is in doubt.

`ledger.py` is what an adopter holds; docs/agents.md describes it.
"""
