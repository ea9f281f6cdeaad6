"""Recall a thread: its transcript up to now, and what was decided at this place before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.nodes.past.branch import Place, decided_next, of_branch
from daybook.nodes.prompt.compiler import begun, compile_prompt, said_in
from daybook.nodes.prompt.transcript import Transcript
from daybook.nodes.running.work import Work
from daybook.state.agent import Epoch
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event

State = Mapping[str, Any]

_LEAST = 40
"""Tokens of a message or result that always stand."""


async def transcript_of(state: State, work: Work) -> tuple[Transcript, list[int]]:
    """Bring the thread's transcript up to date; also the handles of reads that are stale."""
    kept = work.resources.transcripts
    thread_id, epoch = work.session.thread_id, state["epoch"]
    transcript = kept.of(thread_id, epoch, said_in(state), work.domain, most_of(epoch, work))
    transcript.take(await work.ledger.entries(thread_id, after=transcript.last_seq))
    last = last_of(state)
    if transcript.forked or last != transcript.last:
        # Somebody went back: what was compiled holds the branch that was left.
        transcript = _anew(state, await work.ledger.entries(thread_id, epoch["covers"]), work)
        kept.keep(thread_id, epoch, transcript)
    return transcript, await _give_reads(transcript, work)


async def recorded(state: State, transcript: Transcript, work: Work) -> Entry | None:
    """Return the decision that was taken here before, if it was taken on the same prompt.

    A prompt is compared as it was then: what happened since is no reason to ask the model again.
    """
    place, last = place_of(state), last_of(state)
    candidates = decided_next(transcript.elsewhere, place, last)
    if not candidates:
        return None
    entries = await work.ledger.entries(work.session.thread_id, state["epoch"]["covers"])
    for decided in candidates:
        then = _anew(state, [entry for entry in entries if entry.seq < decided.seq], work)
        await _give_reads(then, work)
        prompt = compile_prompt(state, then, (), work.domain, work.session)
        if prompt.digest == decided.detail["prompt"]:
            return decided
    return None


def place_of(state: State) -> Place:
    """Return where the next decision is taken."""
    return state["turn"]["turn_id"], state["turn"]["ordinal"]


def last_of(state: State) -> int | None:
    """Return the branch's last decision, 0 for none; None where the state does not say."""
    last: int | None = state["turn"].get("last")
    return last


def most_of(epoch: Epoch, work: Work) -> int:
    """Return what one message or result may take, in tokens: less where a turn is too long."""
    return max(_LEAST, work.resources.budget // 8 >> 2 * epoch.get("tightness", 0))


def _anew(state: State, entries: Sequence[Entry], work: Work) -> Transcript:
    """Compile the transcript of the state's branch from all that its epoch does not cover."""
    transcript = begun(work.domain, state["epoch"], most_of(state["epoch"], work))
    own = of_branch(entries, last_of(state), place_of(state))
    transcript.take(own)
    taken = {entry.seq for entry in own}
    transcript.elsewhere = [
        entry for entry in entries if entry.event is Event.DECIDED and entry.seq not in taken
    ]
    transcript.last_seq = max((entry.seq for entry in entries), default=transcript.last_seq)
    return transcript


async def _give_reads(transcript: Transcript, work: Work) -> list[int]:
    """Complete a transcript with its reads; returns the handles of those that are stale."""
    missing = transcript.missing()
    if not missing and not transcript.has_reads:
        return []
    reads, stale = await work.reads.results(work.session.thread_id, missing)
    transcript.give(reads)
    return stale
