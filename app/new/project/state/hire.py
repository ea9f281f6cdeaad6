"""What a conversation about bikes holds. It is kept in Postgres with every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.domain import Action, AgentState


class HireState(AgentState, total=False):
    """Add to messages, flow and ledger what was hired: `red on 2031-05-06`."""

    hired: list[str]


def settled(state: Mapping[str, Any], action: Action) -> dict[str, Any]:
    """Say what an action that is over does to the state."""
    if action.tool != "hire_bike" or not action.succeeded:
        return {}
    return {"hired": [*state["hired"], f"{action.args['bike']} on {action.args['day']}"]}
