"""What the stand-in says where it buys from merchants."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from daybook.demo.model.merchants.plainly import plainly, standing
from daybook.demo.model.merchants.seen import Cart, CartLine, Hit, Now

GREETING: Final = (
    'Hello. Say what you are looking for, for example "find a backpack"; then "add the first" and '
    '"check out". You can also say "cheaper ones", "remove it", "show my cart", "cancel" or '
    '"what did I order?".'
)
WELCOME: Final = "You are welcome."
WHAT: Final = 'What shall I look for? For example: "find a backpack".'
BUSY: Final = "Something is under way here; it must be settled first."
NOTHING_OPEN: Final = "No checkout is open, so there is nothing to give back."
NO_ORDERS: Final = "Nothing was ordered in this conversation yet."
NOT_UNDERSTOOD: Final = (
    'I did not understand that. Try "find a backpack", "show my cart" or "check out"; "help" says '
    "more."
)
ALL_RIGHT: Final = "All right. Nothing was changed."
NOTHING_ASKED: Final = 'I asked nothing that I know of. Say for example "add the first".'
NO_LIST: Final = 'There is no list to choose from yet. Say for example "find a backpack".'


def _said(*parts: str | Sequence[str]) -> str:
    """Put parts below each other: what follows a list must not be read as its last line."""
    blocks = ("\n".join([part] if isinstance(part, str) else part) for part in parts)
    return "\n\n".join(block for block in blocks if block)


def hits(thing: str, found: Sequence[Hit], silent: Sequence[str]) -> str:
    """Say what was found, and who gave no answer."""
    if silent and not found:
        head = [f"Nothing to show for {thing}:"]
    else:
        head = [f"Found for {thing}:"] if found else [nothing_found(thing)]
    return _said([*head, *_rows(found)], *map(_silent, silent))


def _rows(found: Sequence[Hit]) -> list[str]:
    # As they are shown they are numbered, and read again: by that a person points at one.
    return [
        f"{number}. **{hit.title}** at {hit.merchant} ({hit.item_id}), {hit.price} "
        f"{hit.currency}{'' if hit.can_be_had else ', cannot be had now'}"
        for number, hit in enumerate(found, 1)
    ]


def _silent(line: str) -> str:
    merchant, _, why = line.removeprefix("no answer of ").partition(": ")
    said = plainly(why).partition(" Nothing was changed")[0].rstrip(".")
    if said.startswith(merchant):
        return f"{said}, so it is left out here."
    return f"{merchant} gave no answer, so it is left out here ({said})."


def nothing_found(thing: str) -> str:
    """Say that there is no such thing."""
    return f"Nothing was found for {thing}. Try another word for it, or a wider one."


def cheaper(found: Sequence[Hit], than: Hit | None) -> str:
    """Show what costs less, the cheapest first."""
    if not found and than is not None:
        return f"None of these costs less than {than.title} at {than.price} {than.currency}."
    about = f"Cheaper than {than.title}" if than is not None else "The cheapest first"
    return "\n".join([f"{about}:", *_rows(found)])


def none_under(thing: str, most: float | None) -> str:
    """Say that all that was found costs more."""
    return f"Nothing was found for {thing} under {most:g}." if thing else f"None is under {most:g}."


def which(found: Sequence[Hit]) -> str:
    """Ask which of several is meant."""
    rows = [f"- {one.title} at {one.merchant} ({one.item_id})" for one in found]
    return _said(rows, "Which of these do you mean?")


def which_line(thing: str, lines: Sequence[CartLine], *, is_some: bool) -> str:
    """Ask which line of a cart is meant."""
    if not lines:
        return "There is nothing in a cart."
    rows = [f"- {one.quantity} x {one.title} ({one.item_id})" for one in lines]
    head = f'I do not see "{thing}" in a cart.' if thing and not is_some else ""
    return _said(head, rows, "Which of these do you mean?")


AT_WHICH: Final = "At which merchant: "


def which_merchant(merchants: Sequence[str]) -> str:
    """Ask at which merchant."""
    if not merchants:
        return 'There is nothing in a cart yet. Say for example "find a backpack".'
    return f"{AT_WHICH}{', '.join(merchants)}? Each is a purchase of its own."


def unknown_merchant(said: str, known: Sequence[str]) -> str:
    """Say that a merchant is not one of those that can be bought from."""
    there = f" I know of: {', '.join(known)}." if known else ""
    return f'I do not know a merchant "{said}" here, so nothing was done.{there}'


def not_found(thing: str, rows: Sequence[Hit]) -> str:
    """Say that what was named is not on the list."""
    if not rows:
        return NO_LIST
    said = f'"{thing}"' if thing else "that"
    return (
        f"I do not see {said} in the list. Say a number from 1 to {len(rows)}, or look for it: "
        f'"find {thing or "a backpack"}".'
    )


OFFER: Final = re.compile(r"Shall I add .+ at (?P<merchant>\S+) \((?P<item_id>\S+)\)\? Say yes")


def shall_i(hit: Hit) -> str:
    """Offer the one row that somebody named."""
    return f"Shall I add {hit.title} at {hit.merchant} ({hit.item_id})? Say yes, or a number."


def added(now: Now, args: Mapping[str, Any]) -> str:
    """Say what was put in, and what is in that cart then."""
    cart = next((one for one in now.filled if one.merchant == args.get("merchant")), None)
    line = cart.line(str(args.get("item_id"))) if cart is not None else None
    if cart is None or line is None:
        return carts(now)
    return _said(f"Added: {args.get('quantity', 1)} x {line.title}.", *_cart(cart))


def removed(now: Now, title: str) -> str:
    """Say what was taken out, and what is left."""
    return _said(f"Taken out: {title}.", carts(now))


def carts(now: Now) -> str:
    """Say what is in the carts."""
    if not now.filled:
        return "The carts are empty."
    return _said(*(part for cart in now.filled for part in _cart(cart)))


def _cart(cart: Cart) -> list[str | Sequence[str]]:
    rows = [f"- {line.quantity} x {line.title} ({line.item_id})" for line in cart.lines]
    return [[f"Your cart at {cart.merchant}:", *rows], *_open(cart)]


def _open(cart: Cart) -> list[str]:
    if not cart.status:
        return []
    if cart.is_stale:
        return ['A checkout is open for what was in it before: say "check out" to bring it along.']
    return [f"The checkout there is {standing(cart.status)}: {cart.total} in all."]


def go_on_at(cart: Cart) -> str:
    """Hand over the link of the merchant's own page."""
    return f'Go on at {cart.link}, and say "done" when you are.'


