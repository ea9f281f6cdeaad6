"""Ledger, approvals and recovery for an agent that exists: a middleware for `create_agent`.

docs/create_agent.md tells how to move an agent here, and what changes for it.
"""

from daybook.graph.carrying.effects import idempotency_key, seconds_left, write
from daybook.graph.carrying.opened import open_database
from daybook.graph.middleware.daybook import Daybook
from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.tools.kinds import Undo

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
