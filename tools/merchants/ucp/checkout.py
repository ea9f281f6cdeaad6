"""A checkout session: what its merchant shows, what is recorded, and what an answer proves.

A business error comes as 200: it is never a confirmation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, AliasPath, BeforeValidator, Field

from daybook.state.effects.keys import digest
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.money import Money, in_units
from daybook.tools.merchants.ucp.answers import (
    MOST_ROWS,
    Cents,
    Currency,
    Difference,
    Id,
    Line40,
    Line120,
    Link,
    MaybeId,
    Message,
    Moment,
    Part,
    Rows,
    Unusable,
    bounded,
    refusal,
    rows,
    taken,
)
from daybook.tools.merchants.ucp.delivery import Group, groups_in, places_in

_MOST_OFFERED: Final = 10

OPEN: Final = ("incomplete", "requires_escalation", "ready_for_complete")
"""Statuses of a checkout that can still be changed, and completed."""

IN_HAND: Final = "complete_in_progress"
"""The status of a checkout whose order was accepted: it is neither changed nor completed again."""


class Total(Part):
    """An entry of the merchant's sums, in cents; less than nothing if it is a discount."""

    kind: Line40 = Field(alias="type")
    label: Annotated[str, bounded(80)] = Field(default="", alias="display_text")
    amount: Difference


def _one_total(found: tuple[Total, ...]) -> tuple[Total, ...]:
    if [one.amount >= 0 for one in found if one.kind == "total"] != [True]:
        raise ValueError("must have exactly one `total`, which is not negative")
    return found


def _at_most_one(found: tuple[Total, ...]) -> tuple[Total, ...]:
    return _one_total(found) if any(one.kind == "total" for one in found) else found


Sums = Annotated[tuple[Total, ...], Rows, AfterValidator(_one_total)]
"""Sums as they came: they are shown, and never computed again."""


def total_in(sums: Iterable[Total]) -> int:
    """Return the total of a merchant's sums, in cents."""
    return next(one.amount for one in sums if one.kind == "total")


class _Item(Part):
    id: Id
    title: Line120 = ""
    price: Cents


def _left(given: Any) -> Any:
    """Take of an order, of which it is told how many were ordered and are left, what is left."""
    return given.get("total") if isinstance(given, Mapping) else given


class Line(Part):
    """A line of a checkout or of an order, as the merchant has it; all sums are the merchant's.

    What it comes to is optional in the protocol: then its price of one is shown.
    """

    line_id: Id = Field(alias="id")
    item: _Item
    quantity: Annotated[Cents, BeforeValidator(_left)]
    original: Cents | None = Field(default=None, validation_alias=AliasPath("quantity", "original"))
    totals: Annotated[tuple[Total, ...], Rows, AfterValidator(_at_most_one)]

    @property
    def item_id(self) -> str:
        """Return the id of what it is of."""
        return self.item.id

    @property
    def title(self) -> str:
        """Return what it is of, for people."""
        return self.item.title

    @property
    def total(self) -> int | None:
        """Return what the line costs, in cents; None if it does not say."""
        said = {one.kind: one.amount for one in reversed(self.totals)}
        return said.get("total", said.get("subtotal"))

    def describe(self, currency: str) -> str:
        """Write it for a person, with what it costs."""
        cents, each = (self.item.price, " each") if self.total is None else (self.total, "")
        price = f"{in_units(cents, currency)} {currency}{each}"
        return f"{self.quantity} x {self.title or self.item_id} ({self.item_id}): {price}"


class Discount(Part):
    """A discount that its merchant gives."""

    title: Line120 = ""
    code: Line120 = ""


def _listed(given: Any) -> Any:
    return given[:MOST_ROWS] if isinstance(given, list) else ()


