"""How the shop's results and state are written for the model, and what is filtered."""

from dataclasses import replace
from typing import Any

import pytest

from daybook.state.ledger.plan import Action
from daybook.state.ledger.recovery import Event
from daybook.state.money import Money
from daybook.state.shop.brief import Brief, Wish
from daybook.state.shop.cart import Cart, add, remove
from daybook.state.shop.state import Checkout
from daybook.tools.shop.domain import carried, settled
from daybook.tools.shop.prompt import (
    outcome,
    render_read,
)
from evals.protocol.parts import Part
from tests.unit.paper import Paper, approved
from tests.unit.shop_parts import ADA, line

EMPTY = Cart(cart_id="usd-1", currency="USD")

PRODUCT = {
    "sku": "BOOT-004",
    "name": "Ridge Boots",
    "price": 12_900,
    "currency": "USD",
    "rating": 4.5,
    "review_count": 12,
    "stock": 3,
    "description": "Warm and dry.",
    "attributes": {"waterproof": True, "vegan": False, "sizes": [41, 42], "colour": "red"},
}
ORDER = {
    "order_id": "DB-1",
    "status": "placed",
    "total": 25_800,
    "currency": "USD",
    "lines": [{"sku": "BOOT-004", "quantity": 2}, {"sku": "SOCK-001", "quantity": 1}],
}
RESULTS: dict[str, Any] = {
    "search_products": {"hits": [PRODUCT, {**PRODUCT, "sku": "BOOT-005"}]},
    "get_product": PRODUCT,
    "get_reviews": {
        "sku": "BOOT-004",
        "reviews": [{"rating": 5, "title": "Good", "text": "Dry feet."}],
    },
    "list_orders": {"orders": [ORDER]},
}


def test_the_cart_is_written_as_an_event_and_no_snapshot():
    """CONTEXT: a quantity or a total stands in the tail and nowhere else."""
    cart = add(EMPTY, line(quantity=2))
    written = render_read("get_cart", 1, cart.model_dump(mode="json"), ())
    assert written.startswith("r1 get_cart ok")
    assert "197.80" not in written
    assert "x2" not in written


def test_hidden_hits_are_left_out_and_the_others_are_numbered_anew():
    written = render_read("search_products", 7, RESULTS["search_products"], ["BOOT-004"])
    assert "BOOT-004" not in written
    assert written.split("\n")[0].endswith("1 hits")
    assert written.split("\n")[1].startswith("1. BOOT-005")


# -- a thread that starts from another ------------------------------------------------------------


def test_a_new_thread_takes_over_the_cart_under_a_name_of_its_own():
    """A cart is bought once by its name: the two threads may each buy theirs."""
    cart = remove(add(add(EMPTY, line("A")), line("B")), "B", "t")
    brief = Brief(goal="boots", wish=Wish(text="check out", turn_id="t"))
    checkout = Checkout(card_id="c1")
    taken = carried({"cart": cart, "checkout": checkout, "brief": brief}, ADA, "turn")
    assert taken["cart"].lines == cart.lines
    assert taken["cart"].removed == cart.removed
    assert taken["cart"].cart_id != cart.cart_id
    assert taken["checkout"] == checkout
    assert taken["brief"] == Brief(goal="boots")


# -- outcomes -------------------------------------------------------------------------------------

STEPS = (
    Part("reserve BOOT-1", undo="release_inventory"),
    Part("charge", undo="refund_payment", args={"card_id": "c1"}),
    Part("place order", undo="cancel_order", pivot=True),
    Part("mail"),
)


def _checkout(done: int) -> Paper:
    paper = approved(*STEPS)
    for part in STEPS[:done]:
        paper.done(part.name, order_id="DB-1")
    return paper


def _said(paper: Paper, tool: str = "checkout", **args: Any) -> str:
    action: Action = replace(
        paper.plan.actions[0], tool=tool, args=args, total=Money(amount=9_890, currency="USD")
    )
    return outcome(action)


@pytest.mark.parametrize(("reference", "named"), [("DB-7", "DB-7"), ("", "of unknown number")])
def test_an_order_that_a_person_vouched_for_is_named_as_they_named_it(reference: str, named: str):
    paper = _checkout(2)
    paper.done("place order", reference=reference)
    paper.done("mail")
    assert f"order {named}," in _said(paper)
    action = replace(paper.plan.actions[0], tool="checkout", total=Money(amount=1, currency="USD"))
    state = {"cart": EMPTY, "checkout": Checkout()}
    after = settled(state, replace(action, args={"card_id": "c1", "address_id": "a1"}))
    assert [order.order_id for order in after["checkout"].orders] == [named]
    assert after["cart"].lines == ()


def test_nothing_was_changed_is_not_said_of_what_may_have_happened():
    # It came after its absence was certain and the plan was over: it is undone, or in question.
    for event in (None, Event.IN_DOUBT, Event.UNDO_ATTEMPTED, Event.UNDO_STUCK):
        paper = approved(Part("charge", undo="refund", pivot=True))
        paper.attempted("charge", Event.DECLINED, payload={"reason": "No."})
        paper.follow()
        paper.write(Event.ENDED)
        if event is Event.IN_DOUBT:
            paper.write(event, paper.step("charge"))
        elif event is not None:
            paper.answered("charge", Event.ACKNOWLEDGED, payload={"result": {"id": "CH-1"}})
            paper.undo_claimed("charge")
        if event is Event.UNDO_STUCK:
            paper.write(event, paper.step("charge"))
        ends = "Nothing was changed." if event is None else "Outcome not known: charge."
        assert _said(paper) == f"checkout failed: No. {ends}"
