"""What the stand-in says where it buys from merchants."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from daybook.demo.model.merchants.seen import Cart, CartLine, Hit, Now

GREETING: Final = (
    'Hello. Say what you are looking for, for example "find a backpack"; then "add the first" and '
    '"check out".'
)
WELCOME: Final = "You are welcome."
WHAT: Final = 'What shall I look for? For example: "find a backpack".'
BUSY: Final = "Something is under way here; it must be settled first."
NOTHING_OPEN: Final = "No checkout is open."
NO_ORDERS: Final = "Nothing was ordered in this conversation yet."
NOT_UNDERSTOOD: Final = 'I did not understand that. Try "find a backpack" or "check out".'


def hits(thing: str, found: Sequence[tuple[int, Hit]], silent: Sequence[str]) -> str:
    """Say what was found, and who gave no answer."""
    if not found and not silent:
        return f"Nothing was found for {thing}."
    rows = [
        f"{number}. **{hit.title}** at {hit.merchant} ({hit.item_id}), {hit.price} "
        f"{hit.currency}{'' if hit.can_be_had else ', cannot be had now'}"
        for number, hit in found
    ]
    head = [f"Found for {thing}:"] if rows else [f"Nothing was found for {thing}."]
    return "\n".join([*head, *rows, *silent])


def none_under(thing: str, most: float | None) -> str:
    """Say that all that was found costs more."""
    return f"Nothing was found for {thing} under {most:g}."


def which(found: Sequence[Hit]) -> str:
    """Ask which of several is meant."""
    rows = [f"- {one.title} at {one.merchant} ({one.item_id})" for one in found]
    return "\n".join([*rows, "Which of these do you mean?"])


def which_line(thing: str, lines: Sequence[CartLine]) -> str:
    """Ask which line of a cart is meant."""
    if not lines:
        return "There is nothing in a cart."
    rows = [f"- {one.title} ({one.item_id}) x{one.quantity}" for one in lines]
    return "\n".join([*rows, "Which of these do you mean?"])


def which_merchant(merchants: Sequence[str]) -> str:
    """Ask at which merchant."""
    if not merchants:
        return "There is nothing in a cart."
    return f"At which merchant: {', '.join(merchants)}?"


def not_found(thing: str, rows: Sequence[Hit]) -> str:
    """Say that what was named is not on the list."""
    if not rows:
        return WHAT
    return f"I do not see {thing or 'that'} in the list. Say a number from 1 to {len(rows)}."


def shall_i(hit: Hit) -> str:
    """Offer the one row that somebody named."""
    return f"Shall I add {hit.title} at {hit.merchant} ({hit.item_id})? Say: add {hit.item_id}."


def added(now: Now, args: Mapping[str, Any]) -> str:
    """Say what is in the carts after something was put in."""
    return carts(now)


def carts(now: Now) -> str:
    """Say what is in the carts."""
    if not now.filled:
        return "The carts are empty."
    return "\n".join(line for cart in now.filled for line in _cart(cart))


def _cart(cart: Cart) -> list[str]:
    rows = [f"- {line.title} ({line.item_id}) x{line.quantity}" for line in cart.lines]
    open_ = [f"The checkout there is {cart.status}: {cart.total}."] if cart.status else []
    return [f"Your cart at {cart.merchant}:", *rows, *open_]


def go_on_at(cart: Cart) -> str:
    """Hand over the link of the merchant's own page."""
    return f'Go on at {cart.link}, and say "done" when you are.'


def outcome(result: str) -> str:
    """Say what came of a plan, in the machine's words."""
    said = result.partition(": ")[2] or result
    return f"{said[:1].upper()}{said[1:]}."


def looked(result: str) -> str:
    """Say what a read came to, without its head."""
    head, _, rest = result.partition("\n")
    return rest or head.partition(" ok")[2].lstrip(": ") or head
