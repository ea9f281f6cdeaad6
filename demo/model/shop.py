"""Decides as the shopper: which tools a message calls, or what the answer is."""

import re
from typing import Any, Final

from daybook.demo.model import commands
from daybook.demo.model.commands import Groups, Product, Reply, Understood, Wish, calls
from daybook.demo.model.prompt import Prompt, last_list
from daybook.demo.model.shop_answers import EFFECTS, in_cart, products, told, which
from daybook.demo.model.shop_commands import TABLE

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
            said = told(turn.calls, self._cart, self._prompt.now("total"))
            return self._next(text) or Reply(said)
        if self._prompt.is_handed_over and not text:
            return _by_brief(brief)
        return commands.decided(self.understood(text), self._examples())

    def _next(self, text: str) -> Reply | None:
        """Return what a message still wants after the calls of its turn; None if that is all."""
        done = {call.tool for call in self._prompt.turn.calls}
        if done & {*EFFECTS} or any(call.refusal for call in self._prompt.turn.calls):
            return None
        effect = commands.effect_of(text, TABLE, self._act)
        return effect if effect and not any(one.tool in done for one in effect.wishes) else None

    def _examples(self) -> tuple[str, str, str]:
        """Return three messages that fit the moment."""
        if self._cart:
            return "show my cart", f"remove {next(iter(self._cart))}", "check out"
        if self._listed:
            return "add the first", "tell me about the first", "compare them"
        if self._prompt.now("orders"):
            return "what did I order?", "cancel my order", "find waterproof boots under 150"
        return "find waterproof boots under 150", "add BOOT-013", "what did I order?"

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
                return commands.talk(name, self._prompt, self._examples())

    def _add(self, said: str, is_first: bool) -> Reply | None:
        wishes = []
        for quantity, item in commands.counted(said):
            found = self._products(item, is_first)
            if found is None or len(found) != 1:
                return None if found is None else Reply(which(found), is_unclear=True)
            wishes.append(Wish("add_to_cart", {"sku": found[0].id, "quantity": quantity}))
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
