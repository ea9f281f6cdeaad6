"""The next phase: calls of a decision run in the model's order, whatever their kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from daybook.state.agent import Decision, ProposedCall
from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Plan
from daybook.tools.domain import Domain
from daybook.tools.kinds import Tool

Phase: TypeAlias = Literal["look", "change", "intend"]

_PHASE: dict[str, Phase] = {
    "read": "look",
    "change": "change",
    "write": "intend",
    "hybrid": "intend",
    "plan": "intend",
}


@dataclass(frozen=True)
class Stage:
    """Calls of a decision that are run together: their positions, in order."""

    phase: Phase
    positions: tuple[int, ...]


def stages_of(domain: Domain, decision: Decision) -> list[Stage]:
    """Divide a decision into stages that are run one after the other, in the model's order.

    Reads and changes are run where they stand: reads that follow each other at once, before a
    change or behind it. The effects are one plan, which one approval covers, instead of the
    first of them; what the model wrote behind that is run when the plan is over. Calls that cannot
    be run are answered first.
    """
    refused = [p for p in range(len(decision["calls"])) if str(p) in decision["refused"]]
    phases = {p: _phase_of(domain, decision, p) for p in range(len(decision["calls"]))}
    effects = tuple(p for p, phase in phases.items() if phase == "intend")
    stages: list[Stage] = [Stage("look", tuple(refused))] if refused else []
    for position, phase in phases.items():
        if position in refused or (phase == "intend" and position != effects[0]):
            continue
        if phase == "intend":
            stages.append(Stage("intend", effects))
        elif stages and stages[-1].phase == phase:
            stages[-1] = Stage(phase, (*stages[-1].positions, position))
        else:
            stages.append(Stage(phase, (position,)))
    return stages


def _phase_of(domain: Domain, decision: Decision, position: int) -> Phase:
    """Tell which phase runs a call; one that cannot be run is answered by `look`."""
    tool = _tool(domain, decision, position)
    return _PHASE[tool.kind] if tool is not None else "look"


def _tool(domain: Domain, decision: Decision, position: int) -> Tool | None:
    """Return the tool of a call; None if it cannot be run, or this release has it no more."""
    name = decision["calls"][position]["name"]
    if str(position) in decision["refused"] or name not in domain.registry.names:
        return None
    return domain.registry.offered(name)


def calls_of(
    domain: Domain, decision: Decision, phase: Phase
) -> Iterator[tuple[int, Tool | None, dict[str, Any]]]:
    """Yield position, tool and arguments of the calls that a phase runs now; no tool where none."""
    stages = stages_of(domain, decision)
    now = [one for one in stages if one.phase == phase]
    if phase != "intend":
        now = [one for one in stages[_done(decision) :][:1] if one.phase == phase]
    for position in now[0].positions if now else ():
        yield position, _tool(domain, decision, position), decision["calls"][position]["args"]


def next_phase(domain: Domain, decision: Decision) -> Phase | Literal["decide", "respond"]:
    """Return the phase of a decision's next stage; one without calls is the answer."""
    if not decision["calls"]:
        return "respond"
    left = stages_of(domain, decision)[_done(decision) :]
    return left[0].phase if left else "decide"


def after_stage(domain: Domain, decision: Decision) -> Decision | None:
    """Return a decision with one more stage behind it; None when that was the last one."""
    return _at(domain, decision, _done(decision) + 1)


def after_effects(domain: Domain, decision: Decision, plan: Plan | None) -> Decision | None:
    """Return a decision as it is when its effects are over; None when nothing stands behind them.

    Args:
        plan: what was made of the effects; None if none of them could be begun.
    """
    stages = stages_of(domain, decision)
    place = next((at for at, one in enumerate(stages) if one.phase == "intend"), None)
    if place is None:
        return None
    left = _at(domain, decision, place + 1)
    is_done = plan is not None and plan.succeeded
    is_whole = plan is not None and len(plan.actions) == len(stages[place].positions)
    return left if left is None or (is_done and is_whole) else {**left, "failed": True}


def behind_effects(domain: Domain, decision: Decision) -> list[int]:
    """Return the positions of the calls that are run when the decision's effects are over."""
    stages = stages_of(domain, decision)
    plans = [at for at, one in enumerate(stages) if one.phase == "intend"]
    return [at for one in stages[plans[0] + 1 :] for at in one.positions] if plans else []


def barred(domain: Domain, decision: Decision, position: int, flow: str) -> str | None:
    """Say why a call cannot be run now, or None.

    When effects are over the flow may stand elsewhere than where the call was decided on; and a
    change that was to follow them follows nothing if they were not done.
    """
    if (why := decision["refused"].get(str(position))) is not None:
        return why
    name = decision["calls"][position]["name"]
    if name not in domain.registry.names:
        return refusal_of(domain, name, frozenset())
    if position not in behind_effects(domain, decision):
        return None
    if decision.get("failed") and domain.registry.offered(name).kind == "change":
        return "Skipped: the preceding call was not completed. Nothing was changed."
    return refusal_of(domain, name, domain.flow.offered[flow])


def out_of_order(domain: Domain, calls: Sequence[ProposedCall]) -> dict[str, str]:
    """Say which effects cannot be part of the decision's plan, by position, and why.

    A change behind an effect is made when the plan is over. An effect behind that change was
    decided on for what the change makes of the state.
    """
    refused: dict[str, str] = {}
    first, between = "", ""
    for position, call in enumerate(calls):
        name = call["name"]
        if name not in domain.registry.names:
            continue
        match _PHASE[domain.registry.offered(name).kind]:
            case "change" if first:
                between = name
            case "intend" if between:
                refused[str(position)] = (
                    f"It comes after {between}, which runs when {first} is complete. Call it then."
                )
            case "intend":
                first = first or name
    return refused


def _at(domain: Domain, decision: Decision, done: int) -> Decision | None:
    return {**decision, "done": done} if done < len(stages_of(domain, decision)) else None


def _done(decision: Decision) -> int:
    return decision.get("done", 0)


def refusal_of(domain: Domain, name: str, offered: frozenset[str]) -> str | None:
    """Say why a proposed call cannot be run at all, or None."""
    try:
        domain.registry.offered(name)
    except ToolRefused as refused:
        return str(refused)
    return None if name in offered else f"{name} is not possible at this point."


def place_name(ordinal: int, fork: int) -> str:
    """Name a decision within its turn.

    Args:
        fork: 1, and one more for each branch of the thread that decided otherwise there.
    """
    return str(ordinal) if fork == 1 else f"{ordinal}~{fork}"


def place_of(decision: Decision) -> str:
    """Name a pending decision within its turn."""
    return place_name(decision["ordinal"], decision.get("fork", 1))


def call_name(place: str, position: int) -> str:
    """Name a call within its turn."""
    return f"{place}.{position}"


def called_at(call: str) -> tuple[int, int]:
    """Return which decision of the turn a call is of, and its position there, whatever branch."""
    place, _, position = call.partition(".")
    return int(place.partition("~")[0]), int(position)
