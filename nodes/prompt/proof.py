"""Show the prompt of a decision again, and prove that it is the one that the model saw.

It is compiled from what is kept: this release's instructions, the document of its epoch, the rows
before it on its branch, and the tail that its entry holds. The digest that stands in the chain is
the proof. No model is asked and nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.reads import Read, Version
from daybook.nodes.past.branch import of_branch
from daybook.nodes.prompt.compiler import Prompt, assembled, said_in
from daybook.nodes.prompt.transcript import Transcript
from daybook.state.agent import Epoch
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain

Said = Mapping[str, str]
"""What people read in a thread, by message id, in order."""

_KNOWN = "Its tokens by zone and its digest are in the ledger."

NOT_COMPILED = (
    "Daybook did not compile the prompt of this decision, so it cannot be shown. Its digest is in "
    "the ledger."
)
NOT_KEPT = (
    "What its prompt was made of is not kept: it was erased, on request or after its time, or the "
    f"decision was taken on a branch that somebody left. {_KNOWN}"
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
        said: what people had read by then.
    """

    decided: Entry
    prompt: Prompt | None
    doubt: str = ""
    said: Said = field(default_factory=dict)


@dataclass
class PastPrompts:
    """Show the prompts of one thread again; all that is kept of it is read once.

    Attributes:
        newest: what people read on the branch that the thread is on.
    """

    domain: Domain
    entries: Sequence[Entry]
    versions: Sequence[Version]
    reads: Sequence[Read]
    salt: str | None
    newest: Said

    def of(self, decided: Entry) -> Shown:
        """Show the prompt of a decision of this thread."""
        if "flow" not in decided.detail:
            return Shown(decided, None, NOT_COMPILED)
        said = _upto(self.newest, decided.turn_id or "")
        is_kept = decided.payload is not None and decided.turn_id in said
        if not is_kept or decided.detail["flow"] not in self.domain.flow.offered:
            return Shown(decided, None, NOT_KEPT)
        prompts = [self._compiled(decided, epoch, said) for epoch in self._epochs(decided)]
        for prompt in prompts:
            if prompt.digest == decided.detail["prompt"]:
                same = prompt.zones[0] == decided.detail["zones"][0]
                return Shown(decided, prompt, "" if same else OTHER_TOOLS, said)
        if not prompts:
            return Shown(decided, None, NOT_KEPT)
        return Shown(decided, prompts[0], OTHERWISE, said)

    def _epochs(self, decided: Entry) -> Iterator[Epoch]:
        """Return what its epoch may have begun with: branches may each have one of this number."""
        number = decided.detail["epoch"]
        if number == 0:
            yield Epoch(number=0, digest="", covers=0)
        for one in self.versions:
            if one.epoch == number and one.covers < decided.seq:
                # A document without anything that lasts stands in no prompt.
                for digest in (one.digest, ""):
                    yield Epoch(
                        number=number,
                        digest=digest,
                        covers=one.covers,
                        last=one.last,
                        why=one.why,
                        tightness=decided.detail.get("tightness", 0),
                    )

    def _compiled(self, decided: Entry, epoch: Epoch, said: Said) -> Prompt:
        detail = decided.detail
        before = [entry for entry in self.entries if epoch["covers"] < entry.seq < decided.seq]
        transcript = Transcript(self.domain, epoch, detail["most"])
        transcript.take(of_branch(before, detail["after"]))
        missing = set(transcript.missing())
        # What had been read by then.
        transcript.give(
            read
            for read in self.reads
            if (read.turn_id, read.call) in missing and not _is_later(read, decided)
        )
        transcript.compile(said)
        tail = (decided.payload or {}).get("tail", transcript.tail) or ""
        superseded = tuple(detail.get("superseded", ()))
        return assembled(detail["flow"], tail, superseded, transcript, self.salt)


async def past_prompts(thread_id: str, domain: Domain, postgres: Postgres) -> PastPrompts:
    """Read what is kept of a thread's prompts."""
    entries = await postgres.ledger.entries(thread_id)
    turns = [e.turn_id for e in entries if e.event is Event.RECEIVED and e.turn_id]
    return PastPrompts(
        domain,
        entries,
        await postgres.documents.versions(thread_id),
        await postgres.reads.of_turns(thread_id, turns),
        await postgres.threads.salt(thread_id),
        said_in(await postgres.saver.values(thread_id)),
    )


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
