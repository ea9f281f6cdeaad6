"""The commands of the domain `merchants`, their calls and the answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from daybook.demo.model import commands
from daybook.demo.model.commands import TALK, Command, Product, Reply, Wish, calls
from daybook.demo.model.prompt import Call, Prompt, last_list

_EXAMPLES: Final = ("find a backpack", "add the first", "check out")
_FOUND: Final = ("find a boot",)
_FILLED: Final = (*_FOUND, "add the first")
_ORDERED: Final = (*_FILLED, "check out")

TABLE: Final = (
    Command("cart", ("show|open [me] my|the cart|carts", "what is in my|the cart|carts", "my cart"),
            "show my cart", "shows the carts", after=_FILLED, is_question=True),
    Command("orders", ("what did I order [today]", "show|list [me] my orders"),
            "what did I order?", "lists the orders of this conversation", after=_ORDERED,
            is_question=True),
    Command("checkout", ("check out [at HOST] [with CHOICE]", "checkout [at HOST]"),
            "check out", "opens a checkout, and orders when the merchant is ready",
            ("open_checkout", "place_order"), after=_FILLED, is_effect=True),
    Command("cancel", ("cancel my|the checkout [at HOST]",),
            "cancel the checkout", "cancels an open checkout; the cart stays", is_effect=True),
    Command("done", ("done [at HOST]",),
            "done", "refreshes the checkout after you were on the merchant's page",
            is_alone=True),
    Command("add", ("add ITEMS at HOST", "add ITEMS"),
            "add the first", "adds items to a cart; `add 2` is the second of the list",
            ("add_to_cart",), after=_FOUND),
    Command("remove", ("remove ITEM at HOST", "remove ITEM"),
            "remove the boot", "removes an item from a cart", ("remove_from_cart",),
            after=_FILLED),
    Command("quantity", ("N of ITEM [at HOST]", "set ITEM to N", "make it N"),
            "make it 3", "sets the number of an item", ("set_quantity",),
            after=_FILLED),
    Command("find", ("find|show [me] WHAT [MOST] [at HOST]", "search for WHAT [MOST] [at HOST]",
                     "I need WHAT [MOST] [at HOST]", "I am looking for WHAT [MOST] [at HOST]"),
            "find a boot under 200", "searches one or all merchants", ("search_catalog",)),
    *TALK,
)  # fmt: skip
"""What is understood where it buys from merchants."""

PLANS: Final = ("open_checkout", "place_order", "cancel_checkout")
"""The tools that act on the world: only their results say what came of them."""

_LINE: Final = re.compile(r"  (.+?) x(\d+)(?: @ \S+ = \S+)? \| (.*)")
_HIT: Final = re.compile(r"\d+\. (\S+) \| (\S+) \| (.+) \| ([\d.]+) ([A-Z]{3})( \| .*)?")
_CHANGE: Final = re.compile(r"cart at (\S+) r\d+: ([+-]?)(.*)")


@dataclass
class Cart:
    """A cart at a merchant, and how the checkout that is open for it stands ("" if none is).

    Attributes:
        link: the merchant's own page, if the customer has to go on there.
    """

    merchant: str
    lines: list[tuple[int, Product]] = field(default_factory=list)
    checkout: str = ""
    link: str = ""

    def __str__(self) -> str:
        rows = [f"- {quantity} x {one.name} ({one.id})" for quantity, one in self.lines]
        opened = [f"A checkout is open there: {self.checkout}."] if self.checkout else []
        return "\n".join([f"Your cart at {self.merchant}:", *rows, *opened])

    @property
    def is_ready(self) -> bool:
        """Tell whether its checkout can be ordered as it is."""
        return self.checkout.startswith("ready_for_complete:") and "older cart" not in self.checkout


class Merchants:
    """One prompt, as the stand-in reads it where it buys from merchants."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self._carts = [cart for cart in _carts(prompt.tail) if cart.lines]
        self._inside = [one for cart in self._carts for _, one in cart.lines]
        found = last_list(prompt.past, "search_catalog")
        self._listed: list[Product] = []
        if found is not None:
            self._listed = [one for one, _ in _hits(found[1], self._most(found[0].text))]

    def decide(self) -> Reply:
        """Take the next decision of the turn."""
        if self._prompt.turn.calls:
            return self._next() or Reply(self._told())
        return commands.decided(self._understood(self._prompt.turn.text), _EXAMPLES)

    def _understood(self, text: str) -> list[commands.Understood] | None:
        return commands.understand(text, TABLE, self._act)

    def _next(self) -> Reply | None:
        """Return what a message still wants after the calls of its turn; None if that is all."""
        last = self._prompt.turn.calls[-1]
        if any(call.refusal is not None for call in self._prompt.turn.calls):
            return None
        if last.result.startswith("open_checkout confirmed"):
            ready = [one.merchant for one in self._carts if one.is_ready]
            merchant = last.args.get("merchant")
            return calls("place_order", merchant=merchant) if merchant in ready else None
        if last.tool in (*PLANS, "refresh_checkout"):
            return None
        return commands.effect_of(self._prompt.turn.text, TABLE, self._act)

    def _told(self) -> str:
        """Say what the calls of the turn came to."""
        most = self._most(self._prompt.turn.text)
        made = self._prompt.turn.calls
        if made[-1].result.startswith("place_order confirmed"):
            made = made[-1:]  # an opened checkout is over by now
        said = [_said(call, most) for call in made]
        if any(_CHANGE.match(call.result) for call in self._prompt.turn.calls):
            said.append(self._in_carts())
        return "\n\n".join(dict.fromkeys(said))

    def _in_carts(self) -> str:
        return "\n\n".join(map(str, self._carts)) or "The carts are empty."

    def _most(self, text: str) -> float | None:
        """Return the highest price that a search named."""
        found = [groups.get("most") for _, groups, _ in self._understood(text) or ()]
        return next((float(most) for most in found if most), None)

    def _act(self, name: str, groups: commands.Groups, is_first: bool) -> Reply | None:
        host, item = groups.get("host") or "", groups.get("item") or "it"
        match name:
            case "cart":
                return Reply(self._in_carts())
            case "orders":
                return self._orders()
            case "checkout" | "cancel" | "done":
                return self._checkout(name, host, groups.get("choice"))
            case "add":
                return self._add(item, host, is_first)
            case "remove" | "quantity":
                return self._change(name, item, groups, is_first)
            case "find":
                query = commands.searched(groups["what"] or "")
                at = [one for one in self._known() if host and host.lower() in one.lower()]
                # If there is no merchant of this name, the tool says which there are.
                named = {"merchant": at[0] if len(at) == 1 else host} if host else {}
                return calls("search_catalog", query=query, **named) if query else None
            case _:
                return commands.talk(name, self._prompt, _EXAMPLES)

    def _orders(self) -> Reply:
        orders = [one.split(" ", 2) for one in self._prompt.now("orders").split("; ") if one]
        rows = [f"- {order_id} at {merchant}, {total}" for merchant, order_id, total in orders]
        none = "Nothing was ordered in this conversation."
        return Reply("\n".join(["You ordered:", *rows]) if rows else none)

    def _add(self, said: str, host: str, is_first: bool) -> Reply | None:
        wishes = []
        for quantity, item in commands.counted(said):
            found = self._meant(item, host, self._listed if is_first else [], None)
            if found is None or len(found) != 1:
                return None if found is None else Reply(_which(found), is_unclear=True)
            args = {"merchant": found[0].merchant, "item_id": found[0].id, "quantity": quantity}
            wishes.append(Wish("add_to_cart", args))
        return Reply("", tuple(wishes))

    def _change(
        self, name: str, item: str, groups: commands.Groups, is_first: bool
    ) -> Reply | None:
        """Remove something from a cart, or set how many of it are in it."""
        before = next((turn.calls for turn in reversed(self._prompt.past) if turn.calls), [])
        ids = {call.args.get("item_id") for call in before}
        last = [one for one in self._inside if len(ids) == 1 and one.id in ids] or self._inside
        it = last[0] if len(last) == 1 and is_first else None
        # "the first" may be of the list or of the carts.
        is_clear = is_first and (len(self._inside) == 1 or not self._listed)
        listed = self._inside if is_clear else []
        found = self._meant(item, groups.get("host") or "", listed, it)
        if found is None or len(found) != 1:
            return None if found is None else Reply(_which(found), is_unclear=True)
        about = {"merchant": found[0].merchant, "item_id": found[0].id}
        if name == "remove":
            return calls("remove_from_cart", **about)
        return calls("set_quantity", **about, quantity=commands.number(groups["n"] or "1"))

    def _meant(
        self, item: str, host: str, listed: list[Product], it: Product | None
    ) -> list[Product] | None:
        """Return what words mean, at a merchant that is named by a part of its name."""
        found = commands.meant(item, listed, self._inside, it)
        if found is None and re.fullmatch(r"[\w.:-]*\d[\w.:-]*", item):
            found = [Product(item, item, merchant) for merchant in self._known()]
        return found and [one for one in found if host.lower() in one.merchant.lower()]

    def _checkout(self, name: str, host: str, choice: str | None) -> Reply:
        """Check out, give an open checkout back, or ask how it stands."""
        there = [one for one in self._carts if name == "checkout" or one.checkout]
        found = [one for one in there if host.lower() in one.merchant.lower()]
        if not there:
            none = "There is nothing in a cart." if name == "checkout" else "No checkout is open."
            return Reply(none, is_unclear=True)
        if len(found) != 1:
            say = {"checkout": "check out", "cancel": "cancel the checkout"}.get(name, name)
            names = " or ".join(f"“{say} at {one.merchant}”" for one in there)
            return Reply(f"At which merchant? Say {names}, for example.", is_unclear=True)
        merchant = found[0].merchant
        if name != "checkout":
            tool = "cancel_checkout" if name == "cancel" else "refresh_checkout"
            return calls(tool, merchant=merchant)
        if found[0].link:
            said = f"Go on at {found[0].link}, and say “done” when you are."
            return Reply(said, is_unclear=True)
        tool, needed = ("open_checkout", "address_id")
        if found[0].is_ready:
            tool, needed = ("place_order", "instrument_id")
        return calls(tool, merchant=merchant, **({needed: choice} if choice else {}))

    def _known(self) -> list[str]:
        """Return the merchants that the conversation knows of."""
        hits = [one.merchant for t in self._prompt.past for c in t.calls for one, _ in _hits(c)]
        return list(dict.fromkeys([*(cart.merchant for cart in self._carts), *hits]))


