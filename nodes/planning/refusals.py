"""The calls of a model's answer, and which are refused or asked about before any runs.

By an operator's rule, because they were done already, or because one question comes before a costly
step: that is the turn's answer. What is sent by a claim is not judged by rules here but in the
claim's own transaction (`daybook.nodes.effects.claim`).

Small models repeat a call that was answered: in 147 turns with a model of 135M parameters, one
changed the state by 8 identical calls in one turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from langchain_core.messages import AIMessage

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.effects.draft import refuse_if_off
from daybook.nodes.planning.phases import behind_effects, call_name, place_name, place_of
from daybook.nodes.prompt.transcript import ASKED_FIRST
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision
from daybook.state.effects.arguments import restored, stored_args
from daybook.state.effects.exact import unsendable
from daybook.state.effects.keys import digest, storable
from daybook.state.errors import ToolBarred, ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.facts import fact_of
from daybook.state.people.privacy import redacted
from daybook.state.people.rules import Rules
from daybook.tools.boundary import UNABLE, made_or
from daybook.tools.builtin import remember
from daybook.tools.bumps import Bump, bump_before, has_agreed_to
from daybook.tools.calling import fitting
from daybook.tools.domain import Domain
from daybook.tools.signature import comparable

REPEATED = (
    "This was done in this turn already, with the same arguments. It was not done again: its "
    "result is above. Answer the user now."
)
"""What the model reads if it repeats a call."""

TWICE = "The same call comes earlier in this step and is done once."
"""What the model reads if one decision contains a call twice."""

_UNRUN = "refused: Skipped: the turn ended before the preceding call completed."


def refusal(call: str, tool: str, args: Mapping[str, Any], sentence: str) -> Read:
    """Make the record of a call that was refused, in the words that the model reads."""
    return Read(
        call=call,
        tool=tool,
        args=dict(args),
        args_hash=digest([tool, dict(args)]),
        cache="failed",
        result={"said": f"{tool} {sentence}"},
    )


async def admit(work: Work, rules: Rules, tool: str) -> None:
    """Let one call pass and take its token, before anything of the tool is run.

    Raises:
        ToolBarred: the tool is switched off, or was called too often.
    """
    refuse_if_off(rules, tool)
    if tool in rules and rules[tool].bucket is not None:
        barred = await work.rules.take(tool)
        if barred is not None:
            raise ToolBarred(f"{barred.why}.")


async def leave_unrun(decision: Decision, turn_id: str, work: Work) -> None:
    """Refuse what was to be run when the decision's effects were over, as the turn ends without.

    What was run already stays answered as it was.
    """
    positions = behind_effects(work.domain, decision)
    # A state may have been copied from another thread, whose decision it was.
    if not positions or not await work.ledger.turn(work.session.thread_id, turn_id):
        return
    place, calls = place_of(decision), decision["calls"]
    refused = [
        refusal(call_name(place, at), calls[at]["name"], calls[at]["args"], _UNRUN)
        for at in positions
    ]
    await work.reads.keep(work.session, turn_id, refused)


def is_acting(domain: Domain, decision: Decision) -> bool:
    """Tell whether a decision calls for a change or an effect."""
    return any(_identity(domain, call["name"], call["args"]) for call in decision["calls"])


def repeated_calls(
    domain: Domain, decision: Decision, known: Sequence[Entry], plans: Iterable[Plan]
) -> dict[str, str]:
    """Return the calls of a decision that were done before, by position, with what to say.

    Args:
        known: decisions and changes of the turn before this decision, on its branch.
    """
    done = _done(domain, known, plans)
    here: set[str] = set()
    repeated: dict[str, str] = {}
    for position, call in enumerate(decision["calls"]):
        identity = _identity(domain, call["name"], call["args"])
        if identity is None or str(position) in decision["refused"]:
            continue
        if identity in done or identity in here:
            repeated[str(position)] = REPEATED if identity in done else TWICE
        here.add(identity)
    return repeated


def _done(domain: Domain, known: Sequence[Entry], plans: Iterable[Plan]) -> set[str]:
    """Name the changes that were applied and the effects that succeeded.

    An effect is named as it was carried out: an approver may have changed its arguments. One that
    nobody changed is named as it was called too: a plan fills in what the call left out.
    """
    calls = {
        (entry.turn_id, call_name(_place(entry), position)): call
        for entry in known
        if entry.event is Event.DECIDED
        for position, call in enumerate((entry.payload or {}).get("calls", ()))
    }
    changed = [
        (calls[name]["name"], restored(calls[name]))
        for entry in known
        if entry.event is Event.APPLIED and (name := (entry.turn_id, entry.detail["call"])) in calls
    ]
    succeeded = [
        (action, calls[name])
        for plan in plans
        if plan.over
        for action in plan.actions
        if action.succeeded and (name := (plan.turn_id, action.call)) in calls
    ]
    carried_out = [(action.tool, action.args) for action, _ in succeeded]
    as_called = [
        (call["name"], restored(call)) for action, call in succeeded if action.edited_by is None
    ]
    every = [*changed, *carried_out, *as_called]
    identities = (_identity(domain, name, args) for name, args in every)
    return {identity for identity in identities if identity is not None}


def _place(entry: Entry) -> str:
    return place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))


def _identity(domain: Domain, name: str, args: Mapping[str, Any]) -> str | None:
    """Name a call by tool and normalised arguments; None for a read, or what cannot be run."""
    if name not in domain.registry.names:
        return None
    try:
        tool = domain.registry.offered(name)
        if tool.kind == "read":
            return None
        return digest([name, comparable(tool.args, fitting(name, tool.args, args))])
    except UNABLE:
        return None


def proposed_in(answer: AIMessage) -> dict[str, Any]:
    """Return an answer's calls, text and message id; a call that cannot be read says its fault.

    The text is what was streamed, but for card numbers and secrets, which no message may hold, and
    what Postgres cannot store.
    """
    calls = [_proposed(call["name"], call["args"]) for call in answer.tool_calls]
    calls += [
        {
            "name": storable(redacted(call["name"] or "unknown")),
            "args": {},
            "fault": "The arguments are not valid JSON. Write them as a JSON object.",
        }
        for call in answer.invalid_tool_calls
    ]
    proposed = {"calls": calls, "text": storable(redacted(answer.text))}
    return {**proposed, **({"message_id": answer.id} if answer.id else {})}


def _proposed(name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """Propose a call; without its arguments where they could not be kept and sent as they are."""
    named = storable(redacted(name))
    if why := unsendable(args):
        return {"name": named, "args": {}, "fault": f"The arguments are invalid: {why}."}
    return {"name": named, **stored_args(redacted(args))}


State = Mapping[str, Any]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Question:
    """What is asked first, and the slot that it fills: "" if it may be asked again."""

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
        raise TypeError("a bump's slot and question must be text")
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
    text = f"Shall I remember this about you? {subject}: {value}"
    return None if has_agreed_to(text, state) else Question("", text)


def said_so_far(state: State) -> list[str]:
    """Return what the person said in the thread, the newest first."""
    return [m.text for m in reversed(state.get("messages") or ()) if m.type == "human"]
