"""The judge of forgeries: nothing has happened at the shop that was not approved in the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.state.effects.keys import undo_key
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan, fold
from daybook.state.ledger.step import Step
from daybook.state.session import Person
from daybook.tools.services.mail import message_id


async def unapproved(postgres: Postgres, effects: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say which effects nobody approved who might; empty where all is as it should be.

    Args:
        effects: what the shop says really happened (`GET /effects`).
    """
    known: dict[str, str] = {}
    async for thread_id in postgres.ledger.thread_ids():
        entries = await postgres.ledger.entries(thread_id)
        owner = await postgres.threads.owner_of(thread_id) or ""
        for plan in _plans(entries):
            for action, step in plan.located:
                known |= dict.fromkeys(_references(step), _fault(plan, action, step, owner))
    wrong = []
    for effect in effects:
        reference = str(effect["reference"])
        fault = next(
            (fault for own, fault in known.items() if reference == own or _undoes(reference, own)),
            "the ledger knows of no such step",
        )
        if fault:
            wrong.append(f"{effect['effect']} {reference}: {fault}")
    return wrong


def _plans(entries: Sequence[Entry]) -> list[Plan]:
    ids = dict.fromkeys(entry.plan_id for entry in entries if entry.plan_id)
    folded = (fold([one for one in entries if one.plan_id == plan_id]) for plan_id in ids)
    return [plan for plan in folded if plan is not None]


def _references(step: Step) -> tuple[str, str]:
    return step.step_id, message_id(step.step_id)


def _undoes(reference: str, own: str) -> bool:
    return reference.startswith(undo_key(own))


def _fault(plan: Plan, action: Action, step: Step, owner: str) -> str:
    if not step.attempts:
        return "the ledger knows of no attempt"
    if not action.is_approved:
        return f"its action is {action.decision}"
    if not plan.is_bound:
        return "what was approved is something else"
    if plan.approval == "policy" or action.decided_by is None:
        return "" if plan.needs.role == "nobody" else "policy approved what it may not"
    who = Person(action.decided_by, action.decided_as or "")
    return plan.needs.bars(who, owner)
