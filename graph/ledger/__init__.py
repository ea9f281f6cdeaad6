"""The ledger for graphs and agents of one's own: each effect happens once, or a reviewer is asked.

`ledger.py` is what an adopter holds; docs/agents.md describes it.
"""
