"""Whether a call can be right, by the lines of cart and orders that the model was shown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

_CART: Final = re.compile(r"cart r\d+ \([A-Z]{3}\):(?P<empty> empty)?")
_LINE: Final = re.compile(r"  (\S+) x\d+ @ ")
_ORDER: Final = re.compile(r"(\S+) (placed|cancelled) [\d.]+ [A-Z]{3}")
_OF_THE_CART: Final = frozenset({"remove_from_cart", "set_quantity"})


def impossible(tool: str, args: Mapping[str, Any], lines: Sequence[str]) -> str:
    """Say why a call cannot be right; "" where it may be, or the lines do not tell.

    Args:
        lines: as `daybook.tools.shop.spoken.prompt.tail` writes them.

    Example:
        >>> impossible("checkout", {}, ["user: ada", "cart r0 (USD): empty"])
        'The cart is empty: there is nothing to check out.'
    """
    head = next((found for line in lines if (found := _CART.fullmatch(line))), None)
    if head is None:
        return ""
    if tool == "checkout" and head["empty"]:
        return "The cart is empty: there is nothing to check out."
    if tool in _OF_THE_CART and isinstance(sku := args.get("sku"), str):
        inside = [found[1] for line in lines if (found := _LINE.match(line))]
        is_there = sku.lower() in (one.lower() for one in inside)
        return "" if is_there else f"{sku} is not in the cart."
    if tool == "cancel_order":
        orders = next((line for line in lines if line.startswith("orders: ")), "")
        if dict(_ORDER.findall(orders)).get(args.get("order_id", "")) == "cancelled":
            return f"{args['order_id']} is cancelled already."
    return ""