def _which(found: Sequence[Product]) -> str:
    if found:
        return f"Which one: {', '.join(map(str, found))}? Name its id and merchant (“ID at HOST”)."
    return "I do not see what you mean. Say a number of the list, or search: “find a backpack”."


def _carts(tail: Sequence[str]) -> list[Cart]:
    carts: list[Cart] = []
    for line in tail:
        if line.startswith("cart at "):
            carts.append(Cart(line.split(" ")[2]))
        elif carts and line.startswith("  checkout "):
            carts[-1].checkout = line.removeprefix("  checkout ")
        elif carts and line.startswith("  to go on at: "):
            carts[-1].link = line.removeprefix("  to go on at: ")
        elif carts and (row := _LINE.fullmatch(line)):
            carts[-1].lines.append((int(row[2]), Product(row[1], row[3], carts[-1].merchant)))
    return carts


def _hits(call: Call, most: float | None = None) -> list[tuple[Product, str]]:
    """Return what a search found up to a price, and how it is shown."""
    rows = [row for line in call.rows if (row := _HIT.fullmatch(line))]
    return [
        (
            Product(row[2], row[3], row[1]),
            f"**{row[3]}** at {row[1]} ({row[2]}), {row[4]} {row[5]}{row[6] or ''}",
        )
        for row in rows
        if most is None or float(row[4]) <= most
    ]


def _said(call: Call, most: float | None) -> str:
    """Say what one call came to, in the words of its result."""
    if call.question:
        return call.question
    if call.refusal is not None:
        needs = call.refusal.startswith("It needs an ")
        return f"{call.refusal} Say “check out with ID”." if needs else call.refusal
    if call.tool == "search_catalog":
        hits = [f"{at}. {shown}" for at, (_, shown) in enumerate(_hits(call, most), 1)]
        limit = f" under {most:g}" if most is not None else ""
        silent = [line for line in call.rows if line.startswith("no answer of ")]
        head = "Found" if hits else "Nothing was found"
        return "\n".join([f"{head} for {call.args.get('query')}{limit}:", *hits, *silent])
    change = _CHANGE.fullmatch(call.result)
    if change is not None:
        added = re.fullmatch(r"\S+ x(\d+) \((.*)\)", change[3])
        if change[2] == "+" and added is not None:
            return f"Added: {added[1]} x {added[2]}."
        return f"{'Removed' if change[2] else 'Now'}: {change[3]} at {change[1]}."
    done = call.result.removeprefix(f"{call.tool} confirmed: ")
    return f"Done: {done}." if done != call.result else call.result
