"""What was known when an answer was given, put together when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from daybook.tools.said.known import Known

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event


@dataclass(frozen=True, eq=False)
class Background:
    """What an answer is held against; one is the same as itself alone.

    Attributes:
        gather: puts it together, which takes a while.
    """

    gather: Callable[[], Known]

    @cached_property
    def known(self) -> Known:
        """Return what was known."""
        return self.gather()


def plans_before(entries: Iterable[Entry], seq: int) -> list[Plan]:
    """Fold the plans as they stood before an entry."""
    plans: dict[str, Plan] = {}
    for entry in entries:
        if entry.seq >= seq or entry.plan_id is None:
            continue
        if entry.event is Event.OPENED:
            plans[entry.plan_id] = Plan(entry.plan_id, entry.turn_id or "")
        if entry.plan_id in plans:
            plans[entry.plan_id].apply(entry)
    return list(plans.values())
