"""Compile the prompt: a function of typed state and the rows of the thread.

Four zones (CONTEXT): Z0 instructions and tools, the same bytes always; Z1 the epoch's digest; Z2
the transcript; Z3 the volatile tail.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.nodes.prompt.transcript import AROUND, Transcript
from daybook.state.effects.keys import canonical, digest
from daybook.state.people.facts import line_of
from daybook.state.prompt.lessons import applicable
from daybook.state.prompt.lessons import line_of as lesson_line
from daybook.state.prompt.tokens import cut_inside, estimated
from daybook.state.session import Session
from daybook.tools.domain import Domain

_ENDLESS = 1_000_000

_HANDLE = re.compile(r"^- r(\d+) ", re.MULTILINE)

BREAKPOINT = "cache_breakpoint"
"""Marks, in a message's `additional_kwargs`, where a provider's cache may end."""


@dataclass(frozen=True)
class Prompt:
    """What the model is asked.

    Attributes:
        digest: hash of messages and tools; the decision is recorded under it. Which reads are
            superseded by now is left out: a decision is known again although time went on.
        zones: estimated tokens of Z0 to Z3.
        superseded: handles that it names as superseded.
        tail: Z3 uncut and without those handles: what of a prompt cannot be compiled from the rows.
    """

    messages: list[BaseMessage]
    tools: list[dict[str, Any]]
    digest: str
    zones: tuple[int, int, int, int]
    superseded: tuple[int, ...]
    tail: str

    @property
    def tokens(self) -> int:
        """Return what it is estimated to take in all."""
        return sum(self.zones)


def compile_prompt(
    state: Mapping[str, Any],
    transcript: Transcript,
    stale: Sequence[int],
    domain: Domain,
    session: Session,
) -> Prompt:
    """Compile what the model is asked next.

    Args:
        transcript: of this thread, compiled up to now.
        stale: handles of reads that a write made stale; those that it shows are named.
    """
    flow = state["flow"]
    offered = domain.flow.offered[flow]
    now = [
        "# Now",
        *_whose(flow, domain),
        *domain.tail(state, session),
        *_news(state, transcript.facts, session),
        *_learnt(state, offered),
    ]
    shown = transcript.handles | _handles_in(transcript.epoch["digest"])
    # A result that answered several calls is named once.
    named = [handle for handle in dict.fromkeys(stale) if handle in shown]
    superseded, tail = tuple(named), "\n".join(now)
    z0, z1 = domain.system(flow), transcript.epoch["digest"]
    z3 = _tail(tail, superseded, _most_of_tail(transcript))
    # The chain keeps the digest. Unsalted, words could be guessed from it after they were erased.
    salts = [salt] if (salt := state.get("salt")) is not None else []
    tools = domain.registry.schemas(offered)
    hashed = [*salts, z0, z1, transcript.digest, _tail(tail), sorted(offered)]
    return Prompt(
        messages=[
            _marked(SystemMessage(z0)),
            *([_marked(SystemMessage(z1))] if z1 else []),
            *_last_marked(transcript.messages),
            SystemMessage(z3),
        ],
        tools=tools,
        digest=digest(hashed)[:32],
        zones=(
            _fixed(z0, canonical(tools)),
            AROUND + estimated(z1) if z1 else 0,
            transcript.tokens,
            AROUND + estimated(z3),
        ),
        superseded=superseded,
        tail=tail,
    )


@lru_cache(maxsize=64)
def _fixed(system: str, tools: str) -> int:
    """Estimate what instructions and tools take: the same few, again and again."""
    return AROUND + estimated(system) + estimated(tools)


def _whose(flow: str, domain: Domain) -> list[str]:
    return [f"flow: {flow}", *([f"owner: {domain.owner(flow)}"] if domain.agents else [])]


def _news(state: Mapping[str, Any], shown: set[str], session: Session) -> list[str]:
    """Name what became known of the person since the digest was written, and is not shown.

    In another thread, or on a branch of this one that was left.
    """
    told = set(state["epoch"].get("facts", ()))
    here = {fact for fact in state.get("facts", ()) if fact.source == session.thread_id}
    news = [
        line
        for fact in state.get("facts", ())
        if (line := line_of(fact)) not in told and not (fact in here and line in shown)
    ]
    return [f"facts since: {'; '.join(news)}"] if news else []


def _learnt(state: Mapping[str, Any], offered: frozenset[str]) -> list[str]:
    """Name the lessons that apply here (as `daybook.nodes.past.learn` counts what was shown)."""
    shown = applicable(state.get("lessons", ()), state["flow"], offered)
    return [f"lessons: {'; '.join(map(lesson_line, shown))}"] if shown else []


def _marked(message: BaseMessage) -> BaseMessage:
    """Mark the end of a message as one at which a provider's cache may end."""
    return message.model_copy(update={"additional_kwargs": {BREAKPOINT: True}})


def _last_marked(events: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Mark the last user or tool message, up to which the next prompt is the same."""
    marked = list(events)
    ends = [at for at, m in enumerate(events) if isinstance(m, HumanMessage | ToolMessage)]
    if ends:
        marked[ends[-1]] = _marked(marked[ends[-1]])
    return marked


def _most_of_tail(transcript: Transcript) -> int:
    """Return what the tail may take: less in a turn that is too long."""
    return 3 * transcript.most << min(transcript.epoch.get("tightness", 0), 2)


def _tail(now: str, stale: Sequence[int] = (), most: int = _ENDLESS) -> str:
    """Write the last zone; it ends with what is out of date of the results that are shown."""
    superseded = " ".join(f"r{handle}" for handle in stale) or "none"
    return "\n".join([cut_inside(now, most), f"superseded: {superseded}"])


def _handles_in(digest: str) -> set[int]:
    """Return the handles that a digest names as read before."""
    return {int(handle) for handle in _HANDLE.findall(digest)}
