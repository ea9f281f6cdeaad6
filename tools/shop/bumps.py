"""What the shop asks before a costly step, and which products it does not show again. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.state.money import in_units
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, Removed
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.bumps import Args, Bump, Said, State, has_agreed_to
from daybook.tools.shop.carts import bump_before_adding, is_named_in, not_named_in

_LARGE_CART = 100_000
_LARGE_ORDER = 10_000
"""Integer cents."""

_MAIL_QUESTION = "This mail names a product that was removed from the cart. Send it anyway?"


def hidden(state: State, words: str, result: Any) -> tuple[str, ...]:
    """Return the SKUs of a read's result that the cart holds as removed.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    if not isinstance(result, Mapping):
        return ()
    verdict: Mapping[str, Any] = result.get("verdict", {})
    rows = [*result.get("hits", ()), *verdict.get("products", ()), result]
    shown = {row["sku"] for row in rows if "sku" in row}
    return not_named_in((one for one in _removed(state) if one.sku in shown), words)


def _removed(state: State) -> Sequence[Removed]:
    cart: Cart | None = state.get("cart")
    return cart.removed if cart else ()


def _removed_before(state: State, args: Args) -> Removed | None:
    """Return the removed product that a call would add again."""
    sku = str(args["sku"]).casefold()
    return next((one for one in _removed(state) if one.sku.casefold() == sku), None)


def _removed_in_mail(state: State, args: Args) -> list[Removed]:
    mail = f"{args['subject']}\n{args['body']}"
    return [one for one in _removed(state) if is_named_in(one, mail)]


def _may_send(state: State, args: Args, said: Said) -> bool:
    words = said[0] if said else ""
    is_meant = all(is_named_in(one, words) for one in _removed_in_mail(state, args))
    return is_meant or has_agreed_to(_MAIL_QUESTION, state)


def _has_budget(state: State, args: Args, said: Said) -> bool:
    brief: Brief = state.get("brief", Brief())
    if brief.max_price is not None:
        return True
    return any("budget" in fact.subject.split() for fact in state.get("facts", ()))


def _total(state: State, args: Args) -> int:
    """Return what the cart adds up to; a single piece was chosen at its price."""
    cart: Cart = state["cart"]
    return cart.total.amount if sum(line.quantity for line in cart.lines) > 1 else 0


def _worth(state: State, args: Args) -> int:
    """Return what the order cost where there is a choice among placed ones, else 0."""
    placed = _placed(state)
    if len(placed) < 2:
        return 0
    return next((one.total for one in placed if one.order_id == args["order_id"]), 0)


def _names_order(state: State, args: Args, said: Said) -> bool:
    """Tell whether the user's last two messages hold the id of a placed order."""
    words = " ".join(said[:2]).casefold()
    return any(one.order_id.casefold() in words for one in _placed(state))


def _choice_of_orders(state: State, args: Args) -> str:
    """Name the choice: with another order it is another question."""
    return f"order of {', '.join(one.order_id for one in _placed(state))}"


def _which_order(state: State, args: Args) -> str:
    orders = ", ".join(
        f"{one.order_id} ({in_units(one.total, one.currency)} {one.currency})"
        for one in _placed(state)
    )
    return f"Which of your orders shall be cancelled: {orders}?"


def _placed(state: State) -> Sequence[OrderSeen]:
    checkout: Checkout = state["checkout"]
    return [one for one in checkout.orders if one.status == "placed"]


BUMPS = (
    Bump(
        tool="checkout",
        slot=lambda state, args: "budget",
        threshold=_LARGE_CART,
        cost=_total,
        is_known=_has_budget,
        question=lambda state, args: (
            "This cart comes to more than a thousand, and no budget is known. Is there a limit "
            "that I should keep to, or shall I check out as it is?"
        ),
    ),
    Bump(
        tool="cancel_order",
        slot=_choice_of_orders,
        threshold=_LARGE_ORDER,
        cost=_worth,
        is_known=_names_order,
        question=_which_order,
    ),
    bump_before_adding("add_to_cart", _removed_before),
    Bump(
        tool="send_email",
        slot=lambda state, args: "",
        threshold=1,
        cost=lambda state, args: len(_removed_in_mail(state, args)),
        is_known=_may_send,
        question=lambda state, args: _MAIL_QUESTION,
    ),
)
