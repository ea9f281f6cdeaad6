"""Ledger, approvals and recovery for an agent that exists: a middleware for `create_agent`.

docs/create_agent.md tells how to move an agent here, and what changes for it.
"""

from graph.middleware.daybook import Daybook
from graph.middleware.effects import idempotency_key, seconds_left, write
from graph.middleware.opened import open_database
from state.guarantees import Guarantees, Patience
from tools.kinds import Undo

__all__ = [
    "Daybook",
    "Guarantees",
    "Patience",
    "Undo",
    "idempotency_key",
    "open_database",
    "seconds_left",
    "write",
]
