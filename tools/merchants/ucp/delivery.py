"""Delivery options: what a merchant offers, what is chosen, and what an update sends back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from daybook.state.money import in_units
from daybook.state.plain import in_a_line
from daybook.tools.merchants.ucp.answers import (
    MOST_ROWS,
    Difference,
    Id,
    Line40,
    Line120,
    Moment,
    Part,
    Rows,
    Unusable,
    described,
    rows,
    taken,
)

_SHIPPING = "shipping"


class _Sum(Part):
    kind: Line40 = Field(alias="type")
    amount: Difference


class Option(Part):
    """A way of delivery that is offered for what is sent together.

    Attributes:
        totals: as they came; what it costs is the total of them.
        earliest, latest: when it arrives, as far as that is said.
    """

    option_id: Id = Field(alias="id")
    title: Line120 = ""
    totals: Annotated[tuple[dict[str, Any], ...], Rows] = ()
    earliest: Moment = Field(default=None, alias="earliest_fulfillment_time")
    latest: Moment = Field(default=None, alias="latest_fulfillment_time")
    description: Any = None

    @property
    def cost(self) -> int | None:
        """Return what it costs, in cents; None if that is not said."""
        sums = list[_Sum]()
        for one in self.totals:
            with suppress(Unusable):
                sums.append(taken(_Sum, one, "a sum"))
        return next((one.amount for one in sums if one.kind == "total"), None)

    def describe(self, currency: str) -> str:
        """Write it for a person: title, price, and when it arrives or what else is said of it."""
        price = "" if self.cost is None else f": {in_units(self.cost, currency)} {currency}"
        days = [f"{at:%d %b %Y}" for at in (self.earliest, self.latest) if at is not None]
        arrives = f"arrives {' to '.join(dict.fromkeys(days))}" if days else ""
        more = arrives or described(self.description)
        return f"{self.title or self.option_id}{price}{f' ({more})' if more else ''}"

    def is_called(self, name: str) -> bool:
        """Tell whether someone means it, by its title; by its id where it has none."""
        return name.casefold() == (self.title or self.option_id).casefold()


@dataclass(frozen=True)
class Group:
    """What is sent together, or fetched, with the options for it.

    Attributes:
        line_ids: of the lines that are in it.
        chosen: one of the options; None for none.
        fetched_at: the name of the place where it is fetched; "" if it is sent.
    """

    line_ids: Sequence[str]
    options: Sequence[Option]
    chosen: Option | None
    fetched_at: str = ""


def groups_in(methods: Sequence[Mapping[str, Any]]) -> list[Group]:
    """Return what is sent together, of all ways of delivery."""
    found = [
        _group(group, _own_place(method))
        for method in methods
        for group in rows(method.get("groups"))
    ]
    return found[:MOST_ROWS]


def _own_place(method: Mapping[str, Any]) -> str:
    """Return the name of the merchant's own place to which something goes; "" for an address."""
    chosen = method.get("selected_destination_id")
    places = rows(method.get("destinations")) if method.get("type") != _SHIPPING else []
    return next((in_a_line(one.get("name"), 120) for one in places if one.get("id") == chosen), "")


def _group(group: Mapping[str, Any], fetched_at: str = "") -> Group:
    options = list[Option]()
    for one in rows(group.get("options")):
        with suppress(Unusable):
            options.append(taken(Option, one, "an option"))
    chosen = [one for one in options if one.option_id == group.get("selected_option_id")]
    ids = group.get("line_item_ids")
    listed = [one for one in ids if isinstance(one, str)] if isinstance(ids, list) else []
    return Group(listed, options, chosen[0] if chosen else None, fetched_at)