def nothing_to_cancel(now: Now) -> str:
    """Say that nothing is under way."""
    if not now.filled:
        return "There is nothing to cancel: nothing is in a cart, and no checkout is open."
    said = 'No checkout is open, so nothing is under way. Say "remove it" to take things out.'
    return _said(said, carts(now))


def cannot_cancel(now: Now) -> str:
    """Say that orders are their merchants' to cancel."""
    rows = [_ordered(one) for one in now.orders]
    more = [
        f'The checkout at {one.merchant} is open: say "cancel the checkout".'
        for one in now.filled
        if one.status
    ][:1]
    return _said(
        ["What is ordered is its merchant's to cancel or to take back; ask there:", *rows],
        'Say "where is my order" for what the merchant says of it.',
        *more,
    )


def orders(now: Now) -> str:
    """Say what was ordered in this conversation."""
    if not now.orders:
        return NO_ORDERS
    return "\n".join(["You ordered:", *(_ordered(one) for one in now.orders)])


def _ordered(one: str) -> str:
    head, *told = one.split(" - ")
    merchant, order_id, total = [*head.split(" ", 2), "", ""][:3]
    return f"- {order_id} at {merchant}, {total}{f' ({told[-1]})' if told else ''}"


def outcome(result: str) -> str:
    """Say what came of a plan; what was done is repeated word for word."""
    head, _, came = result.partition(": ")
    if head.startswith("place_order rejected"):
        more = 'The checkout stays open: say "check out" to be asked again, or "cancel".'
        return f"Not ordered: {came.rstrip('.')}. {more}"
    if " confirmed" in head:
        what = "Opened" if head.startswith("open_checkout") else "Done"
        return f"{what}: {came.rstrip('.')}."
    return plainly(f"It came to nothing: {came or result}".rstrip(".") + ".")


def refused(said: str) -> str:
    """Say why a call could not be done."""
    return plainly(said)


def wallet(result: str) -> str:
    """Say what can be paid with, and where things can be delivered to."""
    pairs = (line.partition(": ") for line in result.split("\n")[1:])
    rows = {name: value for name, _, value in pairs}

    def listed(name: str) -> str:
        given = [one.partition(" ") for one in rows.get(name, "none").split("; ")]
        return ", ".join(f"{label} ({one})" if label else one for one, _, label in given)

    return f"You can pay with: {listed('instruments')}.\nDelivery to: {listed('addresses')}."


def order(result: str) -> str:
    """Say what a merchant says of an order."""
    head, *rows = result.split("\n")[1:] or [result]
    merchant, _, rest = head.partition(" | ")
    order_id, _, total = rest.partition(" | ")
    link = next((one.removeprefix("link: ") for one in rows if one.startswith("link: ")), "")
    told = [f"- {one.replace(' | ', ', ')}" for one in rows if not one.startswith("link: ")]
    see = f"Its page: {link}" if link else ""
    return _said([f"Order {order_id} at {merchant}, {total}:", *told], see)
