"""Let policy judge a plan that is about to be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from daybook.nodes.planning.drafting import Drafted
from daybook.nodes.running.work import Work
from daybook.state.money import Money
from daybook.state.people.policy import Facts, Needs
from daybook.tools.boundary import made
from daybook.tools.draft import ActionDraft, StepDraft


def judged(drafted: Sequence[Drafted], state: Mapping[str, Any], work: Work) -> Needs:
    """Say who must approve these actions, as a whole.

    Raises:
        ToolFailed: it cannot be told, so nobody may.
    """
    steps = [(one.action, step) for one in drafted for step in one.action.steps]
    effects = work.domain.registry.effects
    moved: dict[str, list[Money | None]] = {}
    for action, step in steps:
        moved.setdefault(step.tool, []).append(_amount(action, step))
    facts = [
        Facts(
            tool=step.tool,
            kind=effects[step.tool].kind,
            at=state["flow"],
            user=work.session.user_id,
            amount=_sum(moved[step.tool]),
            declared=effects[step.tool].approval,
        )
        for _, step in steps
    ]
    return made("the policy", lambda: work.policy.judge(facts))


def _amount(action: ActionDraft, step: StepDraft) -> Money | None:
    """Return the money that a step moves: what it is told, else what its action comes to.

    What is named so need not be money, and a model may have written it: what cannot be read as
    money is not known.
    """
    named = {"amount", "currency"}
    if named & step.binds.keys():
        return None
    if not named <= step.args.keys():
        return action.total
    try:
        return Money.model_validate(dict(step.args), strict=True)
    except ValidationError:
        return None


def _sum(amounts: Sequence[Money | None]) -> Money | None:
    """Add up; not known where one of them is not, or where they are in several currencies.

    Ten small refunds in one plan are not judged as small ones, and one that is less than nothing
    makes no other one small.
    """
    known = [amount for amount in amounts if amount is not None and amount.amount >= 0]
    currencies = {amount.currency for amount in known}
    if len(known) < len(amounts) or len(currencies) != 1:
        return None
    return Money(amount=sum(amount.amount for amount in known), currency=currencies.pop())
