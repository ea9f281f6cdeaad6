"""What the shop asks before a costly step: a budget, a kind of goods, which order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from daybook.state.money import in_units
from daybook.state.people.hearsay import is_yes
from daybook.state.people.questions.assent import is_assent
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, Removed
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.bumps import Args, Bump, Said, State
from daybook.tools.shop.named.removed import (
    MAIL_QUESTION,
    is_of_removed,
    question_before_adding,
)
from daybook.tools.shop.named.wanted import refused, wanted_back
from daybook.tools.shop.named.words import BUDGETS, KINDS, amounts_in, stem

_LARGE_CART = 100_000
_LARGE_ORDER = 10_000
"""Integer cents."""

_ABOUT_MONEY = re.compile(r"\b(?:budget|spend|limit|in total|in all|altogether)\b", re.IGNORECASE)
_NO_LIMIT = re.compile(
    r"\b(?:no (?:limit|budget)|whatever (?:it|that) (?:costs|takes)|money is no|any price)\b",
    re.IGNORECASE,
)

_VAGUE = frozenset(
    {
        "a", "all", "an", "and", "any", "anything", "best", "camping", "cheap",
        "everything", "find", "for", "gear", "get", "gift", "goods", "good", "have",
        "hike", "hiking", "i", "idea", "in", "item", "kit", "like", "looking", "me", "my",
        "need", "new", "nice", "of", "on", "outdoor", "outside", "present", "product",
        "recommend", "recommendation", "shop", "show", "some", "something", "stuff",
        "suggestion", "that", "the", "thing", "to", "tour", "trek", "trekking", "trip",
        "want", "what", "with", "you", "your", "equipment",
    }
)  # fmt: skip
"""Words that narrow a search down to no kind of goods and to no property."""

_WHICH = frozenset(
    {
        "first", "second", "third", "fourth", "fifth", "last", "latest", "newest",
        "oldest", "earliest", "recent", "previous", "both", "all", "every", "each",
        "other", "older", "newer",
    }
)  # fmt: skip

_WORD = re.compile(r"\w+")

_PUT_IT = re.compile(
    r"^\W*(?:please |and |then |so )*(?:add|put|take|order|get|i want|i'll take) (?:it|them)\b"
    r"(?!.*\b(?:no|not|out|away|off|never)\b)",
    re.IGNORECASE,
)
"""How "add it again?" is agreed to in its own words."""


def _has_budget(state: State, args: Args, said: Said) -> bool:
    """Tell whether a limit for the cart is known: from memory, the brief, or what was said."""
    if _brief(state).max_price is not None:
        return True
    if any(name in fact.subject for fact in state.get("facts", ()) for name in BUDGETS):
        return True
    return any(_names_budget(text) for text in said)


def _names_budget(text: str) -> bool:
    amounts = amounts_in(text)
    if any(100 * amount >= _LARGE_CART for amount in amounts):
        return True
    return bool(_NO_LIMIT.search(text) or (amounts and _ABOUT_MONEY.search(text)))


def _breadth(state: State, args: Args) -> int:
    """Count what a search leaves open: 1 where nothing narrows it down."""
    if args.get("category") or args.get("max_price") is not None:
        return 0
    words = _words([args.get("query", "")])
    return int(bool(words) and words <= _words(_VAGUE))


def _names_kind(state: State, args: Args, said: Said) -> bool:
    brief = _brief(state)
    return bool(brief.category) or bool(KINDS & _words([*said[:1], brief.goal]))


def _worth(state: State, args: Args) -> int:
    """Return what the order cost where there is a choice among placed ones, else 0."""
    placed = _placed(state)
    if len(placed) < 2:
        return 0
    return next((one.total for one in placed if one.order_id == args["order_id"]), 0)


def _names_order(state: State, args: Args, said: Said) -> bool:
    """Tell whether the person's last words, or those before, say which order it is."""
    words = " ".join(said[:2]).lower()
    if any(one.order_id.lower() in words for one in _placed(state)):
        return True
    return bool(_WHICH & set(_WORD.findall(words)))


def _which(state: State, args: Args) -> str:
    """Name the choice: with another order it is another question."""
    return f"order of {', '.join(one.order_id for one in _placed(state))}"


def _which_order(state: State, args: Args) -> str:
    orders = ", ".join(
        f"{one.order_id} ({in_units(one.total)} {one.currency})" for one in _placed(state)
    )
    return f"Which of your orders shall be cancelled: {orders}?"


