"""The rules of docs/protocol.md, each taken away: what the model must then find.

A mutant is the real decision with one guard removed. It shows that the model can fail, and that the
rule is what keeps it from failing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from daybook.state.effects.evidence import Evidence, Judgement, judge
from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.effects.reference import Naming
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import (
    Claim,
    ClaimUndo,
    LookFor,
    NextAction,
    Wait,
    Write,
    next_action,
)
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.people.questions.approvals import Answers, answers_for, unclear
from evals.protocol.books import Rules, copied
from evals.protocol.cases import again, one, strange, two
from evals.protocol.promise import Promise
from evals.protocol.questions import Questions
from evals.protocol.search import Searched, What
from tests.model.lying import LYING, Remedied

Promised: TypeAlias = Mapping[str, Guarantees]
Held: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class Trace:
    """Hold a rule and what comes of taking it away.

    Attributes:
        real: the model with the rule.
        mutant: the same without it.
        wrong: what the mutant breaks.
        refused: the first event of its trace that cannot happen where the rule is in force; None
            where all of it can, and does no harm.
    """

    name: str
    real: Callable[[], Searched]
    mutant: Callable[[], Searched]
    wrong: str
    refused: What | None


def _absent(plan: Plan) -> Step | None:
    """Find a step that a look did not show since it was last sent."""
    for step in plan.steps:
        if step.state is StepState.UNKNOWN and step.looks:
            look = step.looks[-1]
            if look.event is Event.ABSENT and look.began_at >= step.attempts[-1].at:
                return step
    return None


def _absence_counts_at_once(
    plan: Plan, promised: Promised, p: Patience, now: datetime
) -> NextAction:
    move = next_action(plan, promised, p, now)
    if isinstance(move, Wait | LookFor) and (step := _absent(plan)):
        return Claim(step.step_id, len(step.attempts) + 1)
    return move


def _an_early_look_counts(plan: Plan, promised: Promised, p: Patience, now: datetime) -> NextAction:
    move = next_action(plan, promised, p, now)
    if isinstance(move, LookFor) and (step := _absent(plan)):
        return Claim(step.step_id, len(step.attempts) + 1)
    return move


def _a_decline_is_final(plan: Plan, promised: Promised, p: Patience, now: datetime) -> NextAction:
    for step in plan.steps:
        declined = any(attempt.answer is Event.DECLINED for attempt in step.attempts)
        if step.state is StepState.UNKNOWN and declined:
            return Write((plan.entry(Event.FAILED, step),))
    return next_action(plan, promised, p, now)


def _undoes_at_once(plan: Plan, promised: Promised, p: Patience, now: datetime) -> NextAction:
    for step in plan.steps:
        if plan.actions[0].closing and step.state is StepState.DONE and step.undo:
            return ClaimUndo(step.step_id, 1)
    return next_action(plan, promised, p, now)


def _keys_are_kept_for_ever(
    plan: Plan, promised: Promised, p: Patience, now: datetime
) -> NextAction:
    kept = {tool: replace(one, retention=timedelta(days=9)) for tool, one in promised.items()}
    return next_action(plan, kept, p, now)


def _approvals_never_end(plan: Plan, promised: Promised, p: Patience, now: datetime) -> NextAction:
    return next_action(replace(plan, deadline=None), promised, p, now)


def _needs_no_id(plan: Plan) -> type[Answers]:
    return answers_for(replace(plan, approval="asked"))


def _doubt_needs_no_id(answer: Answers, action: Action, step: Step) -> str:
    return unclear(answer, action, replace(step, asked=1))


def _shown_by_an_unreachable_look(
    plan: Plan, promised: Promised, p: Patience, now: datetime
) -> NextAction:
    plan = copied(plan)
    for step in plan.steps:
        if step.looks and step.looks[-1].event is Event.UNREACHABLE:
            step.is_shown = True
    return next_action(plan, promised, p, now)


def _undoes_what_is_not_shown(
    plan: Plan, promised: Promised, p: Patience, now: datetime
) -> NextAction:
    move = next_action(plan, promised, p, now)
    for step in plan.steps:
        if plan.actions[0].closing and step.state is StepState.DONE and isinstance(move, LookFor):
            return ClaimUndo(step.step_id, 1)
    return move


def _the_first_match_counts(
    step: Step, seen: Evidence, named: Naming | None, held: Held, promised: Guarantees
) -> Judgement:
    first = replace(seen, look=seen.look and replace(seen.look, matches=seen.rows[:1]))
    judged = judge(step, seen, named, held, promised)
    return judge(step, first, named, held, promised) if judged.matches else judged


def _what_is_in_doubt_fits(
    step: Step, seen: Evidence, named: Naming | None, held: Held, promised: Guarantees
) -> Judgement:
    expects_nothing = replace(step, evidence={}) if step.state is StepState.IN_DOUBT else step
    return judge(expects_nothing, seen, named, held, promised)


def _one_side_decides(
    step: Step, seen: Evidence, named: Naming | None, held: Held, promised: Guarantees
) -> Judgement:
    return judge(replace(step, is_contested=False), seen, named, held, promised)


def _nobody_holds_it(
    step: Step, seen: Evidence, named: Naming | None, held: Held, promised: Guarantees
) -> Judgement:
    return judge(step, seen, named, {}, promised)


def _what_was_shown_is_meant(plan: Plan, entry: Entry) -> None:
    if entry.event is Event.HAPPENED:
        entry = replace(entry, payload={"result": {}})
    plan.apply(entry)


def _every_decline_is_for_good(plan: Plan, entry: Entry) -> None:
    detail = {name: value for name, value in entry.detail.items() if name != "at_the_door"}
    plan.apply(replace(entry, detail=detail))


TWICE = next(case for case in LYING if case.name == "probe")
TURNED_AWAY = one("stored key", stalls=0, doors=True)

TRACES = (
    Trace(
        "late performer after the look",
        lambda: Promise(one("probe")),
        lambda: Promise(one("probe"), Rules(next_action=_an_early_look_counts)),
        "only is done, and stands 1 times and may still land",
        ("claims", 0, 2),
    ),
    Trace(
        "absence that is believed at once",
        lambda: Promise(one("probe")),
        lambda: Promise(one("probe"), Rules(next_action=_absence_counts_at_once)),
        "only is done, and stands 1 times and may still land",
        ("claims", 0, 2),
    ),
    Trace(
        "decline of a retry while the first attempt is open",
        lambda: Promise(one("key")),
        lambda: Promise(one("key"), Rules(next_action=_a_decline_is_final)),
        "only is called failed while it may still land",
        None,
    ),
    Trace(
        "decline that was stored and forgotten",
        lambda: Promise(one("stored key and probe")),
        lambda: Promise(one("stored key and probe"), Rules(next_action=_a_decline_is_final)),
        "only is called failed while it may still land",
        None,
    ),
    Trace(
        "key that was forgotten",
        lambda: Promise(one("key")),
        lambda: Promise(one("key"), Rules(next_action=_keys_are_kept_for_ever)),
        "only was done twice",
        ("claims, sends, hears", 0, 3, "acknowledged", 3),
    ),
    Trace(
        "undo racing a late forward effect",
        lambda: Promise(two("key")),
        lambda: Promise(two("key"), Rules(next_action=_undoes_at_once)),
        "reserve is undone while charge may still land",
        ("claims the undo", 0),
    ),
    Trace(
        "retry after undo",
        lambda: Promise(again("key")),
        lambda: Promise(again("key"), Rules(undo_names_generation=False)),
        "only is done, and stands 0 times",
        None,
    ),
    Trace(
        "two claims of one attempt",
        lambda: Promise(one("neither", cancels=False)),
        lambda: Promise(one("neither", cancels=False), Rules(decides_again=False)),
        "only is called failed while it may still land",
        ("decides", 0, 1),
    ),
    Trace(
        "two answers to two versions of a question",
        Questions,
        lambda: Questions(answers=_needs_no_id),
        "an answer to one question decided another one",
        ("decides", 1, False, "approve"),
    ),
    Trace(
        "two answers to two questions of doubt",
        lambda: Promise(one("neither", attempts=(3,), clicks=True)),
        lambda: Promise(
            one("neither", attempts=(3,), clicks=True), Rules(unclear=_doubt_needs_no_id)
        ),
        "only is called failed while it may still land",
        ("the answer arrives again", 0, "not_happened"),
    ),
    Trace(
        "fork that decides again",
        lambda: Promise(again("key")),
        lambda: Promise(again("key"), Rules(may_follow=lambda _: True)),
        "only was done twice",
        ("is wanted again",),
    ),
    Trace(
        "expiry racing a claim",
        Questions,
        lambda: Questions(Rules(decides_again=False)),
        "it was begun on a decision whose time was over",
        ("decides", "op/0/reserve/1"),
    ),
    Trace(
        "approval that never ends",
        Questions,
        lambda: Questions(Rules(next_action=_approvals_never_end)),
        "it was decided on after its time",
        ("decides", 1, True, "approve"),
    ),
    Trace(
        "second match of which a machine chooses one",
        lambda: Remedied(TWICE),
        lambda: Remedied(TWICE, Rules(judge=_the_first_match_counts)),
        "which of two is only was not asked",
        None,
    ),
    Trace(
        "undo of what no look-up shows",
        lambda: Promise(strange("probe")),
        lambda: Promise(strange("probe"), Rules(next_action=_undoes_what_is_not_shown)),
        "another one's effect is undone for only",
        ("claims the undo", 0),
    ),
    Trace(
        "answer that is built on before it is shown",
        lambda: Promise(strange("probe")),
        lambda: Promise(strange("probe"), Rules(next_action=_shown_by_an_unreachable_look)),
        "only is another one's, and is built on",
        None,
    ),
    Trace(
        "reference that another step holds",
        lambda: Promise(strange("key")),
        lambda: Promise(strange("key"), Rules(judge=_nobody_holds_it)),
        "only is taken for what was not approved, or is another step's",
        None,
    ),
    Trace(
        "mismatch that is written twice",
        lambda: Promise(strange("neither")),
        lambda: Promise(strange("neither"), Rules(judge=_what_is_in_doubt_fits)),
        "the same evidence, written again, changes something",
        None,
    ),
    Trace(
        "contradiction that one side of it decides",
        lambda: Promise(strange("probe")),
        lambda: Promise(strange("probe"), Rules(judge=_one_side_decides)),
        "the same evidence, written again, changes something",
        None,
    ),
    Trace(
        "word on another effect than was shown",
        lambda: Promise(strange("key")),
        lambda: Promise(strange("key"), Rules(apply=_what_was_shown_is_meant)),
        "only is another one's, and is built on",
        None,
    ),
    Trace(
        "refusal at the door that is taken for final",
        lambda: Promise(TURNED_AWAY),
        lambda: Promise(TURNED_AWAY, Rules(apply=_every_decline_is_for_good)),
        "only is called failed while it may still land",
        None,
    ),
)
