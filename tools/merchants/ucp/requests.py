"""The bodies of requests: made of what was decided, the same bytes each time they are made."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.tools.merchants.ucp.answers import rows
from daybook.tools.merchants.ucp.checkout import Checkout
from daybook.tools.merchants.ucp.operations import as_json

CREDENTIAL = "$credential"
"""Stands in the body that the ledger holds, where the credential is put in as it is sent."""


def key_of(operation: str) -> str:
    """Derive the idempotency key of an operation: a UUID, and never the operation's words.

    Version 8 of RFC 9562, made of SHA-256: operations are named after threads, which are random.
    """
    raw = bytearray(hashlib.sha256(f"ucp {operation}".encode()).digest()[:16])
    raw[6] = raw[6] & 0x0F | 0x80
    raw[8] = raw[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(raw)))


@dataclass(frozen=True)
class Wanted:
    """What a checkout is to be.

    Attributes:
        lines: `item_id` and `quantity` of each, for prices are the merchant's.
        address: where it is delivered to; None where nothing is.
    """

    lines: Sequence[Mapping[str, Any]]
    buyer: Mapping[str, Any] | None
    address: Mapping[str, Any] | None

    def created(self) -> bytes:
        """Write the body that opens a checkout."""
        return self._body({}, self._shipping())

    def updated(self, now: Checkout) -> bytes | None:
        """Write the body that brings a checkout to this; None where it is that already.

        An update replaces the whole, so all of it is sent. Of ways of delivery the cheapest is
        taken where none is chosen: it is part of what its person approves.
        """
        wanted = {str(line["item_id"]): int(line["quantity"]) for line in self.lines}
        are_lines = wanted == {line.item_id: line.quantity for line in now.lines}
        methods = _as_they_are(now)
        is_chosen = self._choose(now, methods)
        if not now.methods and any("fulfillment" in f"{one.path} {one.code}" for one in now.errors):
            methods = self._shipping()
            is_chosen = bool(methods)
        lacks_buyer = any(one.path.startswith("$.buyer") for one in now.errors)
        if are_lines and not is_chosen and not (lacks_buyer and self.buyer):
            return None
        return self._body({line.item_id: line.line_id for line in now.lines}, methods)

    def _body(self, ids: Mapping[str, str], methods: Sequence[Mapping[str, Any]]) -> bytes:
        lines = []
        for line in self.lines:
            known = {"id": ids[line["item_id"]]} if line["item_id"] in ids else {}
            item = {"id": line["item_id"]}
            lines.append({**known, "item": item, "quantity": int(line["quantity"])})
        body: dict[str, Any] = {"line_items": lines}
        if self.buyer:
            body["buyer"] = dict(self.buyer)
        if methods:
            body["fulfillment"] = {"methods": methods}
        return as_json(body)

    def _shipping(self) -> list[dict[str, Any]]:
        """Write that it is sent to the address, where there is one."""
        if self.address is None:
            return []
        destination = {**self.address, "type": "shipping_address"}
        return [{"type": "shipping", "destinations": [destination]}]

    def _choose(self, now: Checkout, methods: Sequence[dict[str, Any]]) -> bool:
        """Choose in ways of delivery what is not chosen; tell whether there was something."""
        is_chosen = False
        for given, method in zip(now.methods, methods, strict=True):
            listed = [one.get("id") for one in rows(given.get("destinations"))]
            if not method.get("selected_destination_id"):
                if listed:
                    method["selected_destination_id"] = listed[0]
                    is_chosen = True
                elif self.address is not None and given.get("type") == "shipping":
                    method |= self._shipping()[0]
                    is_chosen = True
            shown = rows(given.get("groups"))
            for offered, group in zip(shown, method.get("groups", ()), strict=True):
                option = _cheapest(rows(offered.get("options")))
                if not group.get("selected_option_id") and option is not None:
                    group["selected_option_id"] = option
                    is_chosen = True
        return is_chosen


def _cheapest(options: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the id of the cheapest of some options; where no cost is said, of the first one."""
    costs: dict[str, int] = {}
    ids = [one["id"] for one in options if isinstance(one.get("id"), str)]
    for one in options:
        for part in rows(one.get("totals")):
            amount = part.get("amount")
            if part.get("type") == "total" and isinstance(amount, int) and one.get("id") in ids:
                costs[one["id"]] = amount
    return min(costs, key=costs.__getitem__) if costs else next(iter(ids), None)


def _as_they_are(now: Checkout) -> list[dict[str, Any]]:
    """Write ways of delivery as they are chosen: what the merchant adds is not sent back."""
    written = []
    for given in now.methods:
        kept = ("id", "type", "line_item_ids", "destinations", "selected_destination_id")
        method = {name: given[name] for name in kept if given.get(name)}
        groups = [
            {name: group[name] for name in ("id", "selected_option_id") if group.get(name)}
            for group in rows(given.get("groups"))
        ]
        written.append({**method, **({"groups": groups} if groups else {})})
    return written


def completed(instrument: Mapping[str, Any]) -> dict[str, Any]:
    """Make the body that completes a checkout, with marks in the place of what is secret.

    Args:
        instrument: `id`, `handler_id` and `type`; what is shown of it is not sent.
    """
    one = {name: instrument[name] for name in ("id", "handler_id", "type")}
    return {"payment": {"instruments": [{**one, "selected": True, "credential": CREDENTIAL}]}}


def with_credential(body: str, credential: Mapping[str, Any]) -> bytes:
    """Put the credential into a body that the ledger holds, and change no other byte of it."""
    mark = f'"{CREDENTIAL}"'.encode()
    return body.encode().replace(mark, as_json(credential), 1)
