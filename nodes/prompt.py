"""Compile the prompt: a function of typed state and the rows of the thread.

Four zones (CONTEXT): Z0 instructions and tools, the same bytes always; Z1 the epoch's digest; Z2
the transcript; Z3 the volatile tail.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, SystemMessage

from nodes.transcript import Transcript
from state.keys import digest
from state.session import Session
from tools.domain import Domain

_KEPT = 128


@dataclass(frozen=True)
class Prompt:
    """Hold what the model is asked.

    Attributes:
        digest: hash of messages and tools; the decision is recorded under it. Which reads are
            superseded by now is left out: a decision is known again although time went on.
    """

    messages: list[BaseMessage]
    tools: list[dict[str, Any]]
    digest: str


class Transcripts:
    """Keep the transcripts of the threads that were at work last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Transcript] = OrderedDict()

    def of(
        self, thread_id: str, epoch: Mapping[str, Any], said: Mapping[str, str], domain: Domain
    ) -> Transcript:
        """Return the transcript of a thread's epoch as far as it was compiled, or an empty one."""
        kept = self._kept.get((thread_id, epoch["number"]))
        if kept is None or kept.domain is not domain or not kept.fits(said):
            kept = Transcript(domain, last_seq=epoch["covers"])
        self.keep(thread_id, epoch, kept)
        return kept

    def keep(self, thread_id: str, epoch: Mapping[str, Any], transcript: Transcript) -> None:
        """Keep a transcript that was compiled anew."""
        key = (thread_id, epoch["number"])
        self._kept[key] = transcript
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def compile_prompt(
    state: Mapping[str, Any],
    transcript: Transcript,
    stale: Sequence[int],
    domain: Domain,
    session: Session,
) -> Prompt:
    """Compile what the model is asked next.

    Args:
        transcript: of this thread, up to now.
        stale: handles of reads that a write made stale.
    """
    offered = domain.flow.offered[state["flow"]]
    z0 = domain.prompt.system
    z1 = state["epoch"]["digest"]
    events = transcript.compiled(said_in(state))
    now = ["# Now", f"flow: {state['flow']}", *domain.prompt.tail(state, session)]
    z3 = _tail(now, stale)
    # The chain keeps the digest. Unsalted, words could be guessed from it after they were erased; a
    # thread of the first release has no salt.
    salt = [state["salt"]] if "salt" in state else []
    left = [[m.type, m.text] for m in events[len(transcript.messages) :]]
    return Prompt(
        messages=[
            SystemMessage(z0),
            *([SystemMessage(z1)] if z1 else []),
            *events,
            SystemMessage(z3),
        ],
        tools=domain.registry.schemas(offered),
        digest=digest([*salt, z0, z1, transcript.digest, left, _tail(now, ()), sorted(offered)])[
            :32
        ],
    )


def _tail(now: Sequence[str], stale: Sequence[int]) -> str:
    superseded = " ".join(f"r{handle}" for handle in stale) or "none"
    return "\n".join([*now, f"superseded: {superseded}"])


def said_in(state: Mapping[str, Any]) -> dict[str, str]:
    """Return what people read, by message id."""
    return {message.id: message.text for message in state["messages"]}
