"""Do an effect or a change once in a turn, however often the model calls for it. Pure.

Small models repeat a call that was answered: in 147 turns with a model of 135M parameters, one
changed the state by 8 identical calls in one turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from daybook.nodes.planning.phases import call_name, place_name
from daybook.state.agent import Decision
from daybook.state.effects.keys import digest
from daybook.state.effects.written import restored
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.tools.boundary import UNABLE
from daybook.tools.calling import fitting
from daybook.tools.domain import Domain
from daybook.tools.signature import comparable

REPEATED = (
    "This was done in this turn already, with the same arguments. It was not done again: its "
    "result is above. Answer the user now."
)
"""What the model is told of a call that it repeats."""

TWICE = "The same call stands before it in this decision, and is done once."
"""What the model is told of a call that stands in one decision more than once."""


def is_acting(domain: Domain, decision: Decision) -> bool:
    """Tell whether a decision calls for a change or an effect."""
    return any(_identity(domain, call["name"], call["args"]) for call in decision["calls"])


def repeated_calls(
    domain: Domain, decision: Decision, known: Sequence[Entry], plans: Iterable[Plan]
) -> dict[str, str]:
    """Return the calls of a decision that were done before, by position, with what to say.

    Args:
        known: decisions and changes of the turn before this decision, on its branch.
        plans: plans of the thread.
    """
    done = _done(domain, known, plans)
    here: set[str] = set()
    repeated: dict[str, str] = {}
    for position, call in enumerate(decision["calls"]):
        identity = _identity(domain, call["name"], call["args"])
        if identity is None or str(position) in decision["refused"]:
            continue
        if identity in done or identity in here:
            repeated[str(position)] = REPEATED if identity in done else TWICE
        here.add(identity)
    return repeated


def _done(domain: Domain, known: Sequence[Entry], plans: Iterable[Plan]) -> set[str]:
    """Name the changes that were applied and the effects that succeeded.

    An effect is named as it was carried out: an approver may have changed its arguments. One that
    nobody changed is named as it was called too: a plan fills in what the call left out.
    """
    calls = {
        (entry.turn_id, call_name(_place(entry), position)): call
        for entry in known
        if entry.event is Event.DECIDED
        for position, call in enumerate((entry.payload or {}).get("calls", ()))
    }
    changed = [
        (calls[name]["name"], restored(calls[name]))
        for entry in known
        if entry.event is Event.APPLIED and (name := (entry.turn_id, entry.detail["call"])) in calls
    ]
    succeeded = [
        (action, calls[name])
        for plan in plans
        if plan.over
        for action in plan.actions
        if action.succeeded and (name := (plan.turn_id, action.call)) in calls
    ]
    carried_out = [(action.tool, action.args) for action, _ in succeeded]
    as_called = [
        (call["name"], restored(call)) for action, call in succeeded if action.edited_by is None
    ]
    every = [*changed, *carried_out, *as_called]
    identities = (_identity(domain, name, args) for name, args in every)
    return {identity for identity in identities if identity is not None}


def _place(entry: Entry) -> str:
    return place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))


def _identity(domain: Domain, name: str, args: Mapping[str, Any]) -> str | None:
    """Name a call by tool and normalised arguments; None for a read, or what cannot be run."""
    if name not in domain.registry.names:
        return None
    try:
        tool = domain.registry.offered(name)
        if tool.kind == "read":
            return None
        return digest([name, comparable(tool.args, fitting(name, tool.args, args))])
    except UNABLE:
        return None
