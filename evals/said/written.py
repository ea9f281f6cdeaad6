"""Answers that were written by hand, true and false ones, in a dozen ways of speaking."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from daybook.nodes.prompt.spoken import kinds_in
from daybook.state.money import in_units
from daybook.state.session import Session
from daybook.state.shop.cart import Cart, CartLine, Removed
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.said.grammar.kinds import kinds_of
from daybook.tools.said.known import Effect, Known, Outcome, known
from daybook.tools.shop.domain import SHOP
from evals.said.answers import Answer

_TURN = "turn"
_HERE = Path(__file__).parent

_CAME: Final[Mapping[str, Mapping[str, Outcome]]] = {
    "declined": {
        "reserve": "undone",
        "charge": "not done",
        "order": "not done",
        "mail": "not done",
    },
    "in_doubt": {"reserve": "done", "charge": "in doubt", "order": "open", "mail": "open"},
    "done": {"reserve": "done", "charge": "done", "order": "done", "mail": "done"},
}
"""What became of the effects of a checkout; in every other outcome none was done."""

_MAILS: Final[Mapping[str, Outcome]] = {"refused": "not done", "in_doubt": "in doubt"}
"""What became of the mail of a plan that came about."""

_TOOLS: Final = {
    "checkout": ("reserve_inventory", "charge_payment", "place_order", "send_email"),
    "cancel_order": ("cancel_order", "refund_payment", "send_email"),
    "send_email": ("send_email",),
}


def written(half: str) -> Iterator[Answer]:
    """Yield what was written by hand.

    Args:
        half: `looked_at` or `held_out`.
    """
    read = json.loads((_HERE / f"written_{half}.json").read_text(encoding="utf-8"))
    for one in read["answers"]:
        situation = read["situations"][one["situation"]]
        state = _state(situation)
        yield Answer(
            one["text"],
            _known(situation, state),
            one["is_true"],
            "written" if one["is_true"] else f"written: {one['way']}",
            one["situation"],
            partial(SHOP.denied, state),
        )


def _state(situation: Mapping[str, Any]) -> dict[str, Any]:
    lines = tuple(CartLine(**line) for line in situation.get("cart", ()))
    removed = tuple(Removed(**gone, turn_id=_TURN) for gone in situation.get("removed", ()))
    orders = tuple(OrderSeen(**one, currency="USD") for one in situation["orders"])
    cart = Cart(cart_id="cart", currency="USD", lines=lines, removed=removed)
    return {
        "cart": cart,
        "checkout": Checkout(orders=orders),
        "turn": {"turn_id": _TURN},
        "flow": "shopping",
    }


def _known(situation: Mapping[str, Any], state: Mapping[str, Any]) -> Known:
    """Gather what a prompt would show: reads, results, and the state at its end."""
    results = [
        SHOP.rendered(read["tool"], number, read["result"], ())
        for number, read in enumerate(situation.get("reads", ()), 1)
    ]
    results += [_ordered(one, situation) for one in situation["orders"]]
    session = Session("tenant", "thread", "dan", "dan", "customer", "worker")
    results.append("\n".join(SHOP.tail(state, session)))
    plan = situation.get("plan")
    if plan:
        results += [_line(plan), json.dumps({"lines": plan.get("lines", ())})]
    return known(
        results,
        [],
        effects=list(_effects(plan)) if plan else (),
        kinds=kinds_in(SHOP),
        beside=[SHOP.prompt.system],
    )


def _ordered(order: Mapping[str, Any], situation: Mapping[str, Any]) -> str:
    bought = _listed(order["order_id"], situation)
    lines = ", ".join(f"{line['sku']} x{line['quantity']}" for line in bought)
    total = f"{in_units(order['total'])} USD"
    return f"r9 get_order ok\n{order['order_id']} | {order['status']} | {total} | {lines}"


def _listed(order_id: str, situation: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the lines of an order: as it was read, or else as it was to be bought in this turn."""
    results = [read["result"] for read in situation.get("reads", ())]
    orders = [one for result in results for one in (*result.get("orders", ()), result)]
    found: list[Sequence[Mapping[str, Any]]] = [
        one["lines"] for one in orders if one.get("order_id") == order_id and "lines" in one
    ]
    if found:
        return found[0]
    lines: Sequence[Mapping[str, Any]] = (situation.get("plan") or {}).get("lines", ())
    bought: Sequence[Mapping[str, Any]] = situation.get("bought") or lines
    return bought


def _effects(plan: Mapping[str, Any]) -> Iterator[Effect]:
    came = dict(_CAME.get(plan["outcome"], {}))
    if plan["tool"] != "checkout" and plan["outcome"] == "done":
        came = {"cancel": "done", "refund": "done", "mail": "done"}
    if plan["tool"] == "send_email" and plan["outcome"] in ("in_doubt", "done"):
        came = {"mail": "in doubt" if plan["outcome"] == "in_doubt" else "done"}
    if plan.get("mail") in _MAILS:
        came["mail"] = _MAILS[plan["mail"]]
    ids = frozenset({plan["order_id"].lower()} if plan.get("order_id") else ())
    for tool in _TOOLS[plan["tool"]]:
        for kind in kinds_of(tool):
            yield Effect(
                kind,
                came.get(kind.name, "not done"),
                ids,
                True,
                _line(plan),
                plan["outcome"] == "done",
            )


def _line(plan: Mapping[str, Any]) -> str:
    what = {name: plan[name] for name in ("order_id", "card_id") if name in plan}
    total = f" {in_units(plan['total'])} USD" if "total" in plan else ""
    about = " ".join(what.values())
    return f"{plan['tool']} {plan['outcome']}: {about}{total}"
