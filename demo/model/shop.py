"""The commands of the shop, their calls and the answers."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from daybook.demo.model import commands
from daybook.demo.model.commands import (
    TALK,
    Command,
    Groups,
    Product,
    Reply,
    Understood,
    Wish,
    calls,
)
from daybook.demo.model.prompt import Call, Prompt, last_list

_EXAMPLES: Final = ("find waterproof boots under 150", "add the first", "check out")
_FOUND: Final = ("find waterproof boots under 150",)
_FILLED: Final = ("add BOOT-013",)
_ORDERED: Final = (*_FILLED, "check out")
_INTERVIEW: Final = ("I need advice for a trip to Iceland",)

TABLE: Final = (
    Command("cart", ("show|open [me] my|the cart", "what is in my|the cart", "my cart"),
            "show my cart", "shows the cart", after=_FILLED, is_question=True),
    Command("orders", ("what did I order [today]", "show|list [me] my orders"),
            "what did I order?", "lists your orders", ("list_orders",), is_question=True),
    Command("cancel", ("cancel my|the|that order", "cancel [order] ORDER"),
            "cancel my order", "cancels an order; asks which if there are several",
            ("cancel_order",), after=_ORDERED, is_effect=True),
    Command("checkout", ("check out [with CARD] [to ADDRESS]", "checkout"),
            "check out", "buys the cart", ("checkout",), after=_FILLED, is_effect=True),
    Command("compare", ("compare them|these", "which of these|them has the best reviews"),
            "compare them", "compares the reviews of the listed products",
            ("compare_reviews",), after=_FOUND, is_question=True),
    Command("details", ("tell me [more] about ITEM", "what does ITEM cost", "how much is ITEM"),
            "what does BOOT-013 cost?", "shows price, stock and description of a product",
            ("get_product",), is_question=True),
    Command("add", ("add ITEMS to my|the cart", "put ITEMS into|in my|the cart", "add ITEMS again",
                    "add ITEMS"),
            "add BOOT-013", "adds products to the cart; `add 2` is the second of the list",
            ("add_to_cart",)),
    Command("remove", ("remove ITEMS from my|the cart", "remove ITEMS"),
            "remove the boots", "removes products from the cart", ("remove_from_cart",),
            after=_FILLED),
    Command("quantity", ("N of ITEM", "set ITEM to N", "make it N"),
            "3 of BOOT-013", "sets the number of a product", ("set_quantity",),
            after=_FILLED),
    Command("interview", ("help me choose", "I need advice [for|on|about GOAL]"),
            "I need advice for a trip to Iceland", "starts an interview about what you need",
            ("start_interview",), is_alone=True),
    Command("find", ("find|show [me] WHAT [MOST]", "search for WHAT [MOST]", "I need WHAT [MOST]",
                     "I am looking for WHAT [MOST]"),
            "find waterproof boots under 150", "searches the shop, or looks up a SKU",
            ("search_products",)),
    Command("kind", ("WHAT [MOST]",),
            "waterproof boots", "searches the shop for a kind of product", ("search_products",)),
    Command("remember", ("my SUBJECT is VALUE",),
            "my shoe size is 43", "remembers a fact about you", ("remember",)),
    Command("forget", ("forget my SUBJECT",),
            "forget my shoe size", "forgets the fact", ("forget",), after=("my shoe size is 43",)),
    *TALK,
)  # fmt: skip
"""What is understood in the shop."""

INTERVIEW: Final = (
    Command("category", ("WHAT [MOST]",),
            "waterproof boots", "notes the kind of product and its requirements",
            ("note_brief",), after=_INTERVIEW),
    Command("price", ("[under|below] PRICE", "at most PRICE"),
            "under 150", "notes the highest price", ("note_brief",), after=(*_INTERVIEW, "boots")),
    Command("size", ("[size] SIZE",),
            "43", "notes the size", ("note_brief", "hand_over", "search_products"),
            after=(*_INTERVIEW, "boots", "150")),
    Command("any", ("any|no|skip",),
            "any", "skips the question", after=(*_INTERVIEW, "boots")),
    Command("enough", ("just show me something", "no more questions"),
            "just show me something", "ends the interview",
            ("hand_over", "search_products"), after=_INTERVIEW),
)  # fmt: skip
"""What is understood as an answer in the interview; what the shop understands ends it."""

NO_GOAL: Final = "to find what fits"
"""The goal of an interview that was asked for without one."""

_KINDS: Final = {
    "hiking-boots": "boots?|shoes", "socks": "socks?", "jackets": "jackets?", "tents": "tents?",
    "sleeping-bags": "sleeping bags?", "backpacks": "backpacks?", "headlamps": "headlamps?",
    "stoves": "stoves?", "water-bottles": "bottles?", "trekking-poles": "poles?",
}  # fmt: skip
"""The words for each category."""

_DESCRIBING: Final = frozenset(
    """a an some the waterproof warm light lightweight heavy wool merino down leather carbon steel
    aluminium titanium folding insulated winter summer hiking trekking camping water gas one two
    three four person men women kid red blue green black grey brown orange yellow""".split()  # noqa: SIM905
)
"""The words that may stand before a kind of goods if there is no verb."""

_SKU: Final = re.compile(r"[A-Za-z]{2,6}-\d{1,5}")
_LINE: Final = re.compile(r"  (\S+) x(\d+) @ \S+ = \S+ \| (.*)")
_VARIANT: Final = re.compile(
    r"(?P<item>.+?),? (?:in (?:an? )?size|in|size) (?P<variant>[\w.-]+)", re.IGNORECASE
)
_NOT_GOODS: Final = re.compile(r"\b(?:orders?|cart|card|address|password|parcel|refund|advice)\b")


def kind_of(words: str) -> tuple[str, list[str]] | None:
    """Return the category that words end with, and what describes it; None for other words."""
    for category, names in _KINDS.items():
        found = re.fullmatch(rf"(?:(.*) )?(?:{names})", words.lower())
        if found is not None:
            before = (found[1] or "").split()
            plain = {re.sub(r"(?<=\w)'?s$", "", one) for one in before}
            return (category, before) if plain <= _DESCRIBING else None
    return None


def slots(brief: str) -> dict[str, str]:
    """Return the slots of the brief, by name."""
    found: dict[str, str] = {}
    for slot in brief.split("; "):
        for head in ("goal=", "category=", "wants now=", "max ", "size ", "for ", "must have "):
            if slot.startswith(head):
                found[head.rstrip("= ")] = slot.removeprefix(head)
    return found


class Shop:
    """One prompt, as the shopper reads it."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt
        found = last_list(prompt.past, "search_products")
        self._listed = products(found[1].rows) if found else []
        rows = (_LINE.fullmatch(line) for line in prompt.tail)
        self._cart = {row[1]: (int(row[2]), row[3]) for row in rows if row}
        self._inside = [Product(sku, name) for sku, (_, name) in self._cart.items()]

    def understood(self, text: str) -> list[Understood] | None:
        """Return the commands of a message; None if a word of it is not accounted for."""
        return commands.understand(text, TABLE, self._act)

    def decide(self) -> Reply:
        """Take the next decision of the turn."""
        turn, brief = self._prompt.turn, slots(self._prompt.now("brief"))
        text = brief.get("wants now", "") if self._prompt.is_handed_over else turn.text
        if turn.calls:
            said = outcome_text(turn.calls, self._cart, self._prompt.now("total"))
            return self._next(text) or Reply(said)
        if self._prompt.is_handed_over and not text:
            return _by_brief(brief)
        return commands.decided(self.understood(text), _EXAMPLES)

    def _next(self, text: str) -> Reply | None:
        """Return what a message still wants after the calls of its turn; None if that is all."""
        done = {call.tool for call in self._prompt.turn.calls}
        if done & {*EFFECTS} or any(call.refusal for call in self._prompt.turn.calls):
            return None
        effect = commands.effect_of(text, TABLE, self._act)
        return effect if effect and not any(one.tool in done for one in effect.wishes) else None

    def _act(self, name: str, groups: Groups, is_first: bool) -> Reply | None:
        said = groups.get("item") or groups.get("what") or "it"
        match name:
            case "cart":
                return Reply(in_cart(self._cart, self._prompt.now("total")))
            case "orders":
                return calls("list_orders")
            case "cancel":
                return self._cancel(groups.get("order"))
            case "checkout":
                chosen = {"card_id": groups.get("card"), "address_id": groups.get("address")}
                return calls("checkout", **{key: one for key, one in chosen.items() if one})
            case "details":
                return self._look(said, is_first)
            case "compare":
                skus = [one.id for one in self._listed[:5] if is_first]
                return calls("compare_reviews", skus=skus) if skus else Reply(which(()))
            case "add":
                return self._add(said, is_first)
            case "remove" | "quantity":
                return self._change(name, said, groups, is_first)
            case "find" | "kind":
                return self._find(name, said, groups["most"], is_first)
            case "interview":
                return calls("start_interview", goal=groups.get("goal") or NO_GOAL)
            case "remember":
                subject, value = (groups["subject"] or "").lower(), groups["value"] or ""
                is_free = commands.searched(f"{subject} {value}") and not _NOT_GOODS.search(subject)
                return calls("remember", subject=subject, value=value) if is_free else None
            case "forget":
                return calls("forget", subject=groups["subject"])
            case _:
                return commands.talk(name, self._prompt, _EXAMPLES)

    def _add(self, said: str, is_first: bool) -> Reply | None:
        wishes = []
        for quantity, item in commands.counted(said):
            found, chosen = self._products(item, is_first), {}
            if found is None and (named := _VARIANT.fullmatch(item)):
                found, chosen = self._products(named["item"], is_first), named.groupdict()
            if found is None or len(found) != 1:
                return None if found is None else Reply(which(found), is_unclear=True)
            args = {"sku": found[0].id, "quantity": quantity}
            if variant := chosen.get("variant"):
                args["variant"] = variant
            wishes.append(Wish("add_to_cart", args))
        return Reply("", tuple(wishes))

    def _change(self, name: str, said: str, groups: Groups, is_first: bool) -> Reply | None:
        """Remove products from the cart, or set how many of one are in it."""
        items = commands.counted(said) if name == "remove" else [(1, said)]
        wishes = []
        for quantity, item in items:
            found = self._products(item, is_first, in_cart=True)
            if found is None or quantity != 1:
                return None
            if len(found) != 1:
                return Reply(which(found), is_unclear=True)
            about: dict[str, Any] = {"sku": found[0].id}
            if name == "quantity":
                about["quantity"] = commands.number(groups["n"] or "1")
            wishes.append(
                Wish("set_quantity" if "quantity" in about else "remove_from_cart", about)
            )
        return Reply("", tuple(wishes))

    def _look(self, said: str, is_first: bool) -> Reply | None:
        found = self._products(said, is_first)
        if found is None or len(found) != 1:
            return None if found is None else Reply(which(found), is_unclear=True)
        return calls("get_product", sku=found[0].id)

    def _find(self, name: str, said: str, most: str | None, is_first: bool) -> Reply | None:
        if _SKU.fullmatch(said) or commands.is_place(said):
            return self._look(said, is_first) if name == "find" and not most else None
        query, limit = commands.searched(said), commands.cents(most)
        if not query or _NOT_GOODS.search(query.lower()) or (name == "kind" and not kind_of(said)):
            return None
        return calls("search_products", query=query, **({"max_price": limit} if limit else {}))

    def _cancel(self, order: str | None) -> Reply:
        if order is not None:
            return calls("cancel_order", order_id=order.upper())
        read = [call for call in self._prompt.turn.calls if call.tool == "list_orders"]
        rows = [row.split(" | ") for row in (read[-1].rows if read else ())]
        seen = rows or [one.split(" ") for one in self._prompt.now("orders").split("; ")]
        placed = [one[0] for one in seen if one[1:2] == ["placed"]]
        if not placed:
            return Reply("You have no order to cancel.") if read else calls("list_orders")
        if len(placed) > 1:
            text = f"Which order: {', '.join(placed)}? Say “cancel {placed[-1]}”, for example."
            return Reply(text, is_unclear=True)
        return calls("cancel_order", order_id=placed[0])

    def _products(
        self, said: str, is_first: bool, *, in_cart: bool = False
    ) -> list[Product] | None:
        """Return the products that words mean: of the cart, or of all that is known here."""
        calls_before = next((turn.calls for turn in reversed(self._prompt.past) if turn.calls), [])
        skus = {str(call.args["sku"]).upper() for call in calls_before if call.args.get("sku")}
        likely = self._inside if in_cart else self._listed
        if in_cart and len(likely) > 1 and self._listed:
            likely = []  # "the first" may be of the list or of the cart
        it = Product(skus.pop()) if len(skus) == 1 else likely[0] if len(likely) == 1 else None
        removed = [one.partition(" | ") for one in self._prompt.now("removed").split("; ")]
        others = [Product(sku, name) for sku, _, name in removed if name]
        found = commands.meant(
            said,
            likely if is_first else [],
            self._inside if in_cart else [*self._inside, *others],
            it if is_first else None,
        )
        if found is None and _SKU.fullmatch(said):
            return [Product(said.upper())]
        return [] if found is None and kind_of(said) is not None else found


def _by_brief(brief: dict[str, str]) -> Reply:
    """Search by what the interviewer found out."""
    category = brief.get("category", "")
    words = f"{brief.get('must have', '').replace(',', '')} {category.replace('-', ' ')}".split()
    args: dict[str, Any] = {"query": " ".join(dict.fromkeys(words)) or brief.get("goal", "")}
    if category:
        args["category"] = category
    if "max" in brief:
        args["max_price"] = commands.cents(brief["max"].partition(" ")[0])
    return calls("search_products", **args)


# -- what is said ---------------------------------------------------------------------------------

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


def outcome_text(calls: Sequence[Call], cart: Cart, total: str) -> str:
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
