"""Read what a merchant answers. All of it is data of a stranger: bounded, in one line, no markup.

What is there is read, and what is more is left out: versions of the protocol differ by fields that
are added. What money depends on is read strictly, and an answer without it cannot be used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from daybook.state.effects.keys import digest
from daybook.state.money import Money
from daybook.state.plain import in_a_line, plain

MOST_TEXT: Final = 300
"""Characters that are taken of a text of a merchant."""

MOST_WARNED: Final = 1_000
"""Characters of a warning: what a person must be shown is shown whole."""

MOST_ROWS: Final = 50
"""Products, lines, totals and messages that are taken of an answer."""

_LONGEST_ID: Final = 200
_LONGEST_CURSOR: Final = 2_000
_LARGEST: Final = 2**53 - 1
"""The largest amount and quantity of the protocol's schemas."""

_CURRENCY = re.compile(r"[A-Z]{3}")


class Unusable(ValueError):
    """Say why an answer cannot be used."""


@dataclass(frozen=True)
class Message:
    """What a merchant says about a checkout.

    Attributes:
        kind: error, warning or info.
        severity: of an error: recoverable, requires_buyer_input, requires_buyer_review or
            unrecoverable.
        must_show: a person must see it.
        beside: it must stand beside what it is about, wherever that is shown.
        url: where more is read about it; it is shown, and never followed by us.
    """

    kind: str
    code: str
    text: str
    severity: str = ""
    path: str = ""
    must_show: bool = False
    beside: bool = False
    url: str | None = None

    def __str__(self) -> str:
        return self.text or self.code

    @property
    def said(self) -> str:
        """Write it with where more is read about it."""
        return f"{self} (see {self.url})" if self.url else str(self)


@dataclass(frozen=True)
class Offer:
    """Something that can be bought: a variant of a product.

    Attributes:
        price: cents of `currency`.
        available: False where the merchant says that it is not; None where it says nothing.
    """

    item_id: str
    title: str
    price: int
    currency: str
    description: str = ""
    available: bool | None = None

    def as_row(self) -> dict[str, Any]:
        """Write it as a row of a read."""
        row = {
            "item_id": self.item_id,
            "title": self.title,
            "price": self.price,
            "currency": self.currency,
            "description": self.description,
        }
        return row if self.available is None else {**row, "available": self.available}


@dataclass(frozen=True)
class Line:
    """A line of a checkout, as the merchant has it; `total` is the merchant's, in cents."""

    line_id: str
    item_id: str
    title: str
    quantity: int
    unit_price: int
    total: int


@dataclass(frozen=True)
class Total:
    """An entry of the merchant's sums, in cents; less than nothing where it is a discount."""

    kind: str
    label: str
    amount: int


@dataclass(frozen=True)
class Delivery:
    """A group of lines that is delivered together.

    Attributes:
        options: id to what it costs, in cents; None where that is not said.
        chosen: the option that is chosen.
    """

    group_id: str
    options: tuple[tuple[str, int | None], ...]
    chosen: str | None


@dataclass(frozen=True)
class Checkout:
    """A checkout session, as its merchant shows it.

    Attributes:
        order_id, order_url: of the order that came of it.
        handlers: ids of the payment handlers that may be used for it; none where it does not say.
        instruments: by such a handler the types of instrument that it takes; of one that is not in
            it nothing is said.
        methods: its ways of delivery as they came, for the update that must send them whole.
    """

    checkout_id: str
    status: str
    currency: str
    lines: tuple[Line, ...]
    totals: tuple[Total, ...]
    messages: tuple[Message, ...] = ()
    expires_at: datetime | None = None
    continue_url: str | None = None
    order_id: str | None = None
    order_url: str | None = None
    handlers: tuple[str, ...] = ()
    instruments: Mapping[str, frozenset[str]] = field(default_factory=dict)
    deliveries: tuple[Delivery, ...] = ()
    methods: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)

    @property
    def total(self) -> Money:
        """Return what is to be paid, by the merchant."""
        amount = next(one.amount for one in self.totals if one.kind == "total")
        return Money(amount=amount, currency=self.currency)

    def takes(self, handler_id: str, kind: str) -> bool:
        """Tell whether it can be paid with a type of instrument by a handler."""
        if self.handlers and handler_id not in self.handlers:
            return False
        return kind in self.instruments.get(handler_id, frozenset({kind}))

    @property
    def errors(self) -> tuple[Message, ...]:
        """Return what keeps it from being completed."""
        return tuple(one for one in self.messages if one.kind == "error")

    @property
    def bought(self) -> str:
        """Name what is bought, and how much of it: an order must be of these."""
        return bought_of((one.item_id, one.quantity) for one in self.lines)

    @property
    def adds_up(self) -> bool:
        """Tell whether the sums come to the total, as they must.

        Discounts of items may be in the goods already, and the first versions of the protocol write
        what is taken off without a sign.
        """
        parts = [one for one in self.totals if one.kind != "total"]
        off = ("discount", "items_discount")
        signed = [-abs(one.amount) if one.kind in off else one.amount for one in parts]
        items = sum(abs(one.amount) for one in parts if one.kind == "items_discount")
        return not parts or self.total.amount in (sum(signed), sum(signed) + items)

    @property
    def terms(self) -> str:
        """Name all that a person approves of it: lines, sums, and what must be shown to them."""
        shown = [[one.code, one.said] for one in self.messages if one.kind == "warning"]
        return digest(
            [
                self.currency,
                [[one.item_id, one.title, one.quantity, one.total] for one in self.lines],
                [[one.kind, one.label, one.amount] for one in self.totals],
                sorted(shown),
            ]
        )[:32]