class Checkout(Part):
    """A checkout session, as its merchant shows it.

    Attributes:
        order_id, order_url: of the order that came of it.
        methods: its ways of delivery as they came, for the update that must send them whole.
        codes: of discounts, as the merchant has them.
    """

    checkout_id: Id = Field(alias="id")
    status: Line40 = ""
    currency: Currency
    lines: tuple[Line, ...] = Field(alias="line_items", max_length=MOST_ROWS)
    totals: Sums
    messages: Annotated[tuple[Message, ...], Rows] = ()
    expires_at: Moment = None
    continue_url: Link = None
    order_id: MaybeId = Field(default=None, validation_alias=AliasPath("order", "id"))
    order_url: Link = Field(default=None, validation_alias=AliasPath("order", "permalink_url"))
    ucp: Any = Field(default=None, repr=False)
    methods: Annotated[tuple[dict[str, Any], ...], Rows] = Field(
        default=(), validation_alias=AliasPath("fulfillment", "methods"), repr=False
    )

    codes: Annotated[tuple[Line120, ...], BeforeValidator(_listed)] = Field(
        default=(), validation_alias=AliasPath("discounts", "codes")
    )
    applied: Annotated[tuple[Discount, ...], Rows] = Field(
        default=(), validation_alias=AliasPath("discounts", "applied")
    )
    payment: Any = Field(default=None, repr=False)

    @property
    def total(self) -> Money:
        """Return what is to be paid, by the merchant."""
        return Money(amount=total_in(self.totals), currency=self.currency)

    @property
    def handlers(self) -> tuple[str, ...]:
        """Return the payment handlers that may be used for it; none if it does not say."""
        return tuple(one["id"] for one in self._handlers)

    @property
    def _handlers(self) -> list[Mapping[str, Any]]:
        return handlers_in(self.ucp) or handlers_in({"payment_handlers": _older(self.payment)})

    def takes(self, handler_id: str, kind: str) -> bool:
        """Tell whether it can be paid with a type of instrument by a handler.

        What a handler says of instruments is binding; where it says nothing, it takes any.
        """
        found = self._handlers
        mine = [one for one in found if one["id"] == handler_id]
        listed = [one["available_instruments"] for one in mine if "available_instruments" in one]
        kinds = [one.get("type") for given in listed for one in rows(given)]
        return kind in kinds or (not listed and bool(mine or not found))

    @property
    def errors(self) -> tuple[Message, ...]:
        """Return what keeps it from being completed."""
        return tuple(one for one in self.messages if one.kind == "error")

    @property
    def is_stuck(self) -> bool:
        """Tell whether it is not complete, and its merchant does not say what is missing."""
        return self.status == "incomplete" and not self.errors

    @property
    def groups(self) -> list[Group]:
        """Return what is sent together, with what may be chosen for it."""
        return groups_in(self.methods)

    @property
    def delivery(self) -> list[str]:
        """Write how each thing is delivered, for a person: the merchant's title, price and days."""
        found = [one for one in self.groups if one.chosen is not None]
        return [self._delivered(one, names_lines=len(found) > 1) for one in found]

    def _delivered(self, group: Group, *, names_lines: bool) -> str:
        assert group.chosen is not None
        titles = {one.line_id: one.title or one.item_id for one in self.lines}
        of = [titles[one] for one in group.line_ids if one in titles] if names_lines else []
        said = [group.chosen.describe(self.currency)]
        said += [f"fetched at {group.fetched_at}"] if group.fetched_at else []
        return ", ".join([*said, *([f"for {', '.join(of)}"] if of else [])])

    @property
    def offered(self) -> list[str]:
        """Write which ways of delivery there are beside those that are chosen."""
        others = [
            one.describe(self.currency)
            for group in self.groups
            for one in group.options
            if one != group.chosen
        ]
        return list(dict.fromkeys(others))[:_MOST_OFFERED]

    def unused(self, codes: Iterable[str]) -> list[str]:
        """Return which codes of discounts gave none."""
        used = {one.code.casefold() for one in self.applied}
        return [one for one in codes if one.casefold() not in used]

    @property
    def bought(self) -> str:
        """Name what is bought, and how much of it: an order must be of these."""
        return bought_of((one.item_id, one.quantity) for one in self.lines)

    @property
    def adds_up(self) -> bool:
        """Tell whether the sums come to the total, as they must.

        Discounts of items may be in the goods already.
        """
        parts = [one for one in self.totals if one.kind != "total"]
        items = sum(one.amount for one in parts if one.kind == "items_discount")
        whole = sum(one.amount for one in parts)
        return not parts or self.total.amount in (whole, whole - items)

    @property
    def terms(self) -> str:
        """Name all that a person approves of it: lines, sums, and what must be shown to them.

        How and where to it is delivered counts too; when it arrives may move from look to look.
        """
        ways = [one.chosen and [one.chosen.title, one.chosen.cost] for one in self.groups]
        return digest(
            [
                self.currency,
                [[one.item_id, one.title, one.quantity, one.total] for one in self.lines],
                [[one.kind, one.label, one.amount] for one in self.totals],
                sorted([one.code, one.line] for one in self.messages if one.must_show),
                *([[ways, places_in(self.methods)]] if self.methods else []),
            ]
        )[:32]

    def facts(self) -> dict[str, Any]:
        """Write down what it shows: no address, no instrument, nothing of its user."""
        told: dict[str, Any] = {
            "checkout_id": self.checkout_id,
            "status": self.status,
            "total": self.total.amount,
            "currency": self.currency,
            "terms": self.terms,
            "bought": self.bought,
            "sums": [
                f"{one.label or one.kind} {Money(amount=one.amount, currency=self.currency)}"
                for one in self.totals
                if one.kind != "total"
            ],
            "messages": [
                {"code": one.code, "text": one.line, "advice": one.advice} for one in self.messages
            ],
        }
        more = {"delivery": self.delivery, "offered": self.offered}
        told |= {name: said for name, said in more.items() if said}
        told |= {"is_stuck": True} if self.is_stuck else {}
        expires = self.expires_at if self.status in OPEN else None
        others = {
            "expires_at": expires.isoformat() if expires else None,
            "continue_url": self.continue_url,
            "order_id": self.order_id,
            "order_url": self.order_url,
        }
        return {**told, **{name: value for name, value in others.items() if value}}


