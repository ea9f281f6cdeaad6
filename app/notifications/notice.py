"""The content of a notification: a link and facts, without arguments, addresses or secrets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from typing import Any
from urllib.parse import quote

from daybook.app.notifications.routes import About
from daybook.checkpoints.people.notifications import Delivery
from daybook.state.ledger.plan import Plan
from daybook.state.money import Money
from daybook.state.people.privacy import redacted
from daybook.state.plain import in_a_line

_LONGEST = 200

_HEADS = {
    "question": "Approval needed",
    "doubt": "In doubt",
    "reminder": "Still waiting",
    "escalation": "Escalated",
    "settled": "Settled",
    "expired": "Expired",
}


@dataclass(frozen=True)
class Notice:
    """What is said.

    Attributes:
        title: of the plan, or the tool of a step in doubt, in a line.
        lines: what else is said, by what it is called.
        link: to the conversation; "" if no console is named.
        facts: the same and ids, for programs.
    """

    delivery: Delivery
    title: str
    lines: dict[str, str]
    link: str
    facts: dict[str, Any]

    @property
    def head(self) -> str:
        """Say in a line what it is about."""
        return f"{_HEADS[self.delivery.kind]}: {self.title}"

    @property
    def is_answerable(self) -> bool:
        """Tell whether it asks for the approval of a plan."""
        return self.delivery.kind in ("question", "reminder", "escalation") and (
            self.delivery.question == self.delivery.plan_id
        )


def notice_of(delivery: Delivery, plan: Plan | None, about: About) -> Notice:
    """Say what may be said of a question.

    Args:
        plan: None if it cannot be read.
    """
    title = delivery.tool.replace("_", " ")
    lines: dict[str, str] = {}
    actions = plan.actions if plan is not None and delivery.question == delivery.plan_id else ()
    if actions and "title" in about.shows:
        title = "; ".join(action.title for action in actions)
    sums: Counter[str] = Counter()
    for total in (action.total for action in actions):
        if total is not None:
            sums[total.currency] += total.amount
    if sums and "amount" in about.shows:
        lines["amount"] = ", ".join(
            str(Money(amount=cents, currency=currency)) for currency, cents in sorted(sums.items())
        )
    if "owner" in about.shows:
        lines["for"] = delivery.user_id
    lines["who may answer"] = delivery.role
    if delivery.deadline is not None and "deadline" in about.shows:
        lines["until"] = f"{delivery.deadline.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    if delivery.outcome:
        is_shown = "owner" in about.shows or delivery.author != delivery.user_id
        by = f" by {delivery.author}" if delivery.author and is_shown else ""
        lines["outcome"] = f"{delivery.outcome.replace('_', ' ')}{by}"
    title = in_a_line(redacted(title), _LONGEST)
    lines = {name: in_a_line(redacted(line), _LONGEST) for name, line in lines.items()}
    place = f"/console/threads/{quote(delivery.thread_id, safe='')}"
    link = f"{about.console.rstrip('/')}{place}" if about.console else ""
    facts = {
        **{name: getattr(delivery, name) for name in _IDS},
        "at": delivery.at.isoformat(),
        "title": title,
        "link": link,
        **{_NAMES[name]: line for name, line in lines.items()},
    }
    return Notice(delivery, title, lines, link, facts)


_IDS = ("kind", "program", "thread_id", "plan_id", "question", "tool")

_NAMES = {
    "amount": "amount",
    "for": "owner",
    "who may answer": "role",
    "until": "deadline",
    "outcome": "outcome",
}
"""The key of a line in JSON."""
