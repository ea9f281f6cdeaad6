"""Ask a model again for one decision, in other ways, and judge what it proposes.

Nothing is executed, by construction: there is a database that is read, a model, and the domain's
declarations. No node that acts is imported (import-linter holds it), no client of the outside world
is opened, and nothing is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langsmith.run_helpers import tracing_context

from daybook.app.grading.grading import grade_proposal
from daybook.app.grading.steps.background import Background
from daybook.app.grading.steps.reading import background_of, is_proved, read_trajectory
from daybook.app.grading.steps.recorded import Record, trajectory_of
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Verdict
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
"""Requests to the provider at a time."""


@dataclass(frozen=True)
class Way:
    """Say how a variant is asked for.

    Attributes:
        name: what is different about it, for people.
        instructions: text in the place of the agent's own instructions; None leaves them.
    """

    name: str
    model: BaseChatModel
    instructions: str | None = None


@dataclass(frozen=True)
class Variant:
    """One proposal and what it is judged to be.

    Attributes:
        way: how it was asked for.
        calls: name and arguments of each call; none where it answers.
        text: the answer.
        verdicts: one for each call; of an answer one where it contradicts what was known.
        tokens: of prompt and answer, as the provider counted them; None where it does not say.
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
        """Return the least score of what is judged of it; None where there is nothing."""
        return min((verdict.score for verdict in self.verdicts), default=None)


@dataclass(frozen=True)
class Variants:
    """What was decided, and what was proposed in its place.

    Attributes:
        shown: the prompt that all were asked with.
        decided: what the thread decided, judged in the same way.
        proposed: one for each time that a model was asked, in order.
    """

    shown: Shown
    decided: Variant
    proposed: tuple[Variant, ...]


async def vary(
    postgres: Postgres, domain: Domain, thread_id: str, step: str, ways: Sequence[Way], n: int
) -> Variants:
    """Ask for a decision n times more, in each way in turn, and judge the proposals.

    Args:
        step: names the decision: a number of the ledger, or turn/ordinal as `daybook grade` does.

    Raises:
        DaybookError: there is no such thread or step, or too little is kept of its prompt.
    """
    past = await past_prompts(thread_id, domain, postgres)
    entry = await _decision(past, step, thread_id, postgres)
    shown = await past.of(entry)
    if shown.prompt is None:
        raise DaybookError(f"{shown.doubt} Nothing was asked.")
    gate = asyncio.Semaphore(_AT_ONCE)

    async def ask(way: Way, prompt: Prompt) -> Variant:
        async with gate:
            return await _asked(way, prompt, shown, past, thread_id)

    asked = [ask(way, shown.prompt) for way in islice(cycle(ways), n)]
    payload = entry.payload or {}
    decided = _judged("as decided", payload, shown, past, thread_id)
    return Variants(shown, decided, tuple(await asyncio.gather(*asked)))


async def _decision(past: PastPrompts, step: str, thread_id: str, postgres: Postgres) -> Entry:
    """Find the decision that a step comes from.

    Raises:
        DaybookError: there is no such thread or step.
    """
    trajectory = await read_trajectory(postgres, past.domain, thread_id)
    decided = [entry for entry in past.entries if entry.event is Event.DECIDED]
    if step.isdecimal():
        # What a plan writes comes after the decision that it carries out.
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


async def _asked(
    way: Way, prompt: Prompt, shown: Shown, past: PastPrompts, thread_id: str
) -> Variant:
    options = caching_of(way.model).options(thread_id, shown.decided.detail["lifetime"])
    model = way.model.bind_tools(prompt.tools, **options)
    try:
        # What is traced of a turn holds nobody's words; this prompt does.
        with tracing_context(enabled=False):
            answer = await model.ainvoke(_instructed(prompt.messages, way.instructions))
    except ModelUnavailable as error:
        return Variant(way.name, fault=str(error))
    except Exception as error:
        # As `decide` takes it; the provider's own words may quote the prompt.
        return Variant(way.name, fault=f"The model gave no decision ({type(error).__name__}).")
    assert isinstance(answer, AIMessage)
    proposed = proposed_in(answer)
    tokens = answer.usage_metadata["total_tokens"] if answer.usage_metadata else None
    return replace(_judged(way.name, proposed, shown, past, thread_id), tokens=tokens)


def _instructed(messages: Sequence[BaseMessage], instructions: str | None) -> list[BaseMessage]:
    """Put other instructions in the place of the agent's own."""
    if instructions is None:
        return list(messages)
    return [messages[0].model_copy(update={"content": instructions}), *messages[1:]]


def _judged(
    way: str, proposed: Mapping[str, Any], shown: Shown, past: PastPrompts, thread_id: str
) -> Variant:
    """Judge a proposal as if it had been decided: by what was known before it."""
    calls = proposed.get("calls", ())
    before, steps = _as_if(proposed, shown, past, thread_id)
    verdicts = tuple(grade_proposal(before, step) for step in steps)
    if not calls:
        # An answer is judged where it contradicts what was known; nobody can tell that it is good.
        verdicts = tuple(verdict for verdict in verdicts if verdict.score == -1)
    return Variant(way, calls, proposed.get("text", ""), verdicts)


def _as_if(
    proposed: Mapping[str, Any], shown: Shown, past: PastPrompts, thread_id: str
) -> tuple[Trajectory, list[Step]]:
    """Write the thread up to a decision, and the steps of what is proposed in its place."""
    decided = shown.decided
    kept = {name: part for name, part in (decided.payload or {}).items() if name == "tail"}
    body = {"text": "", "calls": (), **kept, **proposed}
    instead = replace(decided, payload=body)
    place = place_name(decided.detail["ordinal"], decided.detail.get("fork", 1))
    own = {
        (decided.turn_id, call_name(place, position))
        for position in range(max(len(body["calls"]), len((decided.payload or {})["calls"])))
    }
    record = Record(
        thread_id=thread_id,
        entries=[*(entry for entry in past.entries if entry.seq < decided.seq), instead],
        reads=[read for read in past.reads if (read.turn_id, read.call) not in own],
        digests={one.epoch: one.digest for one in past.versions},
        said=shown.said,
        last=decided.seq,
        backgrounds=_background(decided, shown, past),
    )
    whole = trajectory_of(past.domain, record)
    steps = [step for step in whole.judged if step.decided == decided.seq]
    return whole.until(decided.seq), [replace(step, outcome="open") for step in steps]


def _background(decided: Entry, shown: Shown, past: PastPrompts) -> Mapping[int, Background]:
    if shown.prompt is None or not is_proved(shown):
        return {}
    return {decided.seq: background_of(decided, shown.prompt, past)}
