"""What is said in the shop: sentences made of the results of calls and of the cart in "# Now"."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from daybook.demo.model.commands import Product
from daybook.demo.model.prompt import Call

EFFECTS: Final = ("checkout", "cancel_order", "send_email")
"""The tools that act on the world: only their results say what came of them."""

_CHANGE: Final = re.compile(r"cart r\d+>r\d+: ([+-]?)(\S+?)(?: x(\d+))? \((.*)\)")
_ROW: Final = re.compile(r"(?:\d+\. )?(\S+-\d+) \| (.+) \| (.+?) \| (.+?) \| (.+)")
_NEEDED: Final = re.compile(r"checkout needs (?:card_id|address_id): (.*)")

Cart = Mapping[str, tuple[int, str]]
"""Quantity and name of the products of the cart, by SKU."""


def products(rows: Sequence[str]) -> list[Product]:
    """Return the products of the rows of a search."""
    found = (_ROW.fullmatch(row) for row in rows)
    return [Product(row[1].upper(), row[2]) for row in found if row]


def in_cart(cart: Cart, total: str) -> str:
    """Say what is in the cart."""
    if not cart:
        return "Your cart is empty."
    lines = [f"- {quantity} x {name} ({sku})" for sku, (quantity, name) in cart.items()]
    return "\n".join(["Your cart:", *lines, "", f"Total: {total}"])


def which(several: Sequence[Product]) -> str:
    """Ask which of several products is meant, or for one that can be found."""
    if several:
        return f"Which one do you mean: {', '.join(map(str, several))}?"
    return "I do not see what you mean. Name its SKU, or search first: “find boots”, for example."


def told(calls: Sequence[Call], cart: Cart, total: str) -> str:
    """Say what the calls of a turn came to: its effects and changes, else its reads."""
    has_effect = any(call.tool in EFFECTS for call in calls)
    said = [_said(call) for call in calls if not (has_effect and call.is_read)]
    if any(_CHANGE.match(call.result) for call in calls) and not has_effect:
        said.append(in_cart(cart, total))
    return "\n\n".join(dict.fromkeys(said))


def _said(call: Call) -> str:
    change = _CHANGE.fullmatch(call.result)
    if call.refusal is not None:
        return call.question or call.refusal
    if call.is_read:
        return _read(call.tool, call.rows, call.args)
    if change is not None:
        sign, sku, quantity, name = change.groups()
        if sign == "-":
            return f"Removed: {name}."
        return f"Added: {quantity} x {name}." if sign else f"Now {quantity} x {name} ({sku})."
    if call.result.startswith("memory: "):
        noted = call.result.removeprefix("memory: ")
        forgot = noted.removeprefix("forgot ")
        return f"Forgotten: {forgot}." if forgot != noted else f"Noted: {noted}."
    return _effect(call) if call.tool in EFFECTS else call.result


def _effect(call: Call) -> str:
    """Say what came of an effect, in the words of its result."""
    needed = [match[1] for line in call.result.split("\n") if (match := _NEEDED.fullmatch(line))]
    if needed:
        rows = [f"- {one}" for line in needed for one in line.split("; ")]
        return "\n".join(["Say “check out with CARD to ADDRESS”, with ids of these:", *rows])
    head, _, said = call.result.partition(": ")
    if head == f"{call.tool} confirmed":
        done = "Your order is placed" if call.tool == "checkout" else "Done"
        return f"{done}: {said.rstrip('.')}."
    came = call.result.removeprefix(f"{call.tool} ")
    verb = "" if came.startswith(("failed", "expired")) else "was "
    return f"The {'cancellation' if call.tool == 'cancel_order' else call.tool} {verb}{came}"


def _read(tool: str, rows: Sequence[str], args: Mapping[str, Any]) -> str:
    match tool:
        case "search_products":
            most = args.get("max_price")
            limit = f" up to {most / 100:.2f}" if isinstance(most, int) else ""
            listed = [f"{at}. {_row(row)}" for at, row in enumerate(rows, 1)]
            what = f"“{args.get('query', '')}”{limit}"
            return "\n".join([f"{len(rows)} products for {what}:", "", *listed])
        case "get_product" if rows:
            return "\n\n".join([_row(rows[0]), *rows[1:]])
        case "list_orders":
            listed = [f"- {row.replace(' | ', ', ')}" for row in rows]
            return "\n".join(["Your orders:", *listed]) if rows else "You have no orders."
        case "compare_reviews":
            return "\n".join(["The reviewer says:", *(f"- {row}" for row in rows)])
        case _:
            return "\n".join(f"- {row}" for row in rows) or "Nothing was found."


def _row(row: str) -> str:
    found = _ROW.fullmatch(row)
    if found is None:
        return row
    return f"**{found[2]}** ({found[1]}), {found[3]}, rated {found[4]}, {found[5]}"