def _placed(state: State) -> list[OrderSeen]:
    checkout: Checkout = state["checkout"]
    return [one for one in checkout.orders if one.status == "placed"]


def _removed(state: State, args: Args) -> Removed | None:
    """Return what was taken out of the cart and would be added."""
    cart: Cart = state["cart"]
    sku = str(args["sku"]).casefold()
    return next((gone for gone in cart.removed if gone.sku.casefold() == sku), None)


def _is_wanted_back(state: State, args: Args, said: Said) -> bool:
    """Tell whether the person wants it since it went: by name, or by a yes to the question.

    What they said of it last counts.
    """
    gone = _removed(state, args)
    if gone is None:
        return True
    question, asked, is_wanted = question_before_adding(gone), "", False
    for message in _since(gone, state):
        if message.type == "ai":
            asked = message.text
        elif message.type == "human":
            is_asked = question in asked
            if wanted_back(state["cart"], gone, message.text) or (is_asked and _agrees(message)):
                is_wanted = True
            elif is_asked or refused(gone, message.text):
                is_wanted = False
            asked = ""
    return is_wanted


def _since(gone: Removed, state: State) -> Sequence[Any]:
    """Return the messages that followed the removal.

    Where it went by a click, only the last words are sure to be later.
    """
    messages = state.get("messages") or ()
    human = [at for at, message in enumerate(messages) if message.type == "human"]
    ids = [message.id for message in messages]
    if gone.turn_id in ids:
        return messages[ids.index(gone.turn_id) + 1 :]
    return messages[human[-2] + 1 if len(human) > 1 else 0 :]


def _agrees(message: Any) -> bool:
    """Tell whether an answer to the question says yes."""
    text = message.text
    return is_yes(text) or is_assent(text) or _PUT_IT.search(text) is not None


def _asks_again(state: State, args: Args) -> str:
    gone = _removed(state, args)
    return question_before_adding(gone) if gone is not None else ""


def _recommends(state: State, args: Args) -> int:
    """Count a mail that would recommend what was taken out; a person who names it wants it."""
    human = [m.text for m in state.get("messages") or () if m.type == "human"]
    text = f"{args['subject']}\n\n{args['body']}"
    return int("cart" in state and is_of_removed(state, human[-1] if human else "", text))


def _is_sent_all_the_same(state: State, args: Args, said: Said) -> bool:
    """Tell whether the person's last words say yes to the question."""
    spoken = [m for m in state.get("messages") or () if m.type in ("ai", "human")]
    is_asked = len(spoken) > 1 and spoken[-2].type == "ai" and MAIL_QUESTION in spoken[-2].text
    return is_asked and spoken[-1].type == "human" and _agrees(spoken[-1])


def _total(state: State, args: Args) -> int:
    """Return what the cart adds up to; one piece alone was chosen at its price."""
    cart: Cart = state["cart"]
    return cart.total.amount if sum(line.quantity for line in cart.lines) > 1 else 0


def _brief(state: State) -> Brief:
    brief: Brief = state.get("brief", Brief())
    return brief


def _words(texts: Iterable[str]) -> frozenset[str]:
    """Read texts as words, each in the singular."""
    return frozenset(map(stem, _WORD.findall(" ".join(texts).lower())))


BUMPS = (
    Bump(
        tool="checkout",
        slot=lambda state, args: "budget",
        threshold=_LARGE_CART,
        cost=_total,
        is_known=_has_budget,
        question=lambda state, args: (
            "This cart comes to more than a thousand, and you named no budget. Is there a limit "
            "that I should keep to, or shall I check out as it is?"
        ),
    ),
    Bump(
        tool="search_products",
        slot=lambda state, args: "kind of goods",
        threshold=1,
        cost=_breadth,
        is_known=_names_kind,
        question=lambda state, args: (
            "What kind of thing are you looking for: boots, a jacket, a tent, or something else?"
        ),
    ),
    Bump(
        tool="cancel_order",
        slot=_which,
        threshold=_LARGE_ORDER,
        cost=_worth,
        is_known=_names_order,
        question=_which_order,
    ),
    Bump(
        tool="add_to_cart",
        # Asked until it is wanted: a model may try again and again.
        slot=lambda state, args: "",
        threshold=1,
        cost=lambda state, args: int(_removed(state, args) is not None),
        is_known=_is_wanted_back,
        question=_asks_again,
    ),
    Bump(
        tool="send_email",
        slot=lambda state, args: "",
        threshold=1,
        cost=_recommends,
        is_known=_is_sent_all_the_same,
        question=lambda state, args: MAIL_QUESTION,
    ),
)
