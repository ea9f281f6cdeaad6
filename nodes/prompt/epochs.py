"""Read the past of a thread: its transcript, earlier decisions, and its prompt's epoch.

An epoch may be over before the model is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.past.branch import Place, decided_at, of_branch
from daybook.nodes.prompt.compiler import Prompt, compile_prompt
from daybook.nodes.prompt.transcript import Transcript
from daybook.nodes.running.work import Work
from daybook.state.agent import Asked, Epoch, said_in
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.prompt.epoch import BEGUN, BUDGET, FORGOTTEN, HANDED_OVER, rent_of, why_over

_LEAST = 40
"""Tokens of a message or result that always stand."""


async def transcript_of(state: State, work: Work) -> tuple[Transcript, list[int]]:
    """Compile the thread's transcript up to now; also the handles of reads that are stale."""
    covers = state["epoch"]["covers"]
    entries, reads, stale = await work.reads.of_epoch(work.session.thread_id, covers)
    return _compiled(state, entries, reads, work), stale


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
    covers = state["epoch"]["covers"]
    entries, reads, _ = await work.reads.of_epoch(work.session.thread_id, covers)
    for decided in candidates:
        before = [entry for entry in entries if entry.seq < decided.seq]
        then = _compiled(state, before, reads, work)
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


def _compiled(
    state: State, entries: Sequence[Entry], reads: Sequence[Read], work: Work
) -> Transcript:
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
    if state.get("waiting") is not None:
        transcript.wait(state["turn"]["turn_id"])
    transcript.last_seq = max((entry.seq for entry in entries), default=epoch["covers"])
    missing = {*transcript.missing()}
    transcript.give(one for one in reads if (one.turn_id, one.call) in missing)
    transcript.compile(said_in(state.get("messages") or ()))
    return transcript


State = Mapping[str, Any]

TIGHTEST = 3
"""How often a turn that passes the budget again and again is cut more."""

_MOST_KEPT = 1_000
"""Tokens of the turn before that a new epoch keeps as they stand; a longer one is dropped."""


@dataclass(frozen=True)
class Cut:
    """Say where a new epoch would begin.

    Attributes:
        covers: last ledger entry that its digest would cover.
        kept: tokens of the transcript behind that, before the turn in progress.
        droppable: tokens before it.
    """

    covers: int
    kept: int
    droppable: int


def cut_before(transcript: Transcript, *, keep: int = _MOST_KEPT) -> Cut:
    """Cut before the turn that came before this one, where that is short, else before this one.

    Args:
        keep: tokens of the turn before that may stay; 0 keeps nothing of it.
    """
    if not transcript.turns:
        return Cut(transcript.last_seq, 0, 0)
    *earlier, this = transcript.turns
    if earlier and this.before - earlier[-1].before <= keep:
        last = earlier[-1]
        return Cut(last.seq - 1, this.before - last.before, last.before)
    return Cut(this.seq - 1, 0, this.before)


def why_due(state: State, transcript: Transcript, prompt: Prompt, work: Work) -> str | None:
    """Say why a new epoch begins before this call, or None."""
    epoch: Epoch = state["epoch"]
    if work.domain.owner(state["flow"]) != _owner_of(epoch, work):
        return HANDED_OVER
    if "made_at" not in epoch and not transcript.decided and state.get("facts"):
        return BEGUN
    if _is_forgotten(state, epoch, transcript):
        return FORGOTTEN
    if epoch.get("tightness") and epoch.get("made_in") != state["turn"]["turn_id"]:
        # What was cut for the sake of one turn is read in full in the next one.
        return BUDGET
    place = cut_before(transcript)
    is_new_turn = state["turn"]["ordinal"] == 0
    return why_over(
        tokens=prompt.tokens,
        budget=work.resources.budget,
        digest=prompt.zones[1],
        kept=place.kept,
        droppable=place.droppable,
        rent=epoch.get("rent", 0) + rent_of(place.droppable, work.resources.caching.read),
        is_new_turn=is_new_turn,
        is_cold=is_cold(state.get("asked"), work.clock.now()),
    )


def is_exhausted(state: State) -> bool:
    """Tell whether the turn in progress was cut as far as it may be: no new epoch makes it fit."""
    epoch: Epoch = state["epoch"]
    is_of_this_turn = epoch.get("made_in") == state["turn"]["turn_id"]
    return is_of_this_turn and epoch.get("tightness", 0) == TIGHTEST


def _owner_of(epoch: Epoch, work: Work) -> str:
    """Return whose prompt an epoch is; the first one is that of whoever begins."""
    return epoch.get("owner") or work.domain.owner(work.domain.flow.start)


def report(state: State, transcript: Transcript, prompt: Prompt, work: Work) -> dict[str, Any]:
    """Report the prompt that is sent now, and what the epoch has paid for by then."""
    epoch, before = state["epoch"], state.get("asked")
    caching = work.resources.caching
    now = work.clock.now()
    shared = 0
    if before is not None and not is_cold(before, now):
        # Within an epoch what stood before the tail stands there still.
        same = before["epoch"] == epoch["number"]
        shared = sum(before["zones"][:3]) if same else prompt.zones[0] * _is_same_owner(epoch)
    asked = Asked(
        epoch=epoch["number"],
        zones=list(prompt.zones),
        shared=shared,
        superseded=list(prompt.superseded),
        why=epoch.get("why", "") if before is None or before["epoch"] != epoch["number"] else "",
        at=now.isoformat(),
        lifetime=caching.waiting if work.domain.may_wait(state) else caching.lifetime,
    )
    rent = epoch.get("rent", 0.0) + rent_of(cut_before(transcript).droppable, caching.read)
    return {"asked": asked, "epoch": {**epoch, "rent": round(rent, 1)}}


def _is_same_owner(epoch: Epoch) -> bool:
    return epoch.get("why") != HANDED_OVER


def is_cold(asked: Asked | None, now: datetime) -> bool:
    """Tell whether the provider's cache has ended since the model was asked last."""
    if asked is None:
        return False
    ends = datetime.fromisoformat(asked["at"]) + timedelta(seconds=asked["lifetime"])
    return now > ends


def _is_forgotten(state: State, epoch: Epoch, transcript: Transcript) -> bool:
    """Tell whether the prompt still tells what the person wants to be forgotten."""
    known = {fact.subject for fact in state.get("facts", ())}
    told = {line.partition(":")[0] for line in epoch.get("facts", ())}
    since = epoch.get("made_at", 0)
    return transcript.forgot_at > since or not (told | transcript.remembered_since(since)) <= known
