"""Ask a model again for one decision, and grade the calls that it proposes.

Nothing is executed: the module reads the database, asks a model and uses the domain's declarations.
It imports no node that acts (a contract of import-linter), opens no client of a service, and writes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langsmith.run_helpers import tracing_context

from daybook.app.grading.grade import Verdict, grade_proposal
from daybook.app.grading.history import read_trajectory, trajectory_of
from daybook.checkpoints.postgres import Postgres
from daybook.graph.model.chosen import caching_of
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.planning.refusals import proposed_in
from daybook.nodes.prompt.proof import PastPrompts, Shown, past_prompts
from daybook.state.errors import DaybookError, ModelUnavailable
from daybook.state.ledger.entry import Entry
from daybook.tools.domain import Domain

_AT_ONCE = 4
"""Concurrent requests to the provider."""


@dataclass(frozen=True)
class Variant:
    """One proposal and its verdicts.

    Attributes:
        calls: name and arguments of each call; none where it answers.
        text: the answer.
        verdicts: one for each call; an answer has none.
        fault: why there is no proposal, or "".
    """

    calls: Sequence[Mapping[str, Any]] = ()
    text: str = ""
    verdicts: tuple[Verdict, ...] = ()
    fault: str = ""

    @property
    def worst(self) -> Verdict | None:
        """Return the worst verdict on its calls; None where it has none."""
        return min(self.verdicts, key=lambda verdict: verdict.score, default=None)


@dataclass(frozen=True)
class Variants:
    """A decision and the proposals in its place.

    Attributes:
        shown: the prompt that every request was made with.
        decided: the thread's own decision, graded in the same way.
        proposed: one for each request, in order.
    """

    shown: Shown
    decided: Variant
    proposed: tuple[Variant, ...]


async def vary(
    postgres: Postgres,
    domain: Domain,
    thread_id: str,
    place: str,
    model: BaseChatModel,
    n: int,
    instructions: str | None = None,
) -> Variants:
    """Ask for a decision n times more, and grade the proposals.

    Args:
        place: the decision: turn/ordinal, as `daybook grade` prints its steps.
        instructions: replaces the agent's own instructions; None leaves them.

    Raises:
        DaybookError: there is no such thread or decision, or its prompt cannot be shown again.
    """
    past = await past_prompts(thread_id, domain, postgres)
    entry = await _decision(past, place, thread_id, postgres)
    shown = past.of(entry)
    if shown.prompt is None:
        raise DaybookError(f"{shown.doubt} Nothing was asked.")
    messages = list(shown.prompt.messages)
    if instructions is not None:
        messages[0] = messages[0].model_copy(update={"content": instructions})
    options = caching_of(model).options(thread_id, entry.detail["lifetime"])
    bound = model.bind_tools(shown.prompt.tools, **options)
    # Traces hold no message text; this prompt does.
    with tracing_context(enabled=False):
        answers = await bound.abatch(
            [messages] * n, {"max_concurrency": _AT_ONCE}, return_exceptions=True
        )
    decided = _graded(entry.payload or {}, shown, past, thread_id)
    proposed = tuple(_variant(answer, shown, past, thread_id) for answer in answers)
    return Variants(shown, decided, proposed)


async def _decision(past: PastPrompts, place: str, thread_id: str, postgres: Postgres) -> Entry:
    trajectory = await read_trajectory(postgres, past.domain, thread_id)
    wanted = place.partition(":")[0].partition(".")[0]
    for one in trajectory.decisions:
        if wanted == f"{one.turn}/{one.ordinal}":
            return next(entry for entry in past.entries if entry.seq == one.seq)
    raise DaybookError(
        f"The thread {thread_id} has no decision {place}. Nothing was asked; name one as "
        "turn/ordinal, as `daybook grade` prints its steps."
    )


def _variant(answer: Any, shown: Shown, past: PastPrompts, thread_id: str) -> Variant:
    if isinstance(answer, ModelUnavailable):
        return Variant(fault=str(answer))
    if not isinstance(answer, AIMessage):
        # As in the node `decide`; the provider's own message may quote the prompt.
        return Variant(fault=f"The model gave no decision ({type(answer).__name__}).")
    return _graded(proposed_in(answer), shown, past, thread_id)


def _graded(
    proposed: Mapping[str, Any], shown: Shown, past: PastPrompts, thread_id: str
) -> Variant:
    """Grade a proposal as if it had been decided, by what was known before it."""
    calls = proposed.get("calls", ())
    decided = shown.decided
    payload = decided.payload or {}
    # Without a tail of its own, the decision has that of the one before it.
    tail = {"tail": payload["tail"]} if "tail" in payload else {}
    body = {"text": "", "calls": (), **tail, **proposed}
    place = place_name(decided.detail["ordinal"], decided.detail.get("fork", 1))
    own = {
        (decided.turn_id, call_name(place, position))
        for position in range(max(len(calls), len(payload["calls"])))
    }
    before = [entry for entry in past.entries if entry.seq < decided.seq]
    instead = replace(
        past,
        entries=[*before, replace(decided, payload=body)],
        reads=[read for read in past.reads if (read.turn_id, read.call) not in own],
        newest=shown.said,
    )
    trajectory = trajectory_of(instead, thread_id, decided.seq)
    verdicts = grade_proposal(trajectory, decided.seq)
    return Variant(calls, proposed.get("text", ""), verdicts)
