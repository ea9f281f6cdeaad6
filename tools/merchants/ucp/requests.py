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
        version: of the protocol; the first ones want more.
    """

    lines: Sequence[Mapping[str, Any]]
    currency: str
    buyer: Mapping[str, Any] | None
    address: Mapping[str, Any] | None
    version: str

    def created(self) -> bytes:
        """Write the body that opens a checkout."""
        method = {"type": "shipping", "destinations": [self._destination()]}
        return self._body({}, {}, [method] if self.address is not None else [])

    def updated(self, now: Checkout) -> bytes | None:
        """Write the body that brings a checkout to this; None where it is that already.

        An update replaces the whole, so all of it is sent. Of ways of delivery the cheapest is
        taken where none is chosen: it is part of what its person approves.
        """
        there = {line.item_id: line for line in now.lines}
        wanted = {str(line["item_id"]): int(line["quantity"]) for line in self.lines}
        are_lines = wanted == {line.item_id: line.quantity for line in now.lines}
        methods = self._chosen(now)
        missing = any(one.path.startswith("$.buyer") for one in now.errors)
        if are_lines and methods is None and not (missing and self.buyer):
            return None
        older = {"id": now.checkout_id} if self._is_old else {}
        ids = {item_id: {"id": line.line_id} for item_id, line in there.items()}
        return self._body(older, ids, methods if methods is not None else _as_they_are(now))

    @property
    def _is_old(self) -> bool:
        return self.version < "2026-04-08"

    def _body(
        self,
        older: Mapping[str, str],
        ids: Mapping[str, Mapping[str, str]],
        methods: Sequence[Mapping[str, Any]],
    ) -> bytes:
        lines = [
            {
                **ids.get(str(line["item_id"]), {}),
                "item": {"id": line["item_id"]},
                "quantity": int(line["quantity"]),
            }
            for line in self.lines
        ]
        body: dict[str, Any] = {**older, "line_items": lines}
        if self._is_old:
            body |= {"currency": self.currency, "payment": {}}
        if self.buyer:
            body["buyer"] = dict(self.buyer)
        if methods:
            body["fulfillment"] = {"methods": methods}
        return as_json(body)

    def _destination(self) -> dict[str, Any]:
        """Write where it is delivered to."""
        typed = {"type": "shipping_address"} if self.version >= "2026-08-25" else {}
        return {**(self.address or {}), **typed}

    def _chosen(self, now: Checkout) -> list[dict[str, Any]] | None:
        """Return ways of delivery with all chosen that is not; None where nothing is to choose."""
        is_changed, methods = False, []
        options = {
            group.group_id: {one.id: one.cost for one in group.options}
            for way in now.ways
            for group in way.groups
        }
        for given, method in zip(now.methods, _as_they_are(now), strict=True):
            listed = [one.get("id") for one in rows(given.get("destinations"))]
            if not method.get("selected_destination_id"):
                if listed:
                    method["selected_destination_id"] = listed[0]
                    is_changed = True
                elif self.address is not None and given.get("type") == "shipping":
                    method["destinations"] = [self._destination()]
                    is_changed = True
            for group in method.get("groups", ()):
                costs = options[group.get("id")]
                if not group.get("selected_option_id") and costs:
                    # Where no cost is said, the first one.
                    known = {one: cost for one, cost in costs.items() if cost is not None}
                    group["selected_option_id"] = min(
                        known or costs, key=lambda one: known.get(one, 0)
                    )
                    is_changed = True
            methods.append(method)
        if not now.methods and self.address is not None and _lacks_delivery(now):
            return [{"type": "shipping", "destinations": [self._destination()]}]
        return methods if is_changed else None


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
            for group in rows(given.get("groups"))
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
    mark = as_json({"": CREDENTIAL})[4:-1]
    return body.encode().replace(mark, as_json(credential), 1)
