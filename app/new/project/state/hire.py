"""The state of a conversation about bikes. Postgres stores it after every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.domain import Action, AgentState


class HireState(AgentState, total=False):
    """Add the hired bikes to the state, such as `red on 2031-05-06`."""

    hired: list[str]


def settled(state: Mapping[str, Any], action: Action) -> dict[str, Any]:
    """Return the state update of a finished action."""
    if action.tool != "hire_bike" or not action.succeeded:
        return {}
    return {"hired": [*state["hired"], f"{action.args['bike']} on {action.args['day']}"]}
