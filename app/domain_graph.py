"""The configured domain as a server loads it; only a server imports this module.

`daybook --domain module:NAME serve` writes a langgraph.json that names this module.
"""

from __future__ import annotations

from daybook.app.domains import served_by
from daybook.graph.settings.environment import settings_from

_served = served_by(settings_from(), takes_ledgers=True)

graph, checkpointer = _served.graph, _served.checkpointer