def places_in(methods: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the ids of the destinations that are chosen."""
    return [one.get("selected_destination_id") for one in methods]


def is_elsewhere(methods: Sequence[Mapping[str, Any]], address: Mapping[str, Any]) -> bool:
    """Tell whether something is to be sent to another place than an address."""
    return any(
        not _may_be(one, address)
        for method in methods
        if method.get("type") == _SHIPPING
        for one in rows(method.get("destinations"))
        if one.get("id") == method.get("selected_destination_id")
    )


def _may_be(shown: Mapping[str, Any], address: Mapping[str, Any]) -> bool:
    """Tell whether a destination may be an address, which merchants write in their own way."""
    (one, other), (here, there) = (
        [str(given.get(name) or "").replace(" ", "").casefold() for given in (shown, address)]
        for name in ("postal_code", "street_address")
    )
    if one and other and not (one.startswith(other) or other.startswith(one)):
        return False
    return not (here and there) or re.findall(r"\d+", here) == re.findall(r"\d+", there)


# -- what is sent ---------------------------------------------------------------------------------


def shipped_to(address: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Write that all is sent to an address; nothing if there is none."""
    if address is None:
        return []
    return [{"type": _SHIPPING, "destinations": [_destination(address)]}]


def _destination(address: Mapping[str, Any]) -> dict[str, Any]:
    return {**address, "type": "shipping_address"}


def as_they_are(methods: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Write ways of delivery as they are chosen: what the merchant adds is not sent back."""
    written = []
    for given in methods:
        kept = ["id", "type", "line_item_ids", "selected_destination_id"]
        # Places of the merchant's own are chosen by their id, and never written.
        kept += ["destinations"] if given.get("type") == _SHIPPING else []
        method = {name: given[name] for name in kept if given.get(name)}
        groups = [
            {name: group[name] for name in ("id", "selected_option_id") if group.get(name)}
            for group in rows(given.get("groups"))
        ]
        written.append({**method, **({"groups": groups} if groups else {})})
    return written


def chosen(
    methods: Sequence[Mapping[str, Any]], address: Mapping[str, Any] | None, wanted: Sequence[str]
) -> list[dict[str, Any]] | None:
    """Choose where to and how, in ways of delivery; None if that is chosen already.

    Of options the one that is called as wanted is taken; else the one that is chosen, else the
    cheapest: a person sees it before they approve.
    """
    written = as_they_are(methods)
    before = as_they_are(methods)
    for given, method in zip(methods, written, strict=True):
        method.update(_place(given, address))
        groups = [_group(one) for one in rows(given.get("groups"))]
        for group, sent in zip(groups, method.get("groups", ()), strict=True):
            meant = [one for name in wanted for one in group.options if one.is_called(name)]
            option = meant[0] if meant else group.chosen or _cheapest(group.options)
            if option is not None:
                sent["selected_option_id"] = option.option_id
    return None if written == before else written


def _place(given: Mapping[str, Any], address: Mapping[str, Any] | None) -> dict[str, Any]:
    """Choose where something goes: to the address, by whatever id the merchant gave it."""
    listed = [one for one in rows(given.get("destinations")) if isinstance(one.get("id"), str)]
    before = given.get("selected_destination_id")
    if given.get("type") != _SHIPPING:
        return {"selected_destination_id": listed[0]["id"]} if listed and not before else {}
    if address is None or (before and not listed):
        return {}
    if not listed:
        return {"destinations": [_destination(address)]}
    found = next(_same(listed, address), None)
    if found is not None:
        return {"selected_destination_id": found["id"]}
    # Places that it knows of its user are not where this goes.
    sent = {"destinations": [*listed, _destination(address)]}
    return {**sent, "selected_destination_id": address["id"]} if address.get("id") else sent


def _same(
    listed: Sequence[Mapping[str, Any]], address: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """Yield the destinations that are an address, the surest first."""
    may_be = [one for one in listed if _may_be(one, address)]
    for name in ("street_address", "id"):
        yield from (one for one in may_be if one.get(name) and one[name] == address.get(name))
    yield from may_be


def _cheapest(options: Sequence[Option]) -> Option | None:
    """Return the cheapest of some options; where no cost is said, the first one."""
    costs = [one for one in options if one.cost is not None]
    return min(costs, key=lambda one: one.cost or 0) if costs else next(iter(options), None)
