"""Resolve a doubt: a reviewer says whether an effect, or its undo, happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from daybook.nodes.effects.engine import Ask, Committed, Engine
from daybook.nodes.running.tracing import waited
from daybook.state.effects.evidence import differs
from daybook.state.errors import ReferenceHeld
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import AskDoubt, NextAction, Over
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.people.questions.approvals import (
    Answers,
    Verdict,
    doubt_answers,
    doubt_request,
    unclear,
    verdict,
)
from daybook.state.people.questions.markdown import doubt_shown, known_args
from daybook.state.session import Person
from daybook.tools.boundary import made_or
from daybook.tools.calling import storable_mapping


def in_question(plan: Plan, action: NextAction) -> tuple[Action, Step] | None:
    """Find the step to ask about; a plan that is over may have left one that holds nothing back."""
    if isinstance(action, AskDoubt):
        return plan.find(action.step_id)
    if not isinstance(action, Over):
        return None
    return next((located for located in plan.located if located[1].question), None)


def question(engine: Engine, plan: Plan, located: tuple[Action, Step], note: str = "") -> Ask:
    """Make the question whether a step happened, with the evidence.

    Args:
        note: why the last answer could not be taken.
    """
    action, step = located
    said = _happening(engine, action, step)
    assert step.question is not None
    return Ask(
        id=step.question,
        request=doubt_request(action, step, plan.needs, said, note),
        answers=doubt_answers(step),
        text=doubt_shown(action, step, said, note),
    )


async def resolve(
    engine: Engine, plan: Plan, located: tuple[Action, Step], answer: Answers
) -> Committed | str:
    """Write a person's word down, with its author; it counts only while its question waits.

    Returns:
        The plan as it was committed; or why the answer cannot be taken.
    """
    action, step = located
    if why := unclear(answer, action, step):
        return why
    by = engine.session.person
    if plan.needs.bars_word(by):
        by = await engine.ledger.standing_in(by)
    if barred := plan.needs.bars_word(by):
        return f"{barred} Nothing was changed."
    message = answer.decisions[0].message
    try:
        return await _taken(engine, plan, step, _Word(*verdict(message), message, by))
    except ReferenceHeld:
        return "The reference that you gave belongs to another step. Nothing was changed; check it."


async def _taken(engine: Engine, plan: Plan, asked: Step, word: _Word) -> Committed | str:
    """Write a word down.

    Raises:
        ReferenceHeld: another step has taken what was named just now.
    """
    async with engine.ledger.page(engine.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        action, step = current.find(asked.step_id)
        if step.question == asked.question:
            result, named = word.result(engine, step)
            names = engine.namespace(step.tool)
            if named and (held := await page.held(names, [named], step)):
                return (
                    f"{named} belongs to another step, {held[named]}. Nothing was changed; give "
                    "the reference of this step's effect, or answer that it did not happen."
                )
            if named and named != step.reference:
                page.bind(names, named, step)
            page.write(*word.entries(current, action, step, result, named))
        due = engine.next_action(current, page.now)
    await waited(engine, current)
    return Committed(current, page.now, due)


def _is_of(engine: Engine, step: Step, shown: Mapping[str, Any]) -> bool:
    """Tell whether what was shown is not said to be someone else's than the thread's user."""
    effect = engine.registry.effect(step.tool)

    def ours() -> bool:
        return not differs(storable_mapping(effect.owner(engine.session)), shown)

    return made_or(lambda: False, f"`owner` of {effect.name}", ours)


def _happening(engine: Engine, action: Action, step: Step) -> str:
    """Say of a step in question that it happened, in the words of its tool; or that it was undone.

    An undo has arguments of its own, which nobody was shown.
    """
    is_undo = step.state is StepState.STUCK
    name = step.undo if is_undo and step.undo is not None else step.tool
    tool = engine.registry.effects.get(name)
    args = {} if is_undo else known_args(action, step)
    return tool.happening(args) if tool else f"{name.replace('_', ' ')} happened"


@dataclass(frozen=True)
class _Word:
    """What a person said of a step in doubt.

    Attributes:
        reference: what they named; "" if they named nothing.
        message: in their words.
        by: who said it, with the role that they had then and whom they stood in for.
    """

    said: Verdict
    reference: str
    message: str
    by: Person

    def result(self, engine: Engine, step: Step) -> tuple[dict[str, Any], str | None]:
        """Return what the step came to by this word, and what names it.

        What the provider had shown counts where nothing else was named: a person who names
        another effect does not mean the one that was shown. What it had shown to be someone else's
        must be named: "undo" would give a stranger's money back.
        """
        if self.said == "not_happened" or step.state is StepState.STUCK:
            # Nothing is there, or it is the undo that is spoken of.
            return {"reference": self.reference}, None
        effect = engine.registry.effect(step.tool)
        named = effect.reference_of
        # A reviewer names one of several that a look-up showed.
        shown = dict(step.matches.get(self.reference) or step.shown or {})
        # Where nothing is named nothing is given: to a service with such a field "" is a name too.
        result: dict[str, Any] = {"reference": self.reference} if self.reference else {}
        if self.reference and isinstance(effect.reference, str):
            result[effect.reference] = self.reference
        is_named = bool(self.reference) and named is not None and named(shown) == self.reference
        if is_named or (not self.reference and _is_of(engine, step, shown)):
            result |= shown
        return result, named(result) if named is not None else None

    def entries(
        self,
        plan: Plan,
        action: Action,
        step: Step,
        result: Mapping[str, Any],
        named: str | None,
    ) -> Iterator[Entry]:
        """Write the word, with its author; a wish to undo closes the action too."""
        by = self.by
        signed: dict[str, Any] = {"author": by.user_id, "role": by.role}
        right = {"stands_for": [*by.stands_for]} if by.stands_for else {}
        event = Event.NOT_HAPPENED if self.said == "not_happened" else Event.HAPPENED
        payload = {"result": dict(result), "reference": named or "", "said": self.message}
        yield plan.entry(event, step, detail=right, payload=payload, **signed)
        if self.said == "undo" and not action.closing:
            which = {"action": action.position, **right}
            why = {"reason": f"{by} asked to undo it"}
            yield plan.entry(Event.CLOSING, detail=which, payload=why, **signed)