def bought_of(lines: Iterable[tuple[str, int]]) -> str:
    """Name what is bought: items with how many of each, however they stand in lines."""
    counts: Counter[str] = Counter()
    for item_id, quantity in lines:
        counts[item_id] += quantity
    return digest([[item_id, counts[item_id]] for item_id in sorted(counts)])[:32]


def text(given: Any, most: int = MOST_TEXT) -> str:
    """Take a text of a merchant as one bounded line without tags; "" where it is none."""
    return in_a_line(given, most)


def described(given: Any) -> str:
    """Take a description in whatever form it came; HTML and Markdown become plain lines."""
    if isinstance(given, Mapping):
        return next(
            (said for form in ("plain", "markdown", "html") if (said := text(given.get(form)))), ""
        )
    return text(given)


def name(given: Any) -> str:
    """Take an id.

    Raises:
        Unusable: it is none, or too long to be kept.
    """
    if isinstance(given, str) and 0 < len(given) <= _LONGEST_ID and plain(given) == given:
        return given
    raise Unusable("an id is missing or cannot be kept")


def amount(given: Any, *, may_be_less: bool = False) -> int:
    """Take an amount of money in cents.

    Raises:
        Unusable: it is no whole number, too large, or less than nothing where it may not be.
    """
    is_whole = isinstance(given, int) and not isinstance(given, bool)
    if is_whole and abs(given) <= _LARGEST and (given >= 0 or may_be_less):
        return int(given)
    raise Unusable("an amount of money is missing, or is none")


def currency(given: Any) -> str:
    """Take the code of a currency.

    Raises:
        Unusable: it is none.
    """
    if isinstance(given, str) and _CURRENCY.fullmatch(given):
        return given
    raise Unusable("the currency is missing, or is none")


def moment(given: Any) -> datetime | None:
    """Take a time, UTC; None where it is none."""
    try:
        at = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)


def link(given: Any) -> str | None:
    """Take a link that a person may open; None where it is none. It is never followed by us."""
    if not isinstance(given, str) or len(given) > 2_000 or not given.isprintable():
        return None
    try:
        parts = urlsplit(given)
    except ValueError:
        return None
    is_link = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    return given if is_link and " " not in given else None


def rows(given: Any) -> list[Mapping[str, Any]]:
    """Take the objects of a list, not more than are read of any; none where it is no list."""
    found = given if isinstance(given, list) else []
    return [one for one in found[:MOST_ROWS] if isinstance(one, Mapping)]


def messages(body: Mapping[str, Any]) -> tuple[Message, ...]:
    """Take what a merchant says beside its answer."""
    return tuple(
        Message(
            kind=text(one.get("type"), 40) or "info",
            code=text(one.get("code"), 100),
            text=text(
                one.get("content"), MOST_WARNED if one.get("type") == "warning" else MOST_TEXT
            ),
            severity=text(one.get("severity"), 40),
            path=text(one.get("path"), 100),
            must_show=one.get("type") == "warning",
            beside=one.get("type") == "warning" and one.get("presentation") == "disclosure",
            url=link(one.get("url")) or link(one.get("image_url")),
        )
        for one in rows(body.get("messages"))
    )


def offers(body: Mapping[str, Any]) -> list[Offer]:
    """Take what can be bought of an answer of the catalogue; what has no price is left out."""
    products = rows(body.get("products")) or [
        one for one in (body.get("product"),) if isinstance(one, Mapping)
    ]
    return [offer for product in products for offer in _offered(product)][:MOST_ROWS]


def next_page(body: Mapping[str, Any]) -> str | None:
    """Return the cursor of the page behind this one; None where there is none."""
    page = body.get("pagination")
    if not isinstance(page, Mapping) or page.get("has_next_page") is not True:
        return None
    cursor = page.get("cursor")
    return cursor if isinstance(cursor, str) and 0 < len(cursor) <= _LONGEST_CURSOR else None


