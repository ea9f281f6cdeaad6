"""Check a domain's flow table, policy and agents against its registry and each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from daybook.state.errors import DeclarationError
from daybook.state.flow import FlowTable
from daybook.state.people.policy import Policy
from daybook.tools.kinds import EffectTool, PlanTool
from daybook.tools.registry import Registry

if TYPE_CHECKING:
    from daybook.tools.domain import Agent

_ENDINGS = ("succeeded", "failed")


def check_flow(flow: FlowTable, registry: Registry) -> None:
    """Check that a thread can stand wherever the flow leads, and that every tool can be reached.

    Raises:
        DeclarationError: a position, a tool or a trigger that is not there is named, a tool is
            offered nowhere, or a plan that was begun could not end.
    """
    moves = {position for (before, _), after in flow.moves.items() for position in (before, after)}
    _check_known(
        "The flow table", {flow.start, *moves}, flow.offered, "position of its table `offered`"
    )
    _check_offers(flow, registry)
    _check_triggers(flow, registry)
    for position in flow.offered:
        _check_ends(flow, registry, position)


def _check_known(where: str, names: Iterable[str], known: Collection[str], what: str) -> None:
    """Refuse names that are not among those that are known."""
    if unknown := sorted(set(names).difference(known)):
        raise DeclarationError(
            f"{where} names {', '.join(unknown)}, which is not a known {what}. Nothing was "
            f"started; known are {sorted(known)}."
        )


def _check_offers(flow: FlowTable, registry: Registry) -> None:
    for position, offered in flow.offered.items():
        _check_known(f"At {position} the flow table", offered, registry.names, "offered tool")
    somewhere = frozenset[str]().union(*flow.offered.values())
    if forgotten := [name for name in registry.names if name not in somewhere]:
        raise DeclarationError(
            f"The flow table never offers {', '.join(forgotten)}, so the model cannot call it. "
            "Add it to a position's `offered`, or remove it from Registry(offered=...)."
        )


def _check_triggers(flow: FlowTable, registry: Registry) -> None:
    for _, trigger in flow.moves:
        tool, _, what = trigger.rpartition(".")
        if what in ("opened", *_ENDINGS) and tool not in _acting(registry):
            raise DeclarationError(
                f"The flow table has a move for {trigger}, which never happens: no plan, write or "
                f"hybrid named {tool} is offered (offered are {_acting(registry)}). A trigger of "
                "your own may not end in .opened, .succeeded or .failed."
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
                    f"When {tool} is opened at {position} the flow moves to {under_way}, but no "
                    f"move is declared for when it has {ending}. Add to the table's `moves`: "
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
        where = f'The rule "{rule.name}"'
        what = "effect of this domain (of a plan, name the steps that it is about)"
        _check_known(where, rule.tools, registry.effects, what)
        _check_known(where, rule.at, flow.offered, "flow position")
    for limit in policy.limits:
        where = f'The limit "{limit.name}"'
        _check_known(where, limit.tools, registry.effects, "effect of this domain")
        for tool in limit.tools if limit.per not in ("user", "tenant") else ():
            known = registry.effects[tool].args.model_fields
            _check_known(where, (limit.per,), known, f"argument of {tool}")


def check_agents(agents: Sequence[Agent], flow: FlowTable) -> None:
    """Check that each position is owned by exactly one agent, where there are any.

    Raises:
        DeclarationError: one is owned by none or by two, or an agent names no position.
    """
    for position in flow.offered if agents else ():
        owners = [agent.name for agent in agents if position in agent.positions]
        if len(owners) != 1:
            raise DeclarationError(
                f"The flow position {position} is owned by {' and '.join(owners) or 'no agent'}. "
                "List it in the positions of exactly one agent."
            )
    for agent in agents:
        _check_known(f"The agent {agent.name}", agent.positions, flow.offered, "flow position")
