"""Show the prompt of a decision again, and prove that it is the one that the model saw.

It is compiled from what is kept: this release's instructions, the document of its epoch, the rows
before it on its branch, and the tail that its entry holds. The digest that stands in the chain is
the proof. No model is asked and nothing is written.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple

from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.progress import Version
from daybook.checkpoints.runs.reads import Read
from daybook.nodes.past.branch import of_branch, place_decided
from daybook.nodes.prompt.compiler import Prompt, Volatile, assembled, begun, said_in
from daybook.nodes.prompt.transcript import Transcript
from daybook.state.agent import Epoch
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain

Said = Mapping[str, str]
"""What people read on one branch of a thread, by message id, in order."""

_KNOWN = "Its tokens by zone and its digest are in the ledger."

NOT_COMPILED = (
    "Daybook did not compile the prompt of this decision, so it cannot be shown. Its digest is in "
    "the ledger."
)
ERASED = (
    "What was said and called in this thread was erased, on request or after its time, and with it "
    f"the prompt. {_KNOWN}"
)
NO_DOCUMENT = (
    "The document that its prompt began with was erased after its time, so the prompt cannot be "
    f"shown again. {_KNOWN}"
)
ANOTHER_FLOW = (
    "Its prompt was made where this release's flow has no such position: run the release that "
    f"wrote it. {_KNOWN}"
)
NO_WORDS = (
    "It was taken on a branch that somebody left, and what was said there is kept no more, so the "
    f"prompt cannot be shown whole. {_KNOWN}"
)
OTHERWISE = (
    "This is what the kept rows come to, and its digest is not that of the ledger: another release "
    "wrote instructions or results in other words, or rows were erased."
)
OTHER_TOOLS = (
    "Instructions and messages are proved by the digest in the ledger. The tools have the same "
    "names and are described otherwise by this release."
)


@dataclass(frozen=True)
class Shown:
    """The prompt of a decision as far as it can be shown again.

    Attributes:
        decided: the decision's ledger entry.
        prompt: None where too little is kept.
        doubt: why it is not proved to be what the model saw, in a sentence; "" where it is.
        said: what people had read by then on its branch.
    """

    decided: Entry
    prompt: Prompt | None
    doubt: str = ""
    said: Said = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Tell whether it is proved to be what the model saw, word for word."""
        return not self.doubt


@dataclass
class PastPrompts:
    """Show the prompts of one thread again; all that is kept of it is read once."""

    domain: Domain
    entries: Sequence[Entry]
    versions: Sequence[Version]
    reads: Sequence[Read]
    salt: str | None
    newest: Said
    _all_said: Callable[[], Awaitable[list[Said]]]
    _said: list[Said] | None = None

    async def of(self, decided: Entry) -> Shown:
        """Show the prompt of a decision of this thread."""
        if "flow" not in decided.detail:
            return Shown(decided, None, NOT_COMPILED)
        if decided.payload is None or not self.newest:
            return Shown(decided, None, ERASED)
        if decided.detail["flow"] not in self.domain.flow.offered:
            return Shown(decided, None, ANOTHER_FLOW)
        epochs = list(self._epochs(decided))
        if not epochs:
            return Shown(decided, None, NO_DOCUMENT)
        nearest: Shown | None = None
        async for said in self._branches_with(decided.turn_id or ""):
            for epoch in epochs:
                prompt = self._compiled(decided, epoch, said)
                if prompt.digest == decided.detail["prompt"]:
                    same = prompt.zones[0] == decided.detail["zones"][0]
                    return Shown(decided, prompt, "" if same else OTHER_TOOLS, said)
                nearest = nearest or Shown(decided, prompt, OTHERWISE, said)
        return nearest or Shown(decided, None, NO_WORDS)

    def _epochs(self, decided: Entry) -> Iterator[Epoch]:
        """Return what its epoch may have begun with: branches may each have one of this number."""
        number = decided.detail["epoch"]
        tightness = decided.detail.get("tightness", 0)
        if number == 0:
            yield Epoch(number=0, digest="", covers=0)
        for one in self.versions:
            if one.epoch == number and one.covers < decided.seq:
                about = Epoch(
                    number=number,
                    digest=one.digest,
                    covers=one.covers,
                    last=one.last,
                    why=one.why,
                    tightness=tightness,
                )
                yield about
                # A document without anything that lasts stands in no prompt.
                yield Epoch(**{**about, "digest": ""})

    async def _branches_with(self, turn_id: str) -> AsyncIterator[Said]:
        """Yield what was said up to a turn, on each branch that holds it, the newest first."""
        newest = _upto(self.newest, turn_id)
        if turn_id in newest:
            yield newest
        # Most threads have one branch, and its newest checkpoint tells all: others are read late.
        if self._said is None:
            self._said = await self._all_said()
        tried = [newest]
        for said in self._said:
            upto = _upto(said, turn_id)
            if turn_id in said and upto not in tried:
                tried.append(upto)
                yield upto

    def _compiled(self, decided: Entry, epoch: Epoch, said: Said) -> Prompt:
        detail = decided.detail
        before = [entry for entry in self.entries if epoch["covers"] < entry.seq < decided.seq]
        transcript = begun(self.domain, epoch, detail["most"])
        transcript.take(of_branch(before, detail.get("after"), place_decided(decided)))
        self._give_reads(transcript, decided)
        tail = (decided.payload or {}).get("tail", transcript.tail) or ""
        volatile = Volatile(detail["flow"], tail, tuple(detail.get("superseded", ())))
        events = transcript.compiled(said)
        return assembled(volatile, epoch, transcript, events, self.salt, self.domain)

    def _give_reads(self, transcript: Transcript, decided: Entry) -> None:
        """Complete the transcript with what had been read by then."""
        missing = set(transcript.missing())
        transcript.give(
            read
            for read in self.reads
            if (read.turn_id, read.call) in missing and not _is_later(read, decided)
        )


async def past_prompts(thread_id: str, domain: Domain, postgres: Postgres) -> PastPrompts:
    """Read what is kept of a thread's prompts."""
    entries = await postgres.ledger.entries(thread_id)
    turns = [e.turn_id for e in entries if e.event is Event.RECEIVED and e.turn_id]
    about: Any = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    newest = await postgres.saver.aget_tuple(about)

    async def all_said() -> list[Said]:
        return [_said(stored) async for stored in postgres.saver.alist(about)]

    return PastPrompts(
        domain,
        entries,
        await postgres.documents.versions(thread_id),
        await postgres.reads.of_turns(thread_id, turns),
        await postgres.threads.salt(thread_id),
        _said(newest) if newest else {},
        all_said,
    )


def _said(stored: CheckpointTuple) -> Said:
    return said_in(stored.checkpoint["channel_values"])


def _upto(said: Said, turn_id: str) -> Said:
    """Drop what was said after a turn began."""
    kept = {}
    for name, text in said.items():
        kept[name] = text
        if name == turn_id:
            break
    return kept


def _is_later(read: Read, decided: Entry) -> bool:
    return read.read_at is not None and decided.at is not None and read.read_at > decided.at