def _offered(product: Mapping[str, Any]) -> Iterator[Offer]:
    title = text(product.get("title"), 120)
    for variant in rows(product.get("variants")) or [product]:
        own = text(variant.get("title"), 120)
        price = variant.get("price")
        try:
            cents = price.get("amount") if isinstance(price, Mapping) else price
            code = price.get("currency") if isinstance(price, Mapping) else product.get("currency")
            yield Offer(
                item_id=name(variant.get("id")),
                title=own if not title or title in own else f"{title}, {own}".rstrip(", "),
                price=amount(cents),
                currency=currency(code),
                description=described(variant.get("description") or product.get("description")),
                available=_available(variant.get("availability")),
            )
        except Unusable:
            continue


def _available(given: Any) -> bool | None:
    said = given.get("available") if isinstance(given, Mapping) else None
    return said if isinstance(said, bool) else None


def checkout(body: Any) -> Checkout:
    """Take a checkout session.

    Raises:
        Unusable: it is none, or what money depends on is missing.
    """
    if not isinstance(body, Mapping):
        raise Unusable("it is no checkout")
    order = body.get("order")
    order = order if isinstance(order, Mapping) else {}
    listed = body.get("line_items")
    if not isinstance(listed, list) or len(listed) > MOST_ROWS:
        raise Unusable(f"its lines are missing, or more than {MOST_ROWS}")
    return Checkout(
        checkout_id=name(body.get("id")),
        status=text(body.get("status"), 40),
        currency=currency(body.get("currency")),
        lines=tuple(map(line_of, listed)),
        totals=totals_of(body.get("totals")),
        messages=messages(body),
        expires_at=moment(body.get("expires_at")),
        continue_url=link(body.get("continue_url")),
        order_id=name(order["id"]) if order.get("id") else None,
        order_url=link(order.get("permalink_url")),
        handlers=tuple(one["id"] for one in _handlers(body)),
        instruments=_instruments(body),
        deliveries=tuple(_deliveries(body)),
        methods=tuple(_methods(body)),
    )


def line_of(given: Any) -> Line:
    """Take a line of a checkout or of an order.

    Raises:
        Unusable: it is none.
    """
    if not isinstance(given, Mapping) or not isinstance(given.get("item"), Mapping):
        raise Unusable("a line is none")
    item, quantity = given["item"], given.get("quantity")
    # Of an order it is told how many were ordered, and how many are left.
    quantity = quantity.get("total") if isinstance(quantity, Mapping) else quantity
    totals = totals_of(given.get("totals"))
    return Line(
        line_id=name(given.get("id")),
        item_id=name(item.get("id")),
        title=text(item.get("title"), 120),
        quantity=amount(quantity),
        unit_price=amount(item.get("price")),
        total=next(one.amount for one in totals if one.kind == "total"),
    )


def totals_of(given: Any) -> tuple[Total, ...]:
    """Take sums as they came: they are shown, and never computed again."""
    found = tuple(
        Total(
            kind=text(one.get("type"), 40),
            label=text(one.get("display_text"), 80),
            amount=amount(one.get("amount"), may_be_less=one.get("type") != "total"),
        )
        for one in rows(given)
    )
    if sum(one.kind == "total" for one in found) != 1:
        raise Unusable("it does not say one total")
    return found


def _instruments(body: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Take the types of instrument that each handler takes; what it says of them is binding."""
    return {
        one["id"]: frozenset(
            kind["type"]
            for kind in rows(one["available_instruments"])
            if isinstance(kind.get("type"), str)
        )
        for one in _handlers(body)
        if isinstance(one.get("available_instruments"), list)
    }


def _handlers(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    envelope = body.get("ucp")
    named = envelope.get("payment_handlers") if isinstance(envelope, Mapping) else None
    listed: list[Mapping[str, Any]] = []
    if isinstance(named, Mapping):
        listed = [one for given in list(named.values())[:MOST_ROWS] for one in rows(given)]
    payment = body.get("payment")
    if not listed and isinstance(payment, Mapping):
        # As the first versions of the protocol had it.
        listed = rows(payment.get("handlers"))
    return [one for one in listed if isinstance(one.get("id"), str)]


def _methods(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    given = body.get("fulfillment")
    return rows(given.get("methods")) if isinstance(given, Mapping) else []


def _deliveries(body: Mapping[str, Any]) -> Iterator[Delivery]:
    for method in _methods(body):
        for group in rows(method.get("groups")):
            options = [
                (name(one.get("id")), _cost(one.get("totals")))
                for one in rows(group.get("options"))
            ]
            chosen = group.get("selected_option_id")
            yield Delivery(
                group_id=name(group.get("id")),
                options=tuple(options),
                chosen=chosen if isinstance(chosen, str) else None,
            )


def _cost(totals: Any) -> int | None:
    try:
        return next((one.amount for one in totals_of(totals) if one.kind == "total"), None)
    except Unusable:
        return None


def refusal(body: Mapping[str, Any]) -> Sequence[Message]:
    """Return the errors by which a merchant says no instead of giving anything."""
    return [one for one in messages(body) if one.kind == "error"]
