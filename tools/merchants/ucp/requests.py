"""The bodies of requests: made of what was decided, the same bytes each time they are made."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from daybook.tools.merchants.ucp.answers import Checkout
from daybook.tools.merchants.ucp.operations import as_json


def key_of(operation: str) -> str:
    """Derive the idempotency key of an operation: a UUID, and never the operation's words.

    Version 8 of RFC 9562, made of SHA-256: operations are named after threads, which are random.
    """
    raw = bytearray(hashlib.sha256(f"ucp {operation}".encode()).digest()[:16])
    raw[6] = raw[6] & 0x0F | 0x80
    raw[8] = raw[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(raw)))


def request_lines(lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Write what is to be bought: ids and quantities, for prices are the merchant's."""
    return [{"item": {"id": line["item_id"]}, "quantity": int(line["quantity"])} for line in lines]


def created(
    lines: Sequence[Mapping[str, Any]],
    currency: str,
    buyer: Mapping[str, Any] | None,
    address: Mapping[str, Any] | None,
    version: str,
) -> bytes:
    """Write the body that opens a checkout.

    Args:
        address: where it is delivered to; None where nothing is.
        version: of the protocol; the first ones want more.
    """
    body: dict[str, Any] = {"line_items": request_lines(lines)}
    if version < "2026-04-08":
        body = {**body, "currency": currency, "payment": {}}
    if buyer:
        body["buyer"] = dict(buyer)
    if address is not None:
        body["fulfillment"] = {
            "methods": [{"type": "shipping", "destinations": [destination(address, version)]}]
        }
    return as_json(body)


def destination(address: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Write where something is delivered to."""
    typed = {"type": "shipping_address"} if version >= "2026-08-25" else {}
    return {**address, **typed}


def updated(
    now: Checkout,
    lines: Sequence[Mapping[str, Any]],
    currency: str,
    buyer: Mapping[str, Any] | None,
    address: Mapping[str, Any] | None,
    version: str,
) -> bytes | None:
    """Write the body that brings a checkout to what is wanted; None where it is that already.

    An update replaces the whole, so all of it is sent. Of ways of delivery the cheapest is taken
    where none is chosen: it is part of what its person approves.
    """
    there = {line.item_id: line for line in now.lines}
    wanted = {str(line["item_id"]): int(line["quantity"]) for line in lines}
    are_lines = wanted == {line.item_id: line.quantity for line in now.lines}
    methods = _methods(now, address, version)
    missing = any(one.path.startswith("$.buyer") for one in now.errors)
    if are_lines and methods is None and not (missing and buyer):
        return None
    body: dict[str, Any] = {"line_items": []}
    for line, plain in zip(lines, request_lines(lines), strict=True):
        known = there.get(str(line["item_id"]))
        body["line_items"].append({"id": known.line_id, **plain} if known else plain)
    if version < "2026-04-08":
        body = {"id": now.checkout_id, **body, "currency": currency, "payment": {}}
    if buyer:
        body["buyer"] = dict(buyer)
    kept = methods if methods is not None else _as_they_are(now)
    if kept:
        body["fulfillment"] = {"methods": kept}
    return as_json(body)


def _methods(
    now: Checkout, address: Mapping[str, Any] | None, version: str
) -> list[dict[str, Any]] | None:
    """Return ways of delivery with all chosen that is not; None where nothing is left to choose."""
    is_changed, methods = False, []
    for given, method in zip(now.methods, _as_they_are(now), strict=True):
        listed = [
            one.get("id") for one in given.get("destinations") or () if isinstance(one, Mapping)
        ]
        if not method.get("selected_destination_id"):
            if listed:
                method["selected_destination_id"] = listed[0]
                is_changed = True
            elif address is not None and given.get("type") == "shipping":
                method["destinations"] = [destination(address, version)]
                is_changed = True
        for group in method.get("groups", ()):
            options = next(one.options for one in now.deliveries if one.group_id == group.get("id"))
            if not group.get("selected_option_id") and options:
                group["selected_option_id"] = _cheapest(options)
                is_changed = True
        methods.append(method)
    if not now.methods and address is not None and _lacks_delivery(now):
        return [{"type": "shipping", "destinations": [destination(address, version)]}]
    return methods if is_changed else None


def _cheapest(options: Sequence[tuple[str, int | None]]) -> str:
    known = [(cost, at) for at, (_, cost) in enumerate(options) if cost is not None]
    return options[min(known)[1] if known else 0][0]


def _lacks_delivery(now: Checkout) -> bool:
    return any("fulfillment" in f"{one.path} {one.code}" for one in now.errors)


def _as_they_are(now: Checkout) -> list[dict[str, Any]]:
    """Write ways of delivery as they are chosen: what the merchant adds is not sent back."""
    written = []
    for given in now.methods:
        method = {
            name: given[name]
            for name in ("id", "type", "line_item_ids", "destinations", "selected_destination_id")
            if given.get(name)
        }
        groups = [
            {name: group[name] for name in ("id", "selected_option_id") if group.get(name)}
            for group in given.get("groups") or ()
            if isinstance(group, Mapping)
        ]
        written.append({**method, **({"groups": groups} if groups else {})})
    return written


CREDENTIAL = "$credential"
"""Stands in the body that the ledger holds, where the credential is put in as it is sent."""


def completed(instrument: Mapping[str, Any]) -> dict[str, Any]:
    """Make the body that completes a checkout, with marks in the place of what is secret.

    Args:
        instrument: `id`, `handler_id` and `type`; what is shown of it is not sent.
    """
    one = {name: instrument[name] for name in ("id", "handler_id", "type")}
    return {"payment": {"instruments": [{**one, "selected": True, "credential": CREDENTIAL}]}}


def with_credential(body: str, credential: Mapping[str, Any]) -> bytes:
    """Put the credential into a body that the ledger holds, and change no other byte of it."""
    return body.encode().replace(_mark(CREDENTIAL), as_json(credential), 1)


def _mark(text: str) -> bytes:
    return as_json({"": text})[4:-1]
