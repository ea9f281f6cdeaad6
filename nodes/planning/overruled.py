"""What people changed in this turn: as it was asked about, it is not tried again.

Read from the ledger and not from state: a process may die between the edit and its checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence

from daybook.nodes.planning.drafting import Drafted
from daybook.nodes.running.work import Work
from daybook.state.effects.keys import canonical
from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Action, Plan
from daybook.tools.signature import comparable


def changed_in(plans: Sequence[Plan]) -> list[Action]:
    """Return the actions of plans that people changed."""
    actions = [action for plan in plans for action in plan.actions]
    return [action for action in actions if action.decision == "edited"]


def refuse_what_was_changed(drafted: Drafted, changed: Sequence[Action], work: Work) -> None:
    """Refuse a call that a person changed earlier in the turn: they did not want it as it was.

    Seen otherwise: a model takes the edit for a mistake and proposes its own call again, perhaps in
    other words that come to the same.

    Raises:
        ToolRefused: it is that call.
    """
    now = drafted.action
    model = work.domain.registry.offered(now.tool).args
    wanted = canonical(comparable(model, now.args))
    for was in changed:
        if was.tool == now.tool and canonical(comparable(model, was.args)) == wanted:
            raise ToolRefused(
                f"Whoever was asked about this {now.tool} changed it, and what came of that is "
                "known. As it was proposed it is not tried again in this turn."
            )
