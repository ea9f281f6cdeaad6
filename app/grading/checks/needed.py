"""What was read is used, and what was changed was wanted or is used."""

from __future__ import annotations

import re
from collections.abc import Sequence

from daybook.tools.said.mentions import held_in, mentions_in

from daybook.app.grading.steps.trajectory import Step, Trajectory, Turn
from daybook.app.grading.verdict import Check, Finding
from daybook.app.grading.words.acts import words_of
from daybook.app.grading.words.questions import compares, is_answered
from daybook.app.grading.words.telling import Telling, is_named, tells_of
from daybook.state.effects.keys import canonical

_LINE = 160
"""Characters of a result that is a line about one change, and no document."""

_SEVERAL = 3
"""Names or figures of a document that are told where it is what an answer is about."""

_AGREES = re.compile(
    r"\b(?:yes|yeah|yep|ok|okay|sure|agreed?|confirm(?:ed)?|correct|right|proceed|go ahead|do it|"
    r"do so)\b",
    re.IGNORECASE,
)
"""Words by which a person takes what was proposed."""

_REFERS = re.compile(r"\b(?:all|both|each|every|everything|them|these|those)\b", re.IGNORECASE)
"""Words by which a person means all that they were told of."""

_POINTS = re.compile(
    r"\b(?:it|its|that|this|they|their|ones?|first|second|third|last|same|again|other|another|"
    r"more|back|instead|cart|undo|no|not|actually|never mind)\b|\d",
    re.IGNORECASE,
)
"""Words by which a person goes on with what was spoken of before."""


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a read of which nothing is used later, and a change that nobody wanted or uses.

    A read is used where the answer of its turn tells something of it, or a later argument or answer
    tells what was not known from elsewhere. That there is nothing is knowledge too; and what the
    person named in that turn was to be looked up. A question is answered by a yes or no, a number,
    or one of the things that were compared. A change is used where the flow moves by it, or a
    later change or the answer of its turn names what it is about; it was wanted where a person
    approved it, had named it, agrees to an answer that does, means all that it names, or asked once
    for what the tool is named after. In a turn that has no answer yet it cannot be told.
    """
    if not step.is_call or step.outcome != "done" or _is_under_way(trajectory, step):
        return None
    if step.kind == "read":
        if _is_told_or_given(trajectory, step) or _is_asked_after(step):
            return None
        if _answers_a_question(trajectory, step):
            return None
        return Finding(Check.NEEDED, "Nothing of what it read is used later.", is_wrong=False)
    if step.approval == "person" or _moves(trajectory, step) or _is_wanted(trajectory, step):
        return None
    why = "Nobody asked for it, and nothing later uses what it changed."
    # Agreed to in words that name nothing of it, it may have been wanted.
    return Finding(Check.NEEDED, why, is_wrong=not _is_agreed_to(step))


def _is_under_way(trajectory: Trajectory, step: Step) -> bool:
    turn = trajectory.turn(step.turn)
    return turn is None or not turn.answer


def _is_told_or_given(trajectory: Trajectory, step: Step) -> bool:
    """Tell whether something of a result is told in the answer of its turn, or used later.

    Names may be told that are known from elsewhere too: these count where nothing else told them.
    """
    tells = tells_of(step.result)
    if tells.is_absence:
        return True
    for turn in trajectory.turns[step.turn - 1 :]:
        told = tells.found_in(turn.answer)
        if told and turn.number == step.turn and tells.is_pinned(told):
            return True
        if told and told - _known(trajectory, step, tells, turn):
            return True
    for one in _later(trajectory, step):
        given = tells.given_in(one.args)
        if given and one.is_call and one.acts:
            # What is looked up before it is acted on need not be news.
            return True
        if given and given - _known(trajectory, step, tells, one):
            return True
    return False


def _known(trajectory: Trajectory, step: Step, tells: Telling, then: Step | Turn) -> frozenset[str]:
    """Return what of a result was known from elsewhere by a later step, or at the end of a turn.

    The same read, made again, is no other source.
    """
    if isinstance(then, Turn):
        others = [one for one in trajectory.steps if one.turn <= then.number]
        said = [turn.said for turn in trajectory.turns if turn.number <= then.number]
    else:
        others, said = list(trajectory.before(then)), [*then.said]
    told = [trajectory.texts[one.key] for one in others if one.result != step.result]
    return frozenset[str]().union(*map(tells.known_in, [*said, step.shown, *told]))


def _moves(trajectory: Trajectory, step: Step) -> bool:
    """Tell whether the flow stood elsewhere when the model decided next."""
    following = next((one for one in trajectory.decisions if one.seq > step.decided), None)
    return bool(step.flow) and following is not None and following.flow != step.flow


def _is_wanted(trajectory: Trajectory, step: Step) -> bool:
    turn = trajectory.turn(step.turn)
    answers = [turn.answer] if turn is not None else []
    if _is_asked_for_by_name(trajectory, step):
        return True
    if _is_agreed_to(step) or (step.said and _REFERS.search(step.said[-1])):
        answers += [one.answer for one in trajectory.turns if one.number < step.turn]
    if any(_is_told(step, answer) for answer in answers):
        return True
    texts = [*_said_for(trajectory, step), *answers]
    for one in _later(trajectory, step):
        if one.acts:
            texts += [canonical(dict(one.args)), *one.described]
    return any(is_named(step.args, text) for text in texts)


def _said_for(trajectory: Trajectory, step: Step) -> Sequence[str]:
    """Return what the person said that may have asked for a change.

    What was named for another change before asks for nothing more, unless it is gone on with.
    """
    last = step.said[-1] if step.said else ""
    if any(pattern.search(last) for pattern in (_AGREES, _REFERS, _POINTS)):
        return step.said
    about = {one.text for one in mentions_in(step.args)}
    words = canonical(dict(step.args))
    for one in trajectory.before(step):
        if one.turn < step.turn and one.is_call and one.acts and one.outcome == "done":
            named = {other.text for other in mentions_in(one.args)}
            if about & named or (not about and is_named(one.args, words)):
                return step.said[-1:]
    return step.said


def _is_agreed_to(step: Step) -> bool:
    """Tell whether the person's last words take something that was proposed."""
    return bool(step.said) and _AGREES.search(step.said[-1]) is not None


