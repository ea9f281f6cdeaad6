"""A person's approval of an order, exported: the mandates that were sent, or what we say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import DaybookError, ForeignThread, UnknownPlan
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan, fold
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.step import Step
from daybook.tools.merchants.ap2.mandates import approval
from daybook.tools.merchants.ap2.signatory import Signatory
from daybook.tools.merchants.ucp import requests

_TOOL = "complete_session"

_NOT_APPROVED = {
    None: "waits for its person, and nobody has approved it",
    "rejected": "was rejected",
    "edited": "was changed by its person, and another plan took its place",
    "moved": "was overtaken: something moved, and it was asked about again",
    "expired": "was not decided in time",
    "withdrawn": "was withdrawn before anybody decided",
}


@dataclass(frozen=True)
class Exported:
    """What one order comes to.

    Attributes:
        checkout, payment: mandates of AP2, as they were sent; "" where the merchant wants none.
        approval: what this deployment says of the approval, signed.
    """

    merchant: str
    checkout: str
    payment: str
    approval: str


async def exported(
    postgres: Postgres,
    signatory: Signatory,
    thread_id: str,
    plan_id: str,
    user_id: str,
    clock: Clock = SYSTEM,
) -> list[Exported]:
    """Export what a person approved in a plan: one for each order that it places.

    Raises:
        DaybookError: there is no such thread or plan, it is another person's, it places no order,
            or nobody approved it.
    """
    owner = await postgres.threads.owner_of(thread_id)
    if owner is None:
        raise DaybookError(
            f"There is no thread {thread_id} here. Nothing was signed; `daybook threads` lists "
            "those that there are."
        )
    if owner != user_id:
        raise ForeignThread(thread_id)
    entries = await postgres.ledger.entries(thread_id)
    plan = fold(one for one in entries if one.plan_id == plan_id)
    if plan is None:
        raise UnknownPlan(f"The thread has no plan {plan_id}. {_orders(entries)}")
    orders = [action for action in plan.actions if _order_of(action) is not None]
    if not orders:
        raise DaybookError(f"The plan {plan_id} places no order at a merchant. {_orders(entries)}")
    _refuse_what_nobody_approved(plan, orders)
    decision = next(one for one in entries if one.plan_id == plan_id and _is_decision(one))
    return [await _exported(signatory, plan, one, decision, clock) for one in orders]


async def _exported(
    signatory: Signatory, plan: Plan, action: Action, decision: Entry, clock: Clock
) -> Exported:
    step = _order_of(action)
    assert step is not None
    held = await signatory.held(step.step_id)
    if held is None and requests.is_mandated(step.args["body"]):
        raise DaybookError(
            f"{step.args['merchant']} takes a mandate, which is made as the order is sent, and "
            "this one has not been sent. Nothing was signed; try again when it has been."
        )
    said = approval(
        _claims(plan, action, step.args, decision), signatory.key, signatory.issuer, clock.now()
    )
    return Exported(
        merchant=step.args["merchant"],
        checkout=held.checkout if held is not None else "",
        payment=held.payment if held is not None else "",
        approval=said,
    )


def _claims(plan: Plan, action: Action, args: Mapping[str, Any], decision: Entry) -> dict[str, Any]:
    assert decision.at is not None
    order = ("merchant", "checkout_id", "instrument_id", "total", "currency", "terms")
    return {
        "plan_id": plan.plan_id,
        "approved_by": decision.author,
        "approved_as": decision.role,
        "approved_at": int(decision.at.timestamp()),
        "approved_hash": plan.approved_hash,
        "order": {name: args[name] for name in order},
        "shown": [action.title, *action.summary],
    }


def _refuse_what_nobody_approved(plan: Plan, orders: Sequence[Action]) -> None:
    if plan.approval == "policy":
        raise DaybookError(
            f"The plan {plan.plan_id} was let through by a rule, and no person approved it. "
            "Nothing was signed."
        )
    for action in orders:
        if not action.is_approved:
            why = _NOT_APPROVED.get(action.decision, f"was {action.decision}")
            raise DaybookError(f"The plan {plan.plan_id} {why}. Nothing was signed.")
        step = _order_of(action)
        if action.is_abandoned or (step is not None and step.state.value == "void"):
            raise DaybookError(
                f"The approval of the plan {plan.plan_id} came to nothing: it got too old, or "
                "something moved before the order was sent. Nothing was signed."
            )
    if not plan.is_bound:
        raise DaybookError(
            f"What the plan {plan.plan_id} would do is not what was approved, or it was erased. "
            "Nothing was signed; see `daybook ledger verify`."
        )


def _order_of(action: Action) -> Step | None:
    """Return the step that places an order; None where the action does not."""
    return next((one for one in reversed(action.steps) if one.tool == _TOOL), None)


def _is_decision(entry: Entry) -> bool:
    return entry.event is Event.DECISION


def _orders(entries: Sequence[Entry]) -> str:
    """Say which plans of a thread place orders."""
    ids = dict.fromkeys(one.plan_id for one in entries if one.plan_id is not None)
    plans = [fold(one for one in entries if one.plan_id == plan_id) for plan_id in ids]
    listed = [
        f"{plan.plan_id} ({action.title})"
        for plan in plans
        if plan is not None
        for action in plan.actions
        if _order_of(action) is not None
    ]
    return f"Nothing was signed. Orders of this thread: {'; '.join(listed) or 'none'}."
