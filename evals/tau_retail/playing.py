"""Be the customer of a recorded run, in front of an agent that may have been killed before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from daybook.state.clock import SYSTEM

_COMES = 200
"""How often somebody comes for a thread before it is given up."""

_BETWEEN = 0.02
"""Seconds between two looks whether a thread has become due."""


@dataclass(frozen=True)
class Standing:
    """Where a thread stands.

    Attributes:
        heard: ids of the messages that it knows.
        is_cut_off: something was begun, and is to be gone on with.
    """

    heard: frozenset[str]
    is_cut_off: bool


class Agent(Protocol):
    """What is talked with: one thread of it."""

    async def standing(self) -> Standing:
        """Tell where the thread stands."""

    async def go_on(self) -> None:
        """Go on with what was cut off, as the agent's documentation says."""

    async def say(self, message_id: str, text: str) -> bool:
        """Say something, and return whether it was answered."""

    async def results(self) -> list[str]:
        """Return the results of the thread's calls as they are stored, in order."""


async def play(agent: Agent, name: str, says: Sequence[str]) -> None:
    """Say whatever is still to be said, until all of it is answered.

    Raises:
        NeverEnds: it is not over however often somebody comes for it.
    """
    for _ in range(_COMES):
        standing = await agent.standing()
        if standing.is_cut_off:
            await agent.go_on()
            if (await agent.standing()).is_cut_off:
                # It is not due yet.
                await SYSTEM.sleep(_BETWEEN)
            continue
        for number, text in enumerate(says):
            message_id = f"{name}-{number}"
            if message_id not in standing.heard and not await agent.say(message_id, text):
                break
        else:
            return
    raise NeverEnds(f"{name} never ends")


class NeverEnds(Exception):
    """Raised where a thread does not come to its end."""
