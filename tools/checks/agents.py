"""Check that every flow position has one agent who owns the work there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from daybook.state.errors import DeclarationError
from daybook.state.flow import FlowTable


class Owner(Protocol):
    """An agent: its name and where the work is its own."""

    @property
    def name(self) -> str:
        """Return its name."""

    @property
    def positions(self) -> frozenset[str]:
        """Return where in the flow the work is its own."""


def check_agents(agents: Sequence[Owner], flow: FlowTable) -> None:
    """Check that each position is owned by exactly one agent, where there are any.

    Raises:
        DeclarationError: one is owned by none or by two, or an agent names no position.
    """
    for position in flow.offered if agents else ():
        owners = [agent.name for agent in agents if position in agent.positions]
        if len(owners) != 1:
            raise DeclarationError(
                f"The flow position {position} is owned by {' and '.join(owners) or 'no agent'}: "
                "one agent owns the work at a time. Name it in the positions of exactly one."
            )
    for agent in agents:
        if unknown := sorted(agent.positions - flow.offered.keys()):
            raise DeclarationError(
                f"The agent {agent.name} owns {', '.join(unknown)}, which the flow does not have. "
                f"Its positions are {sorted(flow.offered)}."
            )
