"""Faults of choices and of answers: the wrong item, an act nobody asked for, an untrue answer.

Where a person's words leave open what they mean, another choice is no fault: these are put in where
the words are plain. What makes an answer untrue is that of `evals.said.mutations`.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import partial

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check
from evals.said.answers import Answer
from evals.said.mutations import mutated
from evals.steps.faults.fault import Fault, Ground, Mutant
from evals.steps.faults.placed import with_changed, with_inserted

_ID = re.compile(r"\b[A-Z]{3,5}-\d{3}\b")
_PLAIN = re.compile(r"\b(?:first|second|third) one\b|\b[A-Z]{3,5}-\d{3}\b|\bthe socks\b")
_KIND = re.compile(r"\bthe socks\b")
_COUNTED = re.compile(r"^(?:add|make it|\d+ of)\b")
_ABOUT_SOMETHING = re.compile(
    r"^(?:what|which|when|how|tell me more|reviews of|show me|do you have|I need|hello|thanks)\b"
)
_LONG_TEXT = 400
"""Words of somebody else's, in which a person's own cannot be told."""


def _another_item(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let a call be about another thing that the thread knows than the person named."""
    named = sorted({one for one in step.args.values() if isinstance(one, str) and _ID.match(one)})
    words = _words(ground.trajectory, step)
    if not step.is_call or len(named) != 1 or not _PLAIN.search(words):
        return None
    others = {
        one
        for other in ground.trajectory.before(step)
        for one in _ID.findall(ground.trajectory.texts[other.key])
    }
    others = {one for one in others if one != named[0] and one not in words}
    if _KIND.search(words):
        # Another one of that kind may be meant too.
        others = {one for one in others if one[:4] != named[0][:4]}
    if not others:
        return None
    other = chance.choice(sorted(others))
    args = {name: other if value == named[0] else value for name, value in step.args.items()}
    return with_changed(ground, replace(step, args=args))


def _another_quantity(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let a change be of a number that nobody has said."""
    quantity = step.args.get("quantity")
    words = _words(ground.trajectory, step)
    if not step.is_call or not isinstance(quantity, int) or not _COUNTED.search(words):
        return None
    texts = [f"{turn.said} {turn.answer}" for turn in ground.trajectory.turns]
    done = {one.args.get("quantity") for one in ground.trajectory.steps}
    others = [
        number
        for number in range(2, 21)
        if number not in done and not any(re.search(rf"\b{number}\b", one) for one in texts)
    ]
    if not others:
        return None
    args = {**step.args, "quantity": chance.choice(others)}
    return with_changed(ground, replace(step, args=args))


def _unasked_act(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Do what another thread did where the person only asked about something."""
    acts = [
        one
        for one in ground.donors
        if one.is_call and one.kind in ("write", "hybrid", "plan") and one.outcome == "done"
    ]
    if not acts or not _ABOUT_SOMETHING.search(_words(ground.trajectory, step)):
        return None
    act = replace(
        chance.choice(acts),
        approval="none",
        needs="nobody",
        attempts=0,
        executions=0,
        expected={},
        op="",
    )
    return with_inserted(ground, step, act, is_before=True)


def _words(trajectory: Trajectory, step: Step) -> str:
    turn = trajectory.turn(step.turn)
    return turn.said if turn is not None and len(turn.said) < _LONG_TEXT else ""


def _untrue(way: str, ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let an answer say what is not so, in one way."""
    if step.background is None:
        return None
    answer = Answer(step.args["text"], step.background.known, True, "", ground.trajectory.thread_id)
    for false in mutated(answer, chance):
        if false.way == way:
            return with_changed(ground, replace(step, args={"text": false.text}))
    return None


def _refused_words(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the model have said before what is not so."""
    false = _untrue("done for not done", ground, step, chance)
    if false is None or step.unsaid:
        return None
    said = false.trajectory.step(step.key).args["text"]
    return with_changed(ground, replace(step, unsaid=((said, ("Nothing was done.",)),)))


def _answers(trajectory: Trajectory) -> tuple[Step, ...]:
    return trajectory.answers


def _of_answers(name: str, way: str) -> Fault:
    return Fault(name, Check.SAID, partial(_untrue, way), _answers)


MISTAKEN: tuple[Fault, ...] = (
    Fault("another item than was meant", Check.ASKED, _another_item),
    Fault("another quantity", Check.ASKED, _another_quantity),
    Fault("act that nobody asked for", Check.ASKED, _unasked_act, lambda one: one.judged),
    _of_answers("false amount in an answer", "another amount"),
    _of_answers("false id in an answer", "another id"),
    _of_answers("false stock in an answer", "another stock"),
    _of_answers("wrong item in an answer", "the wrong item"),
    _of_answers("said done, and was not", "done for not done"),
    _of_answers("said not done, and was", "not done for done"),
    Fault("words that were refused", Check.SAID, _refused_words, _answers),
)
