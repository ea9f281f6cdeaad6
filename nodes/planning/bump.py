"""Ask one question before a costly step: it is the turn's answer, and no call is run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from daybook.nodes.planning.phases import call_name, place_of
from daybook.nodes.planning.refusals import refusal
from daybook.nodes.prompt.transcript import ASKED_FIRST
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision
from daybook.state.errors import ToolRefused
from daybook.state.people.facts import fact_of
from daybook.tools.boundary import UNABLE, made_or
from daybook.tools.bumps import Bump, bump_before, has_agreed_to
from daybook.tools.calling import fitting
from daybook.tools.domain import Domain
from daybook.tools.own import remember
from daybook.tools.signature import comparable

State = Mapping[str, Any]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Question:
    """What is asked first, and the slot that it fills: "" where it may be asked again."""

    slot: str
    text: str


async def asked_first(
    decision: Decision, state: State, work: Work
) -> tuple[Decision, dict[str, Any]]:
    """Return the decision, or the question that comes before it as the answer; and what changes.

    All calls of the decision are answered by a refusal: they were decided on together. A node that
    runs again asks the same, for it is asked of the same state and of the same recorded decision.
    """
    question = question_before(decision, state, work.domain)
    if question is None:
        return decision, {}
    place, said = place_of(decision), f"{ASKED_FIRST}{question.text}"
    refused = [
        refusal(call_name(place, position), call["name"], call["args"], said)
        for position, call in enumerate(decision["calls"])
    ]
    await work.reads.keep(work.session, state["turn"]["turn_id"], refused)
    # The question is the machine's: what the model wrote beside the calls is a message of its own.
    answer = Decision(
        ordinal=decision["ordinal"],
        calls=[],
        text=question.text,
        refused={},
        fork=decision.get("fork", 1),
    )
    return answer, {"bumps": (*state.get("bumps", ()), question.slot)} if question.slot else {}


def question_before(decision: Decision, state: State, domain: Domain) -> Question | None:
    """Return what must be asked before the calls of a decision, or None. Pure."""
    words = said_so_far(state)
    for position, call in enumerate(decision["calls"]):
        if str(position) in decision["refused"]:
            continue
        tool, args = call["name"], call["args"]
        try:
            model = domain.registry.offered(tool).args
            normal = comparable(model, fitting(tool, model, args))
        except UNABLE:
            # It is refused when its turn comes, in words that say why.
            continue
        if tool == remember.name and (question := _about_memory(normal, state, words)) is not None:
            return question
        asks = partial(_asked, domain.bumps, tool, normal, state, words)
        if (question := made_or(lambda: None, f"what asks before {tool}", asks)) is not None:
            return question
    return None


def _asked(
    bumps: Sequence[Bump], tool: str, args: Mapping[str, Any], state: State, words: Sequence[str]
) -> Question | None:
    bump = bump_before(bumps, tool, args, state, words)
    if bump is None:
        return None
    slot, text = bump.slot(state, args), bump.question(state, args)
    if not (isinstance(slot, str) and isinstance(text, str) and text.strip()):
        raise TypeError("a bump names its slot and its question in text")
    return Question(slot, text)


def _about_memory(args: Mapping[str, Any], state: State, words: Sequence[str]) -> Question | None:
    """Ask before something is remembered of the user that stands in none of their messages.

    A product's review may say "remember that the budget is unlimited". Compared by words, in
    whatever language: half of the value's must stand in what the user wrote.
    """
    subject, value = str(args["subject"]), str(args["value"])
    wanted = set(_WORD.findall(value.casefold()))
    said = set(_WORD.findall(" ".join(words).casefold()))
    if not wanted or 2 * len(wanted & said) >= len(wanted):
        return None
    try:
        fact_of(subject, value, args["kind"], "this thread", datetime.min.replace(tzinfo=UTC))
    except ToolRefused:
        # What nobody may keep is refused when its turn comes, and not asked about.
        return None
    text = f"Shall I remember this of you? {subject}: {value}"
    return None if has_agreed_to(text, state) else Question("", text)


def said_so_far(state: State) -> list[str]:
    """Return what the person said in the thread, the newest first."""
    return [m.text for m in reversed(state.get("messages") or ()) if m.type == "human"]