def _is_asked_after(step: Step) -> bool:
    """Tell whether the person's last words name what is looked up; the answer may only say yes."""
    named = [one for one in mentions_in(step.args) if one.sort == "identifier"]
    return bool(step.said) and any(held_in(step.said[-1]).names(one) for one in named)


def _answers_a_question(trajectory: Trajectory, step: Step) -> bool:
    """Tell whether the person asked something that was read here, and was answered.

    Of a thing by its name it must be one that was known before: what nobody had to do with is asked
    about by nobody.
    """
    turn = trajectory.turn(step.turn)
    if turn is None or not turn.said or not turn.answer:
        return False
    named = [one for one in mentions_in(step.args) if one.sort == "identifier"]
    before = [one for one in trajectory.before(step) if one.turn < step.turn]
    texts = [step.shown, *step.said, *(trajectory.texts[one.key] for one in before)]
    if not all(any(held_in(text).names(one) for text in texts) for one in named):
        return False
    if named and compares(turn.said) and _is_one_of_several(trajectory, step, len(named)):
        return True
    return is_answered(turn.said, turn.answer, step.args, step.result)


def _is_one_of_several(trajectory: Trajectory, step: Step, named: int) -> bool:
    """Tell whether a read, or those of its tool in the turn, looked at more than one thing."""
    same = [one for one in trajectory.steps if (one.turn, one.tool) == (step.turn, step.tool)]
    return named > 1 or len({canonical(dict(one.args)) for one in same}) > 1


def _is_asked_for_by_name(trajectory: Trajectory, step: Step) -> bool:
    """Tell whether the person asked for what the tool does, and the turn does it once.

    What it is about, a read has told before: which one it is was left to the agent.
    """
    if not step.said or not words_of(step.tool) & words_of(step.said[-1]):
        return False
    same = [one for one in trajectory.steps if (one.turn, one.tool) == (step.turn, step.tool)]
    read = [trajectory.texts[one.key] for one in trajectory.before(step) if one.kind == "read"]
    named = list(mentions_in(step.args))
    return len(same) == 1 and all(any(held_in(r).names(m) for r in read) for m in named)


def _is_told(step: Step, answer: str) -> bool:
    """Tell whether an answer tells what was changed; of a whole document it must tell more."""
    is_line = isinstance(step.result, str) and len(step.result) <= _LINE
    return len(tells_of(step.result).found_in(answer)) >= (1 if is_line else _SEVERAL)


def _later(trajectory: Trajectory, step: Step) -> list[Step]:
    return [one for one in trajectory.after(step) if one.decided != step.decided]
