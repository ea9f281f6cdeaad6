"""Put a step in doubt to a person, with the evidence: did this happen?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from langgraph.types import Command, interrupt

from daybook.nodes.running.tracing import waited
from daybook.nodes.running.work import Work
from daybook.nodes.sending.record import names_of
from daybook.state.effects.evidence import differs
from daybook.state.errors import ReferenceHeld
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_move import AskDoubt, Move, Over
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.people.questions.approvals import (
    DoubtAnswer,
    Verdict,
    doubt_answers,
    doubt_request,
    unclear,
    verdict,
)
from daybook.state.people.questions.asked import asked_as
from daybook.state.people.questions.described import doubt_shown, known_args
from daybook.tools.boundary import made_or
from daybook.tools.calling import kept
from daybook.tools.kinds import EffectTool

Exit = Literal["execute", "doubt"]


async def doubt(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Ask, and record the answer with its author; it counts only while the step is in doubt."""
    plan, now = await work.plan(state["plan_id"])
    located = in_question(plan, work.settle(plan, now))
    if located is None:
        return Command(goto="execute")
    action, step = located
    said = happening(action, step, work)
    asked = doubt_request(action, step, plan.needs, said, state.get("note", ""))
    work.resources.ended.add(work.session.thread_id)
    answer = interrupt(asked, response_schema=doubt_answers(step))
    assert isinstance(answer, DoubtAnswer)
    if why := unclear(answer, action, step):
        return Command(update={"note": why}, goto="doubt")
    if barred := plan.needs.bars_word(work.session.person):
        return Command(update={"note": f"{barred} Nothing was changed."}, goto="doubt")
    try:
        note = await _take(
            _Word(*verdict(message := answer.decisions[0].message), message), step, plan, work
        )
    except ReferenceHeld:
        note = "What you named is the effect of another step. Nothing was changed; look again."
    if note:
        return Command(update={"note": note}, goto="doubt")
    assert step.question is not None
    # Why an answer could not be taken is of no use behind one that was.
    text, before = doubt_shown(action, step, said), state.get("messages") or ()
    shown = asked_as(text, step.question, before) if state.get("note") else []
    return Command(update={"note": "", **({"messages": shown} if shown else {})}, goto="execute")


async def _take(word: _Word, asked: Step, plan: Plan, work: Work) -> str:
    """Write a person's word down, while its question waits; say why it cannot be taken, or nothing.

    Raises:
        ReferenceHeld: another step has taken what was named just now.
    """
    async with work.ledger.page(work.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        action, step = current.find(asked.step_id)
        if step.question == asked.question:
            result, named = word.result(step, work)
            names = names_of(work, step.tool)
            if named and (held := await page.held(names, [named], step)):
                return (
                    f"{named} is the effect of another step, {held[named]}: it cannot be this "
                    "one's too. Nothing was changed; name what happened here, or say that it did "
                    "not."
                )
            if named and named != step.reference:
                page.bind(names, named, step)
            page.write(*word.entries(current, action, step, result, named, work))
    await waited(work, current)
    return ""


def _is_of(work: Work, effect: EffectTool, shown: Mapping[str, Any]) -> bool:
    """Tell whether what was shown is not said to be somebody else's than the thread's person."""

    def ours() -> bool:
        return not differs(kept(effect.owner(work.session)), shown)

    return made_or(lambda: False, f"`owner` of {effect.name}", ours)


def happening(action: Action, step: Step, work: Work) -> str:
    """Say of a step in question that it happened, in the words of its tool; or that it was undone.

    An undo has arguments of its own, which nobody was shown.
    """
    is_undo = step.state is StepState.STUCK
    name = step.undo if is_undo and step.undo is not None else step.tool
    tool = work.domain.registry.effects.get(name)
    args = {} if is_undo else known_args(action, step)
    return tool.happening(args) if tool else f"{name.replace('_', ' ')} happened"


def in_question(plan: Plan, move: Move) -> tuple[Action, Step] | None:
    """Find the step to ask about; a plan that is over may have left one that holds nothing back."""
    if isinstance(move, AskDoubt):
        return plan.find(move.step_id)
    if not isinstance(move, Over):
        return None
    return next((located for located in plan.located if located[1].question), None)


@dataclass(frozen=True)
class _Word:
    """What a person said of a step in doubt.

    Attributes:
        reference: what they named; "" where they named nothing.
        message: in their words.
    """

    said: Verdict
    reference: str
    message: str

    def result(self, step: Step, work: Work) -> tuple[dict[str, Any], str | None]:
        """Return what the step came to by this word, and what names it.

        What the other side had shown counts where nothing else was named: a person who names
        another effect does not mean the one that was shown. What it had shown to be somebody else's
        must be named: "undo" would give a stranger's money back.
        """
        if self.said == "not_happened" or step.state is StepState.STUCK:
            # Nothing is there, or it is the undo that is spoken of.
            return {"reference": self.reference}, None
        effect = work.domain.registry.effect(step.tool)
        named = effect.named
        # A reviewer names one of several that a look-up showed.
        shown = dict(step.matches.get(self.reference) or step.shown or {})
        # Where nothing is named nothing is given: to a service with such a field "" is a name too.
        result: dict[str, Any] = {"reference": self.reference} if self.reference else {}
        if self.reference and isinstance(effect.reference, str):
            result[effect.reference] = self.reference
        is_named = bool(self.reference) and named is not None and named(shown) == self.reference
        if is_named or (not self.reference and _is_of(work, effect, shown)):
            result |= shown
        return result, named(result) if named is not None else None

    def entries(
        self,
        plan: Plan,
        action: Action,
        step: Step,
        result: Mapping[str, Any],
        named: str | None,
        work: Work,
    ) -> Iterator[Entry]:
        """Write the word, with its author; a wish to undo closes the action too."""
        signed: dict[str, Any] = {"author": work.session.author, "role": work.session.role}
        event = Event.NOT_HAPPENED if self.said == "not_happened" else Event.HAPPENED
        payload = {"result": dict(result), "reference": named or "", "said": self.message}
        yield plan.entry(event, step, payload=payload, **signed)
        if self.said == "undo" and not action.closing:
            which = {"action": action.position}
            why = {"reason": f"{work.session.author} asked to undo it"}
            yield plan.entry(Event.CLOSING, detail=which, payload=why, **signed)
