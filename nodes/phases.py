"""Which phase is next: a decision's calls are looked up, then applied, then intended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from state.agent import Decision
from state.errors import ToolRefused
from tools.domain import Domain
from tools.kinds import Tool

Phase: TypeAlias = Literal["look", "change", "intend"]

_PHASE: dict[str, Phase] = {
    "read": "look",
    "change": "change",
    "write": "intend",
    "hybrid": "intend",
    "plan": "intend",
}
_ORDER: tuple[Phase, ...] = ("look", "change", "intend")


def phase_of(domain: Domain, decision: Decision, position: int) -> Phase:
    """Tell which phase runs a call; one that cannot be run is answered by `look`."""
    if str(position) in decision["refused"]:
        return "look"
    return _PHASE[domain.registry.offered(decision["calls"][position]["name"]).kind]


def calls_of(
    domain: Domain, decision: Decision, phase: Phase
) -> Iterator[tuple[int, Tool | None, dict[str, Any]]]:
    """Yield position, tool and arguments of a phase's calls; no tool where it cannot be run."""
    for position, call in enumerate(decision["calls"]):
        if phase_of(domain, decision, position) == phase:
            refused = str(position) in decision["refused"]
            tool = None if refused else domain.registry.offered(call["name"])
            yield position, tool, call["args"]


def phase_after(
    domain: Domain, decision: Decision, done: Phase | None
) -> Phase | Literal["decide", "respond"]:
    """Return the phase after `done`; a decision without calls is the answer."""
    if not decision["calls"]:
        return "respond"
    wanted = {phase_of(domain, decision, position) for position in range(len(decision["calls"]))}
    left = _ORDER if done is None else _ORDER[_ORDER.index(done) + 1 :]
    return next((phase for phase in left if phase in wanted), "decide")


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
    """Name a pending decision within its turn; the first release knew no forks."""
    return place_name(decision["ordinal"], decision.get("fork", 1))


def call_name(place: str, position: int) -> str:
    """Name a call within its turn."""
    return f"{place}.{position}"


def called_at(call: str) -> tuple[int, int]:
    """Return which decision of the turn a call is of, and its position there, whatever branch."""
    place, _, position = call.partition(".")
    return int(place.partition("~")[0]), int(position)
