"""Recall a thread: its transcript up to now, and what was decided at this place before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.nodes.past.branch import Place, decided_at, of_branch
from daybook.nodes.prompt.compiler import compile_prompt, said_in
from daybook.nodes.prompt.transcript import Transcript
from daybook.nodes.running.work import Work
from daybook.state.agent import Epoch
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event

State = Mapping[str, Any]

_LEAST = 40
"""Tokens of a message or result that always stand."""


async def transcript_of(state: State, work: Work) -> tuple[Transcript, list[int]]:
    """Compile the thread's transcript up to now; also the handles of reads that are stale."""
    entries = await work.ledger.entries(work.session.thread_id, state["epoch"]["covers"])
    return await _compiled(state, entries, work)


async def recorded(state: State, transcript: Transcript, work: Work) -> Entry | None:
    """Return the decision that was taken here before, if it was taken on the same prompt.

    A prompt is compared as it was then: what happened since is no reason to ask the model again.
    """
    last = last_of(state)
    candidates = [
        entry
        for entry in decided_at(transcript.elsewhere, place_of(state))
        if entry.detail["after"] == last
    ]
    if not candidates:
        return None
    entries = await work.ledger.entries(work.session.thread_id, state["epoch"]["covers"])
    for decided in candidates:
        before = [entry for entry in entries if entry.seq < decided.seq]
        then, _ = await _compiled(state, before, work)
        prompt = compile_prompt(state, then, (), work.domain, work.session)
        if prompt.digest == decided.detail["prompt"]:
            return decided
    return None


def place_of(state: State) -> Place:
    """Return where the next decision is taken."""
    return state["turn"]["turn_id"], state["turn"]["ordinal"]


def last_of(state: State) -> int:
    """Return the branch's last decision, 0 for none."""
    last: int = state["turn"].get("last", 0)
    return last


async def _compiled(
    state: State, entries: Sequence[Entry], work: Work
) -> tuple[Transcript, list[int]]:
    """Compile the transcript of the state's branch from all that its epoch does not cover."""
    epoch: Epoch = state["epoch"]
    # What one message or result may take: less where a turn is too long.
    most = max(_LEAST, work.resources.budget // 8 >> 2 * epoch.get("tightness", 0))
    transcript = Transcript(work.domain, epoch, most, last_seq=epoch["covers"])
    own = of_branch(entries, last_of(state))
    transcript.take(own)
    taken = {entry.seq for entry in own}
    transcript.elsewhere = [
        entry for entry in entries if entry.event is Event.DECIDED and entry.seq not in taken
    ]
    transcript.last_seq = max((entry.seq for entry in entries), default=epoch["covers"])
    stale: list[int] = []
    if missing := transcript.missing():
        reads, stale = await work.reads.results(work.session.thread_id, missing)
        transcript.give(reads)
    transcript.compile(said_in(state))
    return transcript, stale
