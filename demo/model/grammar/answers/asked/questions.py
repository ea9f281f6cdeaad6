"""The questions that the stand-in asks of a change, and what a yes to each of them means."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout, Mail, MailTopic
from daybook.demo.model.grammar.language.intents.references import Sku

ASK_CHECKOUT: Final = "Shall I check out?"
_ASK_CHECKOUT: Final = re.compile(r"(?:You say “.*”: shall|Shall) I check out\?")
ASK_CLEAR: Final = "Shall I take everything out of your cart?"
_SKU: Final = r"([A-Z]+-\d+)"
_TIMES: Final = r"(?: \(quantity (\d{1,6})\))?"
ASK_ADD: Final = re.compile(
    rf"Shall I put {_SKU} into your cart{_TIMES}(?:, or tell you more of it)?\?"
)
_ASK_ADD_ALL: Final = re.compile(
    r"Shall I put (?:both|all \d+) of them \(([A-Z0-9, -]+)\) into your cart\?"
)
_ASK_REMOVE: Final = re.compile(rf"Shall I take {_SKU} out of your cart{_TIMES}\?")
_ASK_SET: Final = re.compile(rf"Shall I make it (\d{{1,6}}) of {_SKU}\?")
_ASK_KEEP: Final = re.compile(rf"Shall I keep {_SKU} alone, and take .+ out of your cart\?")
_ASK_SWAP: Final = re.compile(rf"Shall I put {_SKU} into your cart in the place of {_SKU}\?")
_MAILED: Final[Mapping[MailTopic, str]] = {
    "cart": "your cart", "orders": "your orders", "results": "the list", "said": "what I told you",
    "summary": "a summary",
}  # fmt: skip
_ASK_MAIL: Final = re.compile(r"Shall I send (.+) to your own mail, to pass on to .+\?")
_PAIR: Final = 2


def ask_add(sku: str, quantity: int = 1, *, or_tell: bool = False) -> str:
    """Ask whether a product shall go into the cart."""
    told = ", or tell you more of it" if or_tell else ""
    return f"Shall I put {sku} into your cart{_times(quantity if quantity > 1 else None)}{told}?"


def ask_checkout(said: str = "") -> str:
    """Ask whether to check out, with the words that may mean it."""
    return f"You say “{said}”: shall I check out?" if said else ASK_CHECKOUT


def ask_add_all(skus: Sequence[str]) -> str:
    """Ask whether all that was told of shall go into the cart."""
    count = "both" if len(skus) == _PAIR else f"all {len(skus)}"
    return f"Shall I put {count} of them ({', '.join(skus)}) into your cart?"


def ask_remove(sku: str, quantity: int | None) -> str:
    """Ask whether a product, or so many of it, shall go out of the cart."""
    return f"Shall I take {sku} out of your cart{_times(quantity)}?"


def ask_keep(sku: str, gone: Sequence[str]) -> str:
    """Ask whether one product alone shall stay in the cart, and those that are named go."""
    return f"Shall I keep {sku} alone, and take {' and '.join(gone)} out of your cart?"


def ask_set(sku: str, quantity: int) -> str:
    """Ask whether there shall be so many of a product."""
    return f"Shall I make it {quantity} of {sku}?"


def ask_swap(come: str, gone: str) -> str:
    """Ask whether one product shall take another's place."""
    return f"Shall I put {come} into your cart in the place of {gone}?"


def ask_mail(topic: MailTopic, to: str) -> str:
    """Ask whether something shall be mailed to whoever asks for it, in another's place."""
    return f"Shall I send {_MAILED[topic]} to your own mail, to pass on to {to}?"


def agreed(question: str) -> tuple[Intent, ...]:
    """Return what a yes to a question means; nothing where it is none of these."""
    if _ASK_CHECKOUT.fullmatch(question):
        return (Checkout(),)
    if question == ASK_CLEAR:
        return (ClearCart(),)
    if found := ASK_ADD.fullmatch(question):
        return (Add(Sku(found[1]), int(found[2] or 1)),)
    if found := _ASK_ADD_ALL.fullmatch(question):
        return tuple(Add(Sku(sku)) for sku in found[1].split(", "))
    if found := _ASK_REMOVE.fullmatch(question):
        return (Remove(Sku(found[1]), int(found[2]) if found[2] else None),)
    if found := _ASK_SET.fullmatch(question):
        return (SetQuantity(Sku(found[2]), int(found[1])),)
    if found := _ASK_KEEP.fullmatch(question):
        return (Keep(Sku(found[1])),)
    if found := _ASK_MAIL.fullmatch(question):
        return tuple(Mail(topic) for topic, what in _MAILED.items() if what == found[1])
    if found := _ASK_SWAP.fullmatch(question):
        return (Swap(Sku(found[1]), Sku(found[2])),)
    return ()


def is_of_mail(question: str) -> bool:
    """Tell whether a question asks who shall have a mail."""
    return _ASK_MAIL.fullmatch(question) is not None


def is_of_cart(question: str) -> bool:
    """Tell whether a question is about a change of the cart, and still to be answered."""
    asks = any(not isinstance(one, Checkout | Mail) for one in agreed(question))
    return asks or _WHICH_ONE.fullmatch(question) is not None


_WHICH_ONE: Final = re.compile(r"Which one shall I (?:add|remove|double|change)\b.*\?")


def _times(quantity: int | None) -> str:
    return "" if quantity is None else f" (quantity {quantity})"
