"""Read an order as its merchant shows it: what was bought, what was shipped, what was paid back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from daybook.tools.merchants.ucp.answers import (
    Line,
    Unusable,
    amount,
    bought_of,
    currency,
    line_of,
    link,
    moment,
    name,
    rows,
    text,
    totals_of,
)


def order_facts(body: Mapping[str, Any], known: str = "") -> dict[str, Any]:
    """Write down what an order shows: no address, nothing of its person.

    Args:
        known: its currency; the first versions of the protocol do not say it of an order.

    Raises:
        Unusable: it is none, or what money depends on is missing.
    """
    listed = body.get("line_items")
    lines = [line_of(one) for one in rows(listed)]
    total = next(one.amount for one in totals_of(body.get("totals")) if one.kind == "total")
    told: dict[str, Any] = {
        "order_id": name(body.get("id")),
        "currency": currency(body.get("currency") or known),
        "total": total,
        "lines": [
            {
                "item_id": one.item_id,
                "title": one.title,
                "quantity": one.quantity,
                "total": one.total,
            }
            for one in lines
        ],
        # As they were ordered: what was returned since makes it no other order.
        "bought": bought_of(map(_ordered, lines, rows(listed))),
        "events": list(_events(body.get("fulfillment"))),
        "adjustments": list(_adjustments(body.get("adjustments"))),
    }
    if checkout_id := body.get("checkout_id"):
        told["checkout_id"] = name(checkout_id)
    if url := link(body.get("permalink_url")):
        told["url"] = url
    return told


def _ordered(line: Line, given: Mapping[str, Any]) -> tuple[str, int]:
    counts = given.get("quantity")
    original = counts.get("original") if isinstance(counts, Mapping) else None
    return line.item_id, line.quantity if original is None else amount(original)


def _events(fulfillment: Any) -> Iterator[dict[str, Any]]:
    """Take what was shipped and delivered; what comes without a word of what it is is left out."""
    given = fulfillment.get("events") if isinstance(fulfillment, Mapping) else None
    for one in rows(given):
        if kind := text(one.get("type"), 40):
            at = moment(one.get("occurred_at"))
            yield {
                "type": kind,
                "at": at.isoformat() if at else "",
                "text": ", ".join(filter(None, _sent_by(one))),
            }


def _sent_by(event: Mapping[str, Any]) -> Iterator[str]:
    """Say how something is on its way: in the merchant's words, with whom, by which number."""
    yield text(event.get("description"), 120)
    yield text(event.get("carrier"), 40)
    yield text(event.get("tracking_number"), 60)


def _adjustments(given: Any) -> Iterator[dict[str, Any]]:
    for one in rows(given):
        at = moment(one.get("occurred_at"))
        said = {
            "id": text(one.get("id"), 100),
            "at": at.isoformat() if at else "",
            "type": text(one.get("type"), 40),
            "status": text(one.get("status"), 40),
            "text": text(one.get("description"), 120),
        }
        if (cents := _adjusted(one)) is not None:
            said["amount"] = cents  # type: ignore[assignment]
        yield said


def _adjusted(given: Mapping[str, Any]) -> int | None:
    """Return by how much an adjustment changes what was paid, in cents; None where not said."""
    totals = [one for one in rows(given.get("totals")) if one.get("type") == "total"]
    try:
        return amount((totals[0] if totals else given).get("amount"), may_be_less=True)
    except Unusable:
        return None
