"""Ask a model again for one decision, in other ways, and grade the calls that it proposes.

Nothing is executed: the module reads the database, asks a model and uses the domain's declarations.
It imports no node that acts (a contract of import-linter), opens no client of a service, and writes
nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langsmith.run_helpers import tracing_context

from daybook.app.grading.grade import Verdict, grade_proposal
from daybook.app.grading.history import read_trajectory, trajectory_of
from daybook.checkpoints.postgres import Postgres
from daybook.graph.model.chosen import caching_of
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.planning.proposed import proposed_in
from daybook.nodes.prompt.compiler import Prompt
from daybook.nodes.prompt.proof import PastPrompts, Shown, past_prompts
from daybook.state.errors import DaybookError, ModelUnavailable
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain

_AT_ONCE = 4
"""Concurrent requests to the provider."""


@dataclass(frozen=True)
class Way:
    """A way to ask for a variant.

    Attributes:
        name: what differs, for people.
        instructions: replaces the agent's own instructions; None leaves them.
    """

    name: str
    model: BaseChatModel
    instructions: str | None = None


@dataclass(frozen=True)
class Variant:
    """One proposal and its verdicts.

    Attributes:
        way: name of the way in which it was asked for.
        calls: name and arguments of each call; none where it answers.
        text: the answer.
        verdicts: one for each call; an answer has none.
        tokens: of prompt and answer, as the provider counted them; None where it does not.
        fault: why there is no proposal, or "".
    """

    way: str
    calls: Sequence[Mapping[str, Any]] = ()
    text: str = ""
    verdicts: tuple[Verdict, ...] = ()
    tokens: int | None = None
    fault: str = ""

    @property
    def score(self) -> int | None:
        """Return the lowest score of its calls; None where it has none."""
        return min((verdict.score for verdict in self.verdicts), default=None)


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
    postgres: Postgres, domain: Domain, thread_id: str, step: str, ways: Sequence[Way], n: int
) -> Variants:
    """Ask for a decision n times more, in each way in turn, and grade the proposals.

    Args:
        step: the decision: a ledger entry, or turn/ordinal as `daybook grade` prints it.

    Raises:
        DaybookError: there is no such thread or step, or its prompt cannot be shown again.
    """
    past = await past_prompts(thread_id, domain, postgres)
    entry = await _decision(past, step, thread_id, postgres)
    shown = past.of(entry)
    if shown.prompt is None:
        raise DaybookError(f"{shown.doubt} Nothing was asked.")
    gate = asyncio.Semaphore(_AT_ONCE)

    async def ask(way: Way, prompt: Prompt) -> Variant:
        async with gate:
            return await _ask(way, prompt, shown, past, thread_id)

    asked = [ask(way, shown.prompt) for way in islice(cycle(ways), n)]
    payload = entry.payload or {}
    decided = _grade("as decided", payload, shown, past, thread_id)
    return Variants(shown, decided, tuple(await asyncio.gather(*asked)))


async def _decision(past: PastPrompts, step: str, thread_id: str, postgres: Postgres) -> Entry:
    """Return the decision that a step comes from.

    Raises:
        DaybookError: there is no such thread or step.
    """
    trajectory = await read_trajectory(postgres, past.domain, thread_id)
    decided = [entry for entry in past.entries if entry.event is Event.DECIDED]
    if step.isdecimal():
        # The entries of a plan follow the decision that started it.
        upto = [one for one in decided if one.seq <= int(step)]
        if upto and int(step) <= past.entries[-1].seq:
            return upto[-1]
    place = step.partition(":")[0].partition(".")[0]
    for one in trajectory.decisions:
        if place == f"{one.turn}/{one.ordinal}":
            return next(entry for entry in decided if entry.seq == one.seq)
    raise DaybookError(
        f"The thread {thread_id} has no decision {step}. Nothing was asked; name one by its number "
        f"in `daybook ledger {thread_id}`, or as turn/ordinal as `daybook grade` prints it."
    )


async def _ask(
    way: Way, prompt: Prompt, shown: Shown, past: PastPrompts, thread_id: str
) -> Variant:
    options = caching_of(way.model).options(thread_id, shown.decided.detail["lifetime"])
    model = way.model.bind_tools(prompt.tools, **options)
    messages = list(prompt.messages)
    if way.instructions is not None:
        messages[0] = messages[0].model_copy(update={"content": way.instructions})
    try:
        # Traces hold no message text; this prompt does.
        with tracing_context(enabled=False):
            answer = await model.ainvoke(messages)
    except ModelUnavailable as error:
        return Variant(way.name, fault=str(error))
    except Exception as error:
        # As in the node `decide`; the provider's own message may quote the prompt.
        return Variant(way.name, fault=f"The model gave no decision ({type(error).__name__}).")
    assert isinstance(answer, AIMessage)
    proposed = proposed_in(answer)
    tokens = answer.usage_metadata["total_tokens"] if answer.usage_metadata else None
    return replace(_grade(way.name, proposed, shown, past, thread_id), tokens=tokens)


def _grade(
    way: str, proposed: Mapping[str, Any], shown: Shown, past: PastPrompts, thread_id: str
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
    return Variant(way, calls, proposed.get("text", ""), verdicts)
