"""The bodies of requests: made from the decided arguments, the same bytes each time."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.tools.merchants.ucp import delivery
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
        address: where it is delivered to; None if nothing is.
        codes: of discounts.
        delivery: titles or ids of the ways of delivery that are wanted; else the cheapest.
    """

    lines: Sequence[Mapping[str, Any]]
    buyer: Mapping[str, Any] | None
    address: Mapping[str, Any] | None
    codes: Sequence[str] = ()
    delivery: Sequence[str] = ()

    def created(self) -> bytes:
        """Write the body that opens a checkout."""
        return self._body({}, delivery.shipped_to(self.address), has_codes=bool(self.codes))

    def updated(self, now: Checkout) -> bytes | None:
        """Write the body that brings a checkout to this; None if it is that already.

        An update replaces the whole, so all of it is sent.
        """
        wanted = {str(line["item_id"]): int(line["quantity"]) for line in self.lines}
        are_lines = wanted == {line.item_id: line.quantity for line in now.lines}
        methods = delivery.chosen(now.methods, self.address, self.delivery)
        if not now.methods and any("fulfillment" in f"{one.path} {one.code}" for one in now.errors):
            methods = delivery.shipped_to(self.address) or None
        lacks_buyer = any(one.path.startswith("$.buyer") for one in now.errors)
        are_codes = {one.casefold() for one in self.codes} == {one.casefold() for one in now.codes}
        is_same = are_lines and are_codes and methods is None
        if is_same and not (lacks_buyer and self.buyer):
            return None
        ids = {line.item_id: line.line_id for line in now.lines}
        kept = delivery.as_they_are(now.methods) if methods is None else methods
        return self._body(ids, kept, has_codes=bool(self.codes or now.codes))

    def _body(
        self, ids: Mapping[str, str], methods: Sequence[Mapping[str, Any]], *, has_codes: bool
    ) -> bytes:
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
        if has_codes:
            body["discounts"] = {"codes": list(self.codes)}
        return as_json(body)


def completed(instrument: Mapping[str, Any]) -> dict[str, Any]:
    """Make the body that completes a checkout, with marks instead of what is secret.

    Args:
        instrument: `id`, `handler_id` and `type`; what is shown of it is not sent.
    """
    one = {name: instrument[name] for name in ("id", "handler_id", "type")}
    return {"payment": {"instruments": [{**one, "selected": True, "credential": CREDENTIAL}]}}


def with_credential(body: str, credential: Mapping[str, Any]) -> bytes:
    """Put the credential into a body that the ledger holds, and change no other byte of it."""
    mark = f'"{CREDENTIAL}"'.encode()
    return body.encode().replace(mark, as_json(credential), 1)
