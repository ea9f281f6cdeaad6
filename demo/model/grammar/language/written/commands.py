"""An intent for each command of the written grammar: `READERS` has one entry for each."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Remove,
    SetQuantity,
    ShowCart,
)
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Pick,
    Reviews,
    Search,
    ShowList,
    Suggest,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import (
    CancelOrder,
    Checkout,
    Mail,
    OrderStatus,
    ShowOrders,
    ShowProfile,
)
from daybook.demo.model.grammar.language.intents.references import Extreme, It, Named
from daybook.demo.model.grammar.language.intents.talk import Agree, Finished, Refuse, Talk
from daybook.demo.model.grammar.language.tokens import Kind, words_of
from daybook.demo.model.grammar.language.written.commands_past import PAST_READERS
from daybook.demo.model.grammar.language.written.parser import Node
from daybook.demo.model.grammar.language.written.references import (
    choice,
    items,
    quantity,
    reference,
    search,
)

_PAIR: Final = 2
Reader = Callable[[Node, str], Iterable[Intent]]


def _search(node: Node, text: str) -> Iterable[Intent]:
    looks = node.one("SearchVerb") is None or node.tokens[0].text in _LOOKS
    found = [search(item) if looks else _search_or_add(item) for item in node.all("SearchItem")]
    return found or [search(node)]


def _bare_search(node: Node, text: str) -> Iterable[Intent]:
    items = list(node.all("SearchItem"))
    found = [_search_or_add(item, bare=True) for item in items]
    return found or [search(node)]


def _search_or_add(node: Node, *, bare: bool = False) -> Intent:
    """Read a wish for so many of something as a wish to have them: which, is asked where open."""
    count = node.one("Count")
    named = reference(node)
    if (
        count is not None
        and isinstance(named, Named)
        and any(t.kind in _COUNTED for t in count.tokens)
    ):
        return Add(
            replace(named, definite=False, max_price=search(node).max_price), quantity(count)
        )
    return replace(search(node), bare=bare)


_LOOKS: Final = frozenset(
    [
        "show",
        "find",
        "look",
        "looking",
        "search",
        "searching",
        "browse",
        "view",
        "see",
        "do",
        "have",
        "are",
        "is",
        "recommend",
        "suggest",
        "what",
        "how",
        "give",
    ]
)
_COUNTED: Final = (Kind.NUMBER, Kind.TIMES)


def _cheaper(node: Node, text: str) -> Iterable[Intent]:
    found = search(node)
    return [Search(found.query, found.category, found.max_price, found.min_price, cheap=True)]


def _add(node: Node, text: str) -> Iterable[Intent]:
    wanted = node.one("WantedCount", "WantedTimes")
    if wanted is not None:
        named = reference(node)
        return [Add(named, quantity(wanted))]
    again = node.one("Again") is not None
    return [
        Add(i.item, 1 if i.quantity is None else i.quantity, i.more, again) for i in items(node)
    ]


def _remove(node: Node, text: str) -> Iterable[Intent]:
    return [Remove(counted.item, counted.quantity) for counted in items(node)]


def _set_quantity(node: Node, text: str) -> Iterable[Intent]:
    # "make it two pairs of wool socks" names the thing after the pronoun.
    after = next((inner for inner in node.inside if inner.name == "Thing"), None)
    item = reference(after or node.one("SetTarget") or node)
    if node.one("Double") is not None:
        return [SetQuantity(item, double=True)]
    count = node.one("NewQuantity")
    wanted = quantity(count) if count is not None else 1
    if count is not None and "pair" in {token.text for token in count.tokens}:
        wanted = _PAIR
    return [SetQuantity(item, wanted) if wanted > 0 else Remove(item)]


def _checkout(node: Node, text: str) -> Iterable[Intent]:
    cards = [choice(card) for card in node.all("CardChoice", "CardNamed")]
    places = [choice(place) for place in node.all("AddressChoice", "AddressNamed")]
    return [Checkout(cards[0] if cards else None, places[0] if places else None)]


def _cancel(node: Node, text: str) -> Iterable[Intent]:
    reason = node.one("Reason")
    words = words_of(reason.tokens, text)[:200] if reason is not None else ""
    vague, some = (node.one(name) is not None for name in ("OrderVague", "OrderAny"))
    inside = node.one("OrderWith")
    item = reference(inside) if inside is not None else None
    goods = item.words if isinstance(item, Named) else ()
    return [CancelOrder(_order(node), words, vague, goods, some)]


def _order(node: Node) -> str | None:
    return next((t.text.upper() for t in node.tokens if t.kind is Kind.ORDER), None)


def _mail(node: Node, text: str) -> Iterable[Intent]:
    if node.one("Cart"):
        return [Mail("cart")]
    if node.one("Orders"):
        return [Mail("orders")]
    return [Mail("results" if node.one("Shown") else "summary")]


def _mention(node: Node, text: str) -> Iterable[Intent]:
    found = items(node)
    if len(found) > 1 and any(counted.quantity is not None for counted in found):
        # "BOOT-001 and SOCK-013 x3": whoever counts wants to have them.
        if len(found) == _PAIR and isinstance(found[1].item, It):
            return [Add(found[0].item, found[1].quantity or 1)]
        return [Add(counted.item, counted.quantity or 1) for counted in found]
    return [Mention(counted.item, counted.quantity) for counted in found]


def _pick(node: Node, text: str) -> Iterable[Intent]:
    item = reference(node)
    return [Pick(item)] if isinstance(item, Extreme) else []


def _ask(node: Node, text: str) -> Iterable[Intent]:
    subject = node.one("Subject")
    asked = node.one("Property", "HowWord", "WhatWord")
    said = {token.text for token in node.tokens}
    if said & {"reviews", "review", "ratings", "rating", "rated"}:
        return [Reviews(reference(subject or node))]
    words = tuple(token.text for token in asked.tokens) if asked is not None else _asked(node)
    return [AskProperty(reference(subject or node), words)]


def _asked(node: Node) -> tuple[str, ...]:
    """Name the property of a question that has no word of its own for it."""
    texts = {token.text for token in node.tokens}
    if texts & {"weigh"}:
        return ("weight",)
    return ("material",) if texts & {"made", "material"} else ("stock",)


def _suggest(node: Node, text: str) -> Iterable[Intent]:
    about = node.one("SuggestBy")
    found = search(about) if about is not None else Search()
    return [Suggest(tuple(found.query.split()))]


def _introduce(node: Node, text: str) -> Iterable[Intent]:
    name = node.one("Name")
    return [Talk("name", words_of(name.tokens, text)[:40] if name is not None else "")]


def _about_subject(make: Callable[..., Intent]) -> Reader:
    def read(node: Node, text: str) -> Iterable[Intent]:
        return [make(reference(node.one("Subject") or node))]

    return read


def _always(intent: Intent) -> Reader:
    return lambda node, text: [intent]


READERS: Final[Mapping[str, Reader]] = {
    "Identity": _always(Talk("identity")),
    "Greeting": _always(Talk("greeting")),
    "Thanks": _always(Talk("thanks")),
    "Help": _always(Talk("help")),
    "Bye": _always(Talk("bye")),
    "Introduce": _introduce,
    "Agree": _always(Agree()),
    "Decline": _always(Refuse()),
    "Finished": _always(Finished()),
    "Search": _search,
    "BareSearch": _bare_search,
    "Cheaper": _cheaper,
    "ShowList": _always(ShowList()),
    "AskKinds": _always(AskKinds()),
    "More": _always(Search(more=True)),
    "Add": _add,
    "Remove": _remove,
    "Clear": _always(ClearCart()),
    "SetQuantity": _set_quantity,
    "ShowCart": _always(ShowCart()),
    "Details": lambda node, text: [Details(counted.item) for counted in items(node)],
    "Reviews": _about_subject(Reviews),
    "Price": _about_subject(AskPrice),
    "Ask": _ask,
    "Pick": _pick,
    "Mention": _mention,
    "Suggest": _suggest,
    "Checkout": _checkout,
    "CancelOrder": _cancel,
    "ShowOrders": _always(ShowOrders()),
    "OrderStatus": lambda node, text: [OrderStatus(_order(node))],
    "Mail": _mail,
    "Profile": _always(ShowProfile()),
    "JustShow": _always(Search()),
    **PAST_READERS,
}
