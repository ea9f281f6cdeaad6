"""A call is about what the person asked for: that thing, so many, and an act that was wanted."""

from __future__ import annotations

import re

from daybook.tools.said.mentions import mentions_in

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding
from daybook.app.grading.words.acts import asks_for_nothing, words_for
from daybook.app.grading.words.counts import (
    all_in,
    asked_for,
    is_quantity,
    is_relative,
    quantities_in,
)
from daybook.app.grading.words.things import (
    lists_anew,
    meant,
    named_in,
    names_only_things,
    ruled_out,
    things_before,
)

_SEVERAL = re.compile(r"\b(?:and|plus|also)\b|,\s*(?:the|a|an|some)\b", re.IGNORECASE)
_SHOWN = 120
"""Characters of a person's words that are quoted."""


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a call about another thing or quantity than was asked for, or that nobody asked for.

    It is held against the person's words of its turn. What these leave open is not judged: words
    that may mean several things, or go on with what was said before.
    """
    words = _words_of(trajectory, step)
    if not words or not step.is_call or step.kind == "unknown":
        return None
    why = _other_thing(trajectory, step, words) or _other_quantity(trajectory, step, words)
    if why:
        return Finding(Check.ASKED, f"{why} They said {_quoted(words)}.")
    if why := _unasked(trajectory, step, words):
        # A person who approved it wanted it after all.
        is_wrong = step.approval != "person"
        return Finding(Check.ASKED, f"{why} They said {_quoted(words)}.", is_wrong)
    return None


def _words_of(trajectory: Trajectory, step: Step) -> str:
    """Return what the person said in a step's turn; "" where that is erased."""
    turn = trajectory.turn(step.turn)
    said = turn.said if turn is not None else ""
    return said if step.said[-1:] == (said,) else ""


def _other_thing(trajectory: Trajectory, step: Step, words: str) -> str:
    things = things_before(trajectory, step)
    named = named_in(step, things, words)
    if not named or lists_anew(trajectory, step):
        return ""
    if not step.acts and any(
        meant(words, one, things) == frozenset()
        for other in trajectory.steps
        if (other.turn, other.tool) == (step.turn, step.tool)
        for one in named_in(other, things, words)
    ):
        # What was asked for was read too.
        return ""
    for one in sorted(named):
        if wanted := meant(words, one, things):
            which = " or ".join(sorted(name.upper() for name in wanted))
            return f"The person meant {which}, and this is about {one.upper()}."
        if _brings(trajectory, step) and one in ruled_out(words, things):
            return f"The person meant another one than {one.upper()}."
    return ""


def _brings(trajectory: Trajectory, step: Step) -> bool:
    """Tell whether a call brings so many of something; who takes it away gives no quantity."""
    quantities = [*quantities_in(step.args)] or _left_out(trajectory, step)
    return step.acts and bool(quantities) and all(quantities)


def _other_quantity(trajectory: Trajectory, step: Step, words: str) -> str:
    quantities = [*quantities_in(step.args)] or _left_out(trajectory, step)
    if not step.acts or not quantities:
        return ""
    asked = asked_for(words)
    if not asked and is_relative(words):
        return ""
    # What is asked for may be brought about by several calls.
    of_it = {m.text for m in mentions_in(step.args)}
    together = sum(
        sum(quantities_in(one.args))
        for one in trajectory.steps
        if (one.turn, one.tool, one.outcome) == (step.turn, step.tool, step.outcome)
        and of_it & {m.text for m in mentions_in(one.args)}
    )
    for quantity in quantities:
        if asked:
            is_one_of_several = quantity == 1 and _is_several(words)
            if not {quantity, together} & (asked | (all_in(words) - {1})) and not is_one_of_several:
                wanted = " or ".join(map(str, sorted(asked)))
                return f"The person asked for {wanted}, and this is for {quantity}."
        elif quantity > 1 and not _was_spoken_of(trajectory, step, quantity):
            return f"Nobody spoke of {quantity}."
    return ""


def _left_out(trajectory: Trajectory, step: Step) -> list[int]:
    """Return the quantity that a tool takes where none is given."""
    schema = trajectory.arguments.get(step.tool)
    fields = schema.model_fields.items() if schema is not None else ()
    return [one.default for name, one in fields if is_quantity(name) and type(one.default) is int]


def _is_several(words: str) -> bool:
    """Tell whether words ask for more than one thing."""
    return _SEVERAL.search(words) is not None


def _was_spoken_of(trajectory: Trajectory, step: Step, quantity: int) -> bool:
    """Tell whether a number was said or done before, or a person may mean it unsaid."""
    done = (one.args for one in trajectory.before(step) if one.acts)
    if any(quantity in quantities_in(args) for args in done):
        return True
    texts = [*step.said, *(turn.answer for turn in trajectory.turns if turn.number < step.turn)]
    return any(quantity in all_in(text) for text in texts) or any(map(is_relative, step.said[-1:]))


def _unasked(trajectory: Trajectory, step: Step, words: str) -> str:
    if not step.acts or (step.kind == "change" and not _changes_a_thing(trajectory, step)):
        return ""
    before = [one for one in trajectory.before(step) if one.turn < step.turn]
    if any((one.tool, one.outcome) == (step.tool, "asked") for one in before[-1:]):
        # The words answer what was asked before this very call.
        return ""
    effects = [one.tool for one in trajectory.steps if one.parent == step.key]
    act = words_for([step.tool, *effects])
    reason = asks_for_nothing(words, act, is_effect=step.kind != "change")
    return f"Nobody asked for it: the person's words are {reason}." if reason else ""


def _changes_a_thing(trajectory: Trajectory, step: Step) -> bool:
    """Tell a change of how many of a thing there are from what an agent notes for itself."""
    is_of_things = bool([*quantities_in(step.args)]) or names_only_things(step.args)
    return is_of_things and bool([*mentions_in(step.args)])


def _quoted(words: str) -> str:
    line = " ".join(words.split())
    return f"“{line if len(line) <= _SHOWN else f'{line[: _SHOWN - 3]}...'}”"
