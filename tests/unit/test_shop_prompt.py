"""How the shop's results and state are written for the model, and what is filtered."""

from dataclasses import replace
from typing import Any

import pytest

from daybook.state.ledger.plan import Action
from daybook.state.ledger.recovery import Event
from daybook.state.money import Money
from daybook.state.shop.brief import Brief, Wish
from daybook.state.shop.cart import Cart, add, remove
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.kinds import ReadTool
from daybook.tools.shop.domain import carried, settled
from daybook.tools.shop.prompt import (
    outcome,
    render_read,
    tail,
)
from tests.unit.paper import Paper, Part, approved
from tests.unit.shop_parts import ADA, a_domain, line

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
RESULTS: dict[str, tuple[Any, str]] = {
    "search_products": (
        {"hits": [PRODUCT, {**PRODUCT, "sku": "BOOT-005"}]},
        "r7 search_products ok: 2 hits\n"
        "1. BOOT-004 | Ridge Boots | 129.00 USD | 4.5 of 5 (12) | 3 in stock\n"
        "2. BOOT-005 | Ridge Boots | 129.00 USD | 4.5 of 5 (12) | 3 in stock",
    ),
    "get_product": (
        PRODUCT,
        "r7 get_product ok\n"
        "BOOT-004 | Ridge Boots | 129.00 USD | 4.5 of 5 (12) | 3 in stock\n"
        "Warm and dry.\n"
        "attributes: waterproof=yes, vegan=no, sizes=41, 42, colour=red",
    ),
    "get_reviews": (
        {"sku": "BOOT-004", "reviews": [{"rating": 5, "title": "Good", "text": "Dry feet."}]},
        "r7 get_reviews ok: 1 reviews of BOOT-004\n5 of 5 | Good | Dry feet.",
    ),
    "compare_reviews": (
        {
            "verdict": {
                "products": [
                    {
                        "sku": "BOOT-004",
                        "rating": 4,
                        "points_for": ["warm", "light"],
                        "points_against": ["runs small"],
                    },
                    {"sku": "BOOT-005", "rating": 2},
                ],
                "best": "BOOT-004",
                "summary": "The first is warmer.",
            },
            "tokens": 900,
        },
        "r7 compare_reviews ok: 2 products, best BOOT-004\n"
        "BOOT-004 | 4 of 5 | + warm; light | - runs small\n"
        "BOOT-005 | 2 of 5\n"
        "The first is warmer.",
    ),
    "list_categories": (
        {
            "categories": [
                {"slug": "tents", "name": "Tents", "count": 30},
                {"slug": "socks", "name": "Socks", "count": 3},
            ]
        },
        "r7 list_categories ok\ntents (30), socks (3)",
    ),
    "get_policy": (
        {"topic": "returns", "text": "Within 30 days."},
        "r7 get_policy ok: returns\nWithin 30 days.",
    ),
    "fetch_user_profile": (
        {
            "name": "Ada",
            "cards": [{"card_id": "c1", "brand": "visa", "last4": "4242"}],
            "addresses": [],
            "default_card_id": "c1",
            "default_address_id": None,
        },
        "r7 fetch_user_profile ok\nname: Ada\ncards: c1 visa 4242\naddresses: none\n"
        "default card: c1\ndefault address: none",
    ),
    "get_order": (ORDER, "r7 get_order ok\nDB-1 | placed | 258.00 USD | BOOT-004 x2, SOCK-001 x1"),
    "list_orders": (
        {"orders": [ORDER]},
        "r7 list_orders ok: 1 orders\nDB-1 | placed | 258.00 USD | BOOT-004 x2, SOCK-001 x1",
    ),
}


@pytest.mark.parametrize("tool", RESULTS)
def test_a_result_is_written_as_compact_lines_under_its_handle(tool: str):
    result, text = RESULTS[tool]
    assert render_read(tool, 7, result, ()) == text


def test_every_read_is_written_and_the_cart_as_an_event_and_no_snapshot():
    """CONTEXT: a quantity or a total stands in the tail and nowhere else."""
    registry = a_domain().registry
    reads = {n for n in registry.names if isinstance(registry.offered(n), ReadTool)}
    assert reads - {"recall", "query_history"} == {*RESULTS, "get_cart"}
    cart = add(EMPTY, line(quantity=2))
    written = render_read("get_cart", 1, cart.model_dump(mode="json"), ())
    assert written.startswith("r1 get_cart ok")
    assert "197.80" not in written
    assert "x2" not in written


def test_hidden_hits_are_left_out_and_the_others_are_numbered_anew():
    result, _ = RESULTS["search_products"]
    written = render_read("search_products", 7, result, ["BOOT-004"])
    assert "BOOT-004" not in written
    assert written.split("\n")[0].endswith("1 hits")
    assert written.split("\n")[1].startswith("1. BOOT-005")


def test_the_tail_shows_cart_removed_orders_choices_and_the_brief_where_there_are_any():
    assert tail({"cart": EMPTY, "checkout": Checkout()}, ADA)[1:] == ["cart r0 (USD): empty"]
    cart = remove(add(add(EMPTY, line("A", 2)), line("B")), "B", "t")
    seen = OrderSeen(order_id="DB-1", status="placed", total=500, currency="USD")
    checkout = Checkout(card_id="c1", address_id="a1", orders=(seen,))
    brief = Brief(
        goal="boots for Iceland",
        category="hiking-boots",
        max_price=20_000,
        size="43",
        for_whom="Maren",
        must_have=("waterproof", "light"),
    )
    assert tail({"cart": cart, "checkout": checkout, "brief": brief}, ADA) == [
        "user: ada",
        "cart r3 (USD):",
        "  A x2 @ 98.90 = 197.80 | Name of A",
        "total: 197.80 USD",
        "removed: B | Name of B",
        "orders: DB-1 placed 5.00 USD",
        "chosen for checkout: c1, a1",
        "brief: goal=boots for Iceland; category=hiking-boots; max 200.00 USD; size 43; for Maren; "
        "must have waterproof, light",
    ]


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


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Event.DECLINED, "but the confirmation mail was refused by the mail server"),
        (Event.UNANSWERED, "and it is in doubt whether the confirmation mail was sent"),
    ],
)
def test_a_purchase_tells_what_came_of_its_mail(event: Event, said: str):
    paper = _checkout(3)
    paper.attempted("mail", event)
    if event is Event.UNANSWERED:
        paper.write(Event.IN_DOUBT, paper.step("mail"))
    paper.follow()
    assert _said(paper).endswith(said)


def test_what_failed_tells_why_what_was_undone_what_was_not_and_that_nothing_was_changed():
    paper = _checkout(1)
    paper.attempted("charge", Event.DECLINED, payload={"reason": "The card was declined."})
    paper.follow()
    paper.undone("reserve BOOT-1")
    assert _said(paper) == "checkout failed: The card was declined. Undone: reserve BOOT-1."
    paper = approved(Part("cancel"), Part("refund", pivot=True))
    paper.done("cancel")
    paper.attempted("refund", Event.DECLINED, payload={"reason": "No."})
    paper.follow()
    assert _said(paper, "cancel_order") == "cancel_order failed: No. Done and not undone: cancel."
    paper = approved(*STEPS)
    paper.attempted("reserve BOOT-1", Event.DECLINED, payload={"reason": "out of stock"})
    paper.follow()
    assert _said(paper) == "checkout failed: out of stock. Nothing was changed."


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
        ends = "Nothing was changed." if event is None else "Not settled: charge."
        assert _said(paper) == f"checkout failed: No. {ends}"