def handlers_in(envelope: Any) -> list[Mapping[str, Any]]:
    """Take the payment handlers that an envelope names: by their kind, or as a list."""
    named = envelope.get("payment_handlers") if isinstance(envelope, Mapping) else None
    listed = list(named.values())[:MOST_ROWS] if isinstance(named, Mapping) else [named]
    return [one for given in listed for one in rows(given) if isinstance(one.get("id"), str)]


def _older(payment: Any) -> Any:
    """Return the payment handlers where a checkout had them before: beside its instruments."""
    return payment.get("handlers") if isinstance(payment, Mapping) else None


def bought_of(lines: Iterable[tuple[str, int]]) -> str:
    """Name what is bought: items with how many of each, however they stand in lines."""
    counts: Counter[str] = Counter()
    for item_id, quantity in lines:
        counts[item_id] += quantity
    return digest([[item_id, counts[item_id]] for item_id in sorted(counts)])[:32]


# -- what the answer to an effect proves -----------------------------------------------------------

_DONE = (200, 201)


BROKEN: Final = "breaks_protocol"
"""The code of a checkout that was opened, or changed, and that cannot be used."""


def judge_opening(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Create and to Update: there is a checkout, or a no.

    One that breaks the protocol is left at once: the same request would be answered so again.
    """
    if is_no(body):
        return _no(body, status)
    try:
        if status in _DONE and {"line_items", "totals"} & body.keys():
            # One without an id too.
            taken(Checkout, body, "a checkout")
        return _judged(body, status, lambda checkout: Confirmed(checkout.facts()))
    except Unusable as why:
        return Declined(BROKEN, f"The merchant breaks the protocol: {why}.")


def canceled(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Cancel: only the status says that it is given back."""

    def judge(checkout: Checkout) -> Outcome:
        if checkout.status == "canceled":
            return Confirmed(checkout.facts())
        return declined(checkout) or Unknown(f"its status is {checkout.status}")

    return _judged(body, status, judge)


def completed(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Complete.

    Only the status `completed` with an order confirms. Accepted and not done yet
    (`complete_in_progress`) is looked up until it is, and not sent again. Everything else that is
    the merchant's own word is a no, which is believed when Get Checkout says the same.
    """

    def judge(checkout: Checkout) -> Outcome:
        if checkout.status == "completed" and checkout.order_id and not is_no(body):
            return Confirmed(checkout.facts())
        if checkout.status in (*OPEN, "canceled") and (no := declined(checkout)) is not None:
            return no
        if checkout.status == IN_HAND:
            return Unknown("the merchant has accepted it and is processing it", in_hand=True)
        return Unknown(f"its status is {checkout.status}, and it does not say that it was done")

    return _judged(body, status, judge)


JUDGES: Final[Mapping[str, Callable[[Mapping[str, Any], int], Outcome]]] = {
    "create_checkout": judge_opening,
    "update_checkout": judge_opening,
    "cancel_checkout": canceled,
    "complete_checkout": completed,
}
"""What judges the answer to an operation."""


def _judged(body: Mapping[str, Any], status: int, judge: Callable[[Checkout], Outcome]) -> Outcome:
    if status not in _DONE or "id" not in body:
        return _no(body, status)
    return judge(taken(Checkout, body, "a checkout"))


def declined(checkout: Checkout) -> Declined | None:
    """Return the no that a checkout shows; None if it shows none."""
    if checkout.status == "canceled":
        return Declined("canceled", "The merchant has canceled this checkout.", checkout.facts())
    for one in checkout.errors:
        return Declined(one.code or "refused", str(one), checkout.facts())
    if checkout.status == "requires_escalation":
        message = "The merchant asks the customer to continue on its own page."
        return Declined("requires_escalation", message, checkout.facts())
    return None


def is_no(body: Mapping[str, Any]) -> bool:
    """Tell whether an answer says of itself that it gives nothing, whatever else it holds."""
    envelope = body.get("ucp")
    return isinstance(envelope, Mapping) and envelope.get("status") == "error"


def _no(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge an answer without a checkout: an error of the merchant's own, or of the protocol."""
    said = refusal(body, status)
    if said and status in _DONE:
        return Declined(said[0].code or "refused", str(said[0]))
    if said and status == 429:
        return NotSent(str(said[0]))
    if said and 400 <= status < 500 and status not in (408, 409, 425):
        # Who asks, or how it is written: it says nothing of a request that came before.
        return Declined(said[0].code or str(status), said[0].line, at_the_door=True)
    return Unknown(f"status {status} does not tell what was done{f': {said[0]}' if said else ''}")
