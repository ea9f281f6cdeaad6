"""Begin a new epoch of the prompt: write the progress document, and drop what it covers.

No model is asked for it. It fails closed: nothing is dropped before the document is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, Literal

from langgraph.types import Command

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.prompt.epochs import TIGHTEST, Cut, cut_before, transcript_of
from daybook.nodes.prompt.transcript import Transcript
from daybook.nodes.running.work import Work
from daybook.state.agent import Epoch
from daybook.state.ledger.plan import Plan
from daybook.state.people.tool_messages import as_said
from daybook.state.prompt.epoch import BUDGET, FORGOTTEN, HANDED_OVER
from daybook.state.prompt.progress import Known, Progress, fitting, known_fact, parse, render
from daybook.state.prompt.tokens import cut, estimated

State = Mapping[str, Any]
Exit = Literal["decide"]

_DECIDED, _FAILED, READS = 20, 8, 8
"""Lines of each section at most; older ones are in the ledger."""

_EARLIER = 4
"""Messages before a hand-over that the next agent gets."""

_LINE = 40
"""The most tokens of a line that may contain text of others."""

_MESSAGE, _VERBATIM = 40, 80
"""Tokens of a user's message that the digest keeps, and of all of them."""


async def compact(state: State, work: Work) -> Command[Exit]:
    """Store the thread's progress and begin a new epoch of the prompt with it."""
    epoch: Epoch = state["epoch"]
    why = epoch.get("due", BUDGET)
    transcript, _ = await transcript_of(state, work)
    tightness = _tightness(state, why)
    place = _place(transcript, why, tightness)
    last = max((seq for seq in transcript.decided if seq <= place.covers), default=None)
    last = epoch.get("last", 0) if last is None else last
    words = _words(state, work) if why == HANDED_OVER else ()
    reads = await work.reads.latest(work.session.thread_id, READS)
    progress = progress_of(state, transcript, work, reads, words=words)
    staying = frozenset(turn.turn_id for turn in transcript.turns if turn.seq > place.covers)
    dropped = progress_of(state, transcript, work, reads, but_not=staying, words=words)
    lasting = fitting(dropped.lasting, work.resources.budget // 4)
    new = await begin_epoch(
        state,
        progress,
        lasting,
        work,
        after=epoch["number"],
        covers=place.covers,
        last=last,
        why=why,
    )
    new["rent"], new["tightness"] = 0.0, tightness
    new["made_at"], new["made_in"] = transcript.last_seq, state["turn"]["turn_id"]
    if forgot_in := _forgot_in(state, transcript):
        new["forgot_in"] = forgot_in
    return Command(update={"epoch": new}, goto="decide")


async def begin_epoch(
    state: State,
    progress: Progress,
    lasting: Progress,
    work: Work,
    *,
    after: int,
    covers: int,
    last: int,
    why: str,
) -> Epoch:
    """Store a document, and make the epoch that begins with what of it lasts.

    A branch that was left may have begun its epoch at this very place, and what is known may have
    changed since: its document is not this one's, and neither is its number.
    """
    document, digest = render(progress), render(lasting)
    for number in count(after + 1):
        version = await work.resources.postgres.documents.keep(
            work.session,
            epoch=number,
            covers=covers,
            last=last,
            why=why,
            document=document,
            digest=digest,
        )
        if (version.document, version.digest) == (document, digest):
            break
    return Epoch(
        number=number,
        digest="" if lasting.is_empty else digest,
        covers=covers,
        last=last,
        owner=work.domain.owner(state["flow"]),
        facts=list(map(str, lasting.facts)),
        why=why,
        made_at=covers,
    )


def progress_of(
    state: State,
    transcript: Transcript,
    work: Work,
    reads: Sequence[Read],
    but_not: frozenset[str] = frozenset(),
    words: Sequence[str] = (),
) -> Progress:
    """Make the document of a thread from its typed state, what people said, and its ledger.

    Args:
        transcript: of the epoch in progress; what is older stands in the epoch's digest.
        reads: the thread's latest, of which it lists the handles.
        but_not: turns whose calls are told elsewhere: they stay in the transcript.
        words: the messages with which the work is handed over.
    """
    before = _before(state["epoch"]["digest"])
    sketch, gist = work.domain.sketch(state), work.domain.gist
    plans = transcript.plans.values()
    told = [
        cut(work.domain.outcome_line(action), _LINE)
        for plan in plans
        if plan.over and not plan.edits and plan.turn_id not in but_not
        for action in plan.actions
    ]
    failed = [
        cut(" ".join(words.split()), _LINE)
        for turn_id, words in transcript.failures
        if turn_id not in but_not
    ]
    return Progress(
        goal=sketch.goal,
        facts=_by_kind([known_fact(fact) for fact in state.get("facts", ())]),
        said=_said(state, transcript, but_not, words),
        words=tuple(words),
        decided=tuple([*before.decided, *told][-_DECIDED:]),
        now=sketch.sections,
        questions=(*_waiting(plans), *_questions(state)),
        failed=tuple(dict.fromkeys([*before.failed, *failed]))[-_FAILED:],
        reads=tuple(
            f"r{read.handle} {read.tool} {gist(read.tool, read.args, read.result)}"
            for read in reads
            if read.turn_id not in but_not
        ),
    )


def _said(
    state: State, transcript: Transcript, but_not: frozenset[str], words: Sequence[str]
) -> tuple[str, ...]:
    """Return the user's newest messages that the digest covers, verbatim, within the budget.

    Nothing that was said before something was forgotten is among them. A thread that was started
    from another one has that one's messages in its first digest.
    """
    forgot_in = _forgot_in(state, transcript)
    mine = [(name, line) for name, line in _lines_of_user(state) if line not in words]
    names = [name for name, _ in mine]
    if forgot_in in names:
        mine = mine[names.index(forgot_in) + 1 :]
    before = () if forgot_in else _before(state["epoch"]["digest"]).said
    covered = [cut(line, _MESSAGE) for name, line in mine if name not in but_not]
    staying = {cut(line, _MESSAGE) for name, line in mine if name in but_not}
    lines = [*(one for one in before if one not in staying and one not in covered), *covered]
    # A question states nothing, and what a stored fact tells stands in the digest already.
    values = [fact.value.casefold() for fact in state.get("facts", ())]
    lines = [
        line
        for line in lines
        if not line.endswith("?") and not any(value in line.casefold() for value in values)
    ]
    return _newest_within(list(dict.fromkeys(filter(None, lines))), _VERBATIM)


def _newest_within(lines: Sequence[str], tokens: int) -> tuple[str, ...]:
    """Return the newest lines that fit in a number of tokens, in their order."""
    kept: list[str] = []
    for line in reversed(lines):
        tokens -= estimated(line)
        if tokens < 0:
            break
        kept.insert(0, line)
    return tuple(kept)


def _lines_of_user(state: State) -> list[tuple[str, str]]:
    """Return the user's messages by id, each as one line."""
    messages = state.get("messages") or ()
    return [(str(m.id), " ".join(m.text.split())) for m in messages if m.type == "human"]


def _forgot_in(state: State, transcript: Transcript) -> str:
    """Name the last turn in which the user had something forgotten, "" for none."""
    return transcript.forgot_in or state["epoch"].get("forgot_in", "")


def _words(state: State, work: Work) -> tuple[str, ...]:
    """Return the words with which the work is handed over, whole.

    Whoever began the thread is given back the outcome, and the message that ended it. Another
    agent begins with nothing, so it is given the messages before as well, as far as they fit in.
    """
    turn_id, domain = state["turn"]["turn_id"], work.domain
    mine = _lines_of_user(state)
    most = work.resources.budget // 8
    this = [cut(text, most) for name, text in mine if name == turn_id and text]
    if domain.owner(state["flow"]) == domain.owner(domain.flow.start):
        return tuple(this)
    earlier = [text for name, text in mine if name != turn_id and text][-_EARLIER:]
    return (*_newest_within(earlier, most // 2), *this)


def _tightness(state: State, why: str) -> int:
    """Say how much is cut: more each time that the budget is passed again in the same turn."""
    epoch: Epoch = state["epoch"]
    again = why == BUDGET and epoch.get("made_in") == state["turn"]["turn_id"]
    return min(epoch.get("tightness", 0) + 1, TIGHTEST) if again else 0


def _place(transcript: Transcript, why: str, tightness: int) -> Cut:
    if why == HANDED_OVER:
        # The next agent sees what came of the conversation, and not the conversation.
        return Cut(transcript.last_seq, 0, transcript.tokens)
    if why == FORGOTTEN or tightness:
        return cut_before(transcript, keep=0)
    return cut_before(transcript)


def _before(digest: str) -> Progress:
    """Read the digest of the epoch that ends; nothing if it is not ours."""
    try:
        return parse(digest) if digest else Progress()
    except ValueError:
        return Progress()


def _waiting(plans: Iterable[Plan]) -> tuple[str, ...]:
    """Name what waits for a person's decision."""
    return tuple(
        f"waits for approval: {cut(action.title or action.tool, _LINE)}"
        for plan in plans
        if not plan.over and not plan.decided
        for action in plan.actions
    )


def _by_kind(facts: Sequence[Known]) -> tuple[Known, ...]:
    order = ("fact", "preference", "constraint")
    return tuple(sorted(facts, key=lambda fact: order.index(fact.kind)))


def _questions(state: State) -> tuple[str, ...]:
    """Return what the last answer asked, if nobody has answered since."""
    said = as_said(state["messages"])
    last = said[-1] if said else None
    if last is None or last.type != "ai":
        return ()
    asked = last.text.strip().split("\n")[-1]
    return (cut(asked, _LINE),) if asked.endswith("?") else ()
