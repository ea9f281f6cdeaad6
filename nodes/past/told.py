"""What the machine tells of the plans of a turn, whatever the model says of them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from daybook.state.ledger.plan import Plan
from daybook.tools.domain import Domain


def outcomes(plans: Iterable[Plan], turn_id: str, domain: Domain) -> list[str]:
    """Say what came of the plans of a turn that are over, action by action."""
    return [
        f"{domain.outcome_line(action).rstrip('.')}."
        for plan in plans
        if plan.over and plan.turn_id == turn_id and not plan.edits
        for action in plan.actions
    ]


def unsaid(lines: Sequence[str], answer: Sequence[str]) -> list[str]:
    """Return the lines of which an answer does not hold what came of it, word for word."""

    def is_held(line: str) -> bool:
        whole = line.rstrip(".")
        _, _, came = whole.partition(": ")
        # "done" stands in many an answer.
        held = (whole, came) if len(came.split()) > 2 else (whole,)
        return any(words in part for words in held for part in answer)

    return [line for line in lines if not is_held(line)]
