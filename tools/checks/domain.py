"""What a domain's flow table, policy and agents must know of its registry and of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from daybook.state.errors import DeclarationError
from daybook.state.flow import FlowTable
from daybook.state.people.policy import Policy
from daybook.tools.kinds import EffectTool, PlanTool
from daybook.tools.registry import Registry

_ENDINGS = ("succeeded", "failed")


def check_flow(flow: FlowTable, registry: Registry) -> None:
    """Check that a thread can stand wherever the flow leads, and that every tool can be reached.

    Raises:
        DeclarationError: a position, a tool or a trigger that is not there is named, a tool is
            offered nowhere, or a plan that was begun could not end.
    """
    _check_positions(flow)
    _check_offers(flow, registry)
    _check_triggers(flow, registry)
    for position in flow.offered:
        _check_ends(flow, registry, position)


def _check_positions(flow: FlowTable) -> None:
    moves = {position for (before, _), after in flow.moves.items() for position in (before, after)}
    if unknown := sorted({flow.start, *moves} - flow.offered.keys()):
        raise DeclarationError(
            f"The flow can stand at {', '.join(unknown)}, where nothing says what is offered. Add "
            f"to the table's `offered`, for each: {unknown[0]!r}: frozenset({{...}}). It has "
            f"{sorted(flow.offered)}."
        )


def _check_offers(flow: FlowTable, registry: Registry) -> None:
    for position, offered in flow.offered.items():
        if unknown := sorted(offered - set(registry.names)):
            raise DeclarationError(
                f"At {position} the flow table offers {', '.join(unknown)}, which the registry "
                f"does not. Add it to Registry(offered=...), or take it out of the table; there "
                f"are {sorted(registry.names)}."
            )
    somewhere = frozenset[str]().union(*flow.offered.values())
    if forgotten := [name for name in registry.names if name not in somewhere]:
        raise DeclarationError(
            f"The flow table offers {', '.join(forgotten)} nowhere, so the model never sees it. "
            "Add it to a position's `offered`, or take it out of Registry(offered=...)."
        )


def _check_triggers(flow: FlowTable, registry: Registry) -> None:
    for _, trigger in flow.moves:
        tool, _, what = trigger.rpartition(".")
        if what in ("opened", *_ENDINGS) and tool not in _acting(registry):
            raise DeclarationError(
                f"The flow table moves on {trigger}, which never happens: no plan, write or hybrid "
                f"named {tool} is offered. There are {_acting(registry)}; a trigger of your own "
                "may not end in .opened, .succeeded or .failed."
            )


def _check_ends(flow: FlowTable, registry: Registry, position: str) -> None:
    for tool in _acting(registry):
        opened = f"{tool}.opened"
        if tool not in flow.offered[position] or not flow.allows(position, opened):
            continue
        under_way = flow.move(position, opened)
        for ending in _ENDINGS:
            move = (under_way, f"{tool}.{ending}")
            moves_on = under_way != position or not flow.allows(*move)
            if moves_on and move not in flow.moves:
                raise DeclarationError(
                    f"When {tool} is opened at {position} the flow stands at {under_way}, and "
                    f"nothing says where it goes when it has {ending}. Add to the table's `moves`: "
                    f"({under_way!r}, {move[1]!r}): ..."
                )


def _acting(registry: Registry) -> list[str]:
    tools = [registry.offered(name) for name in registry.names]
    return [tool.name for tool in tools if isinstance(tool, EffectTool | PlanTool)]


def check_policy(policy: Policy, registry: Registry, flow: FlowTable) -> None:
    """Check that every rule names tools and flow positions that are there.

    A rule that is misspelt would fit nothing, and what it was to hold back would pass.

    Raises:
        DeclarationError: one is not; the message says which there are.
    """
    for rule in policy.rules:
        if unknown := sorted(set(rule.tools) - registry.effects.keys()):
            raise DeclarationError(
                f'The rule "{rule.name}" names {", ".join(unknown)}, which is no effect of this '
                f"domain. Nothing was started; there are {sorted(registry.effects)}. (Of a plan, "
                "name the steps that it is about.)"
            )
        if unknown := sorted(set(rule.at) - flow.offered.keys()):
            raise DeclarationError(
                f'The rule "{rule.name}" names the flow position {", ".join(unknown)}, which is '
                f"not there. Nothing was started; there are {sorted(flow.offered)}."
            )


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
