"""What a text means after the machine asked a question before it ran the calls of a decision."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from daybook.demo.model.grammar.language.intents.cart import Add, Remove, SetQuantity
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    Details,
    Mention,
    Reviews,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.past import (
    AskedAgain,
    NoMatter,
    OverBudget,
    Remember,
)
from daybook.demo.model.grammar.language.intents.references import Choice, Nth, Sku
from daybook.demo.model.grammar.language.intents.talk import Agree, NotUnderstood
from daybook.demo.model.grammar.seen.listed import search_of
from daybook.demo.model.grammar.seen.ordered import order_named
from daybook.demo.model.grammar.seen.prompt import Call, Now, Prompt
from daybook.demo.model.grammar.seen.results import cents

_ASKED: Final = "refused: asked first: "
_PRICE: Final = re.compile(r"[$€£]?\s*\d{1,3}(?:,\d{3})+(?:\.\d\d)?|[$€£]?\s*\d{1,7}(?:\.\d\d)?")
_AMOUNT_ALONE: Final = re.compile(r"\W*\d[\d,.]*\W*(?:dollars?|usd|bucks)?\W*", re.IGNORECASE)
_ANYTHING: Final = re.compile(r"^\W*(?:something|anything|some things?|stuff)\b")
_DOUBT: Final = re.compile(r"\b(?:know|sure|idea)\b")
_AS_IT_IS: Final = re.compile(r"\b(?:as it is|as is|anyway)\b")
_LOOKS_BACK: Final = 4


@dataclass(frozen=True)
class Bumped:
    """The question that was asked, and the calls that wait for its answer."""

    question: str
    calls: tuple[Call, ...]

    def waits(self, tool: str) -> Call | None:
        """Return the call of a tool that waits, or None."""
        return next((call for call in self.calls if call.tool == tool), None)


def bumped(prompt: Prompt) -> Bumped | None:
    """Find the question that the last answer asked in the machine's words."""
    last = prompt.past[-1].answer.strip() if prompt.past else ""
    for turn in reversed(prompt.past[-_LOOKS_BACK:]):
        calls = tuple(call for call in turn.calls if _ASKED in call.result)
        if calls:
            question = calls[0].result.partition(_ASKED)[2].strip()
            return Bumped(question, calls) if question and last.endswith(question) else None
    return None


def answered(intents: Sequence[Intent], prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read the intents as the answer to such a question; None where they are none."""
    asked = bumped(prompt)
    if asked is None or not intents:
        return None
    text = prompt.turn.text.lower()
    if asked.waits("cancel_order") is not None:
        return _order_named(intents, asked, prompt.now, text)
    search = asked.waits("search_products")
    if search is not None and _ANYTHING.search(text) and all(map(_says_no_kind, intents)):
        return (AskKinds(),)
    if _gives_way(intents, text):
        return tuple(again for call in asked.calls if (again := _again(call)) is not None)
    if asked.waits("checkout") is not None:
        return _with_budget(intents, asked, prompt)
    if search is not None and len(intents) == 1:
        return _narrowed(intents[0], search)
    return None


def _gives_way(intents: Sequence[Intent], text: str) -> bool:
    """Tell whether a text says that the calls shall be made as they are."""
    if _AS_IT_IS.search(text) and all(isinstance(i, Checkout | NotUnderstood) for i in intents):
        return True
    return all(
        isinstance(i, Agree) or (isinstance(i, NoMatter) and not _DOUBT.search(i.text.lower()))
        for i in intents
    )


def _says_no_kind(intent: Intent) -> bool:
    return isinstance(intent, NotUnderstood | NoMatter | AskKinds)


def _with_budget(
    intents: Sequence[Intent], asked: Bumped, prompt: Prompt
) -> tuple[Intent, ...] | None:
    """Take the limit that was named; the cart is bought where it keeps to that."""
    text = prompt.turn.text
    found = None if any(_is_wish(intent) for intent in intents) else _PRICE.search(text)
    if found is None:
        return None
    digits = re.sub(r"[^\d.]", "", found.group())
    limit = round(float(digits) * 100)
    note = next((i for i in intents if isinstance(i, Remember)), None) or Remember(
        "budget", found.group().strip(), "constraint"
    )
    if cents(prompt.now.total) > limit:
        return (note, OverBudget(limit))
    again = (_again(call) for call in asked.calls)
    return (note, *(intent for intent in again if intent is not None))


def _is_wish(intent: Intent) -> bool:
    """Tell whether an intent names something else than an amount."""
    match intent:
        case Remember(subject=subject):
            return subject != "budget"
        case Search(query=query):
            return bool(query)
        case NotUnderstood(text):
            return _AMOUNT_ALONE.fullmatch(text) is None
        case Agree() | Mention(Nth()):
            return False
        case _:
            return True


def _narrowed(intent: Intent, search: Call) -> tuple[Intent, ...] | None:
    """Narrow the search that waits by a price alone; other words are a search of their own."""
    if not isinstance(intent, Search) or intent.query or intent.max_price is None:
        return None
    again = _again(search)
    assert isinstance(again, Search), "what waits is a search"
    return (replace(again, max_price=intent.max_price),)


def _order_named(
    intents: Sequence[Intent], asked: Bumped, now: Now, text: str
) -> tuple[Intent, ...] | None:
    """Take the order that was named in answer to which one shall be cancelled."""
    placed = [order.order_id for order in now.orders if order.status == "placed"]
    waiting = asked.waits("cancel_order")
    reason = str(waiting.args.get("reason") or "") if waiting is not None else ""
    return order_named(intents, placed, AskedAgain(asked.question), text, reason)


def _again(call: Call) -> Intent | None:
    """Return the wish for which a call was made."""
    args = call.args
    sku, quantity = str(args.get("sku") or ""), args.get("quantity")
    count = quantity if isinstance(quantity, int) else 1
    match call.tool:
        case "search_products":
            return search_of(args)
        case "checkout":
            return Checkout(_choice(args.get("card_id")), _choice(args.get("address_id")))
        case "add_to_cart":
            return Add(Sku(sku), count)
        case "set_quantity":
            return SetQuantity(Sku(sku), count)
        case "remove_from_cart":
            return Remove(Sku(sku))
        case "get_product":
            return Details(Sku(sku))
        case "get_reviews":
            return Reviews(Sku(sku))
        case _:
            return None


def _choice(id: Any) -> Choice | None:
    return Choice((id,)) if isinstance(id, str) and id else None
