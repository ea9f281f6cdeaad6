"""Classes that stored checkpoints name by where they stood before: found where they stand now.

LangGraph stores an object as module, name and fields, and gives back plain data where it finds no
such class: a cart would come back as a dict.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import ormsgpack

_OF_STATE = {
    ("state.brief", "Brief"): "daybook.state.shop.brief",
    ("state.brief", "Wish"): "daybook.state.shop.brief",
    ("state.calls", "Application"): "daybook.state.calls",
    ("state.calls", "HybridCall"): "daybook.state.calls",
    ("state.calls", "ReadCall"): "daybook.state.calls",
    ("state.calls", "WriteCall"): "daybook.state.calls",
    ("state.cart", "Cart"): "daybook.state.shop.cart",
    ("state.cart", "CartLine"): "daybook.state.shop.cart",
    ("state.cart", "Removed"): "daybook.state.shop.cart",
    ("state.facts", "Fact"): "daybook.state.people.facts",
    ("state.lessons", "Lesson"): "daybook.state.prompt.lessons",
    ("state.recovery", "StepState"): "daybook.state.ledger.recovery",
    ("state.shop", "Checkout"): "daybook.state.shop.state",
    ("state.shop", "OrderSeen"): "daybook.state.shop.state",
}
"""Up to 0.1, when `state` was a package of its own: the module and name, and the module now."""

_CONSTRUCTED = range(6)
"""LangGraph's codes of what is stored as a list: module, name, fields, and sometimes a method."""


class MovedClasses:
    """Tell stored data the modules of today.

    Args:
        own: modules and names of classes that an adopter stores; theirs may be called as ours
            were, and stay.
    """

    def __init__(self, own: Collection[tuple[str, str]] = ()) -> None:
        self._moved: Mapping[tuple[str, str], str] = {
            old: new for old, new in _OF_STATE.items() if old not in own
        }
        modules = {module for module, _ in self._moved}
        # As msgpack writes a short string: so most data are seen to need nothing at one look.
        named = (bytes([0xA0 | len(one)]) + one.encode() for one in sorted(modules))
        self._named = re.compile(b"|".join(map(re.escape, named)))

    def renamed(self, data: bytes) -> bytes:
        """Return stored msgpack data in which every class stands under its module of today."""
        if not self._moved or not self._named.search(data):
            return data
        return ormsgpack.packb(self._unpacked(data), option=ormsgpack.OPT_NON_STR_KEYS)

    def _unpacked(self, data: bytes) -> object:
        return ormsgpack.unpackb(
            data, ext_hook=self._constructed, option=ormsgpack.OPT_NON_STR_KEYS
        )

    def _constructed(self, code: int, data: bytes) -> ormsgpack.Ext:
        if code not in _CONSTRUCTED:
            return ormsgpack.Ext(code, self.renamed(data))
        match self._unpacked(data):
            case [str(module), str(name), *rest] if (module, name) in self._moved:
                value: object = [self._moved[module, name], name, *rest]
            case value:
                pass
        return ormsgpack.Ext(code, ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS))
