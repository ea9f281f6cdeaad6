"""The orders that results and the tail tell of, and the question which of them is meant."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from daybook.demo.model.grammar.language.intents.cart import Remove
from daybook.demo.model.grammar.language.intents.goods import Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, OrderStatus
from daybook.demo.model.grammar.language.intents.past import NoMatter
from daybook.demo.model.grammar.language.intents.references import Every, Named, Nth
from daybook.demo.model.grammar.language.intents.talk import Agree, NotUnderstood
from daybook.demo.model.grammar.seen.prompt import Call, Now, Turn, question_of
from daybook.demo.model.grammar.seen.results import orders

ASK_WHICH_ORDER: Final = "Which order shall I cancel?"

_SHOWN: Final = re.compile(r"^- (DB-\d+): ", re.MULTILINE)
_SKU: Final = re.compile(r"\b[A-Z]+-\d+\b")
_LATEST: Final = re.compile(r"\b(?:last|latest|newest|most recent|newer)\b")
_EARLIEST: Final = re.compile(r"\b(?:first|oldest|older|earlier)\b")
_ORDER_ALONE: Final = re.compile(r"^(?:my |the )?(?:\w+ |most recent )order$")
_WITH: Final = re.compile(r"^(?:the )?(?:one|order) (?:with|of|for) (?:the |my |a |an )?(.+)$")


@dataclass(frozen=True)
class Ordered:
    """One order: its total as it is written, and the skus in it, where they were told."""

    order_id: str
    status: str
    total: str
    lines: str = ""

    @property
    def skus(self) -> tuple[str, ...]:
        """Return the products of the order."""
        return tuple(_SKU.findall(self.lines))


def told(calls: Iterable[Call], now: Now) -> list[Ordered]:
    """Return the orders of results and of the tail, oldest first; the tail knows how one stands."""
    known: dict[str, Ordered] = {}
    for call in calls:
        if call.tool in ("list_orders", "get_order"):
            known |= {row[0]: Ordered(*row) for row in orders(call.result)}
    for order in now.orders:
        lines = known[order.order_id].lines if order.order_id in known else ""
        known[order.order_id] = Ordered(order.order_id, order.status, order.total, lines)
    return list(known.values())


def asks_latest(text: str) -> bool:
    """Tell whether a text says that the newest order is meant."""
    return _LATEST.search(text.lower()) is not None


def asked_among(turn: Turn) -> list[str]:
    """Return the orders among which a turn asked to choose, oldest first."""
    return _SHOWN.findall(turn.answer) if question_of(turn) == ASK_WHICH_ORDER else []


def order_named(
    intents: Sequence[Intent], among: Sequence[str], again: Intent, text: str, reason: str = ""
) -> tuple[Intent, ...] | None:
    """Read intents as the answer to which order is meant; None where they are none.

    `among` are the orders that can be meant, oldest first; `again` asks once more.
    """
    if len(intents) != 1:
        return None
    match intents[0]:
        case OrderStatus(str() as order_id) | CancelOrder(str() as order_id):
            chosen = [order_id]
        case Mention(Nth(n)) if n == -1 or 1 <= n <= len(among):
            chosen = list(among[n - 1 if n > 0 else n :][:1])
        case Mention(Every()):
            chosen = list(among)
        case CancelOrder(None) if asks_latest(text):
            chosen = list(among[-1:])
        case NotUnderstood(said) if _ORDER_ALONE.search(said.lower()) and _LATEST.search(said):
            chosen = list(among[-1:])
        case NotUnderstood(said) if _ORDER_ALONE.search(said.lower()) and _EARLIEST.search(said):
            chosen = list(among[:1])
        case NotUnderstood(said) if (goods := _WITH.search(said.lower())) is not None:
            return (CancelOrder(reason=reason, goods=tuple(goods[1].split())),)
        case Mention(Named(words)) | Remove(Named(words), None):
            return (CancelOrder(reason=reason, goods=words),)
        case Search(query, bare=True, min_price=None, max_price=None) if query:
            return (CancelOrder(reason=reason, goods=tuple(query.split())),)
        case Agree() | NoMatter() | CancelOrder(None):
            return (again,)
        case _:
            return None
    return tuple(CancelOrder(order_id, reason) for order_id in chosen) or None
