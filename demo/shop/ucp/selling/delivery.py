"""How a session is delivered: one way, to one place, and free."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from daybook.demo.shop.ucp.said.envelope import Message, error
from daybook.demo.shop.ucp.selling import bodies

METHOD, GROUP, OPTION = "shipping", "parcel", "standard"
COUNTRY = "US"
SHIPPING = "shipping_address"
POSTAL = (
    "extended_address",
    "street_address",
    "address_locality",
    "address_region",
    "address_country",
    "postal_code",
    "first_name",
    "last_name",
    "phone_number",
)


@dataclass
class Delivery:
    """Where to, of which places, and how; None where nothing is chosen."""

    places: list[dict[str, Any]] = field(default_factory=list)
    place_id: str | None = None
    option_id: str | None = None

    @property
    def place(self) -> dict[str, Any] | None:
        """Return the place that is chosen."""
        return next((one for one in self.places if one["id"] == self.place_id), None)


def wanted(asked: bodies.Fulfillment | None, before: Delivery) -> Delivery:
    """Return the delivery that is asked for; places that were given before need not come again."""
    methods = asked.methods if asked is not None else []
    method = next((one for one in methods if one.type == METHOD), None)
    if method is None:
        return Delivery()
    given = method.destinations
    places = before.places if given is None else [place(one, at) for at, one in enumerate(given, 1)]
    option = next((one.selected_option_id for one in method.groups if one.selected_option_id), None)
    return Delivery(places, method.selected_destination_id, option)


def place(given: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a place as it is kept: the fields of a postal address, and nothing else."""
    named = given.get("id")
    kept = {name: given[name] for name in POSTAL if isinstance(given.get(name), str)}
    is_named = isinstance(named, str) and named
    return {"id": named if is_named else f"place_{number}", "type": SHIPPING, **kept}


def lacks(delivery: Delivery) -> list[Message]:
    """Return what is not settled yet, and what cannot be."""
    path = "$.fulfillment.methods[0]"
    if not delivery.places:
        return [error("missing", "Say where it is to be delivered to.", "$.fulfillment")]
    if delivery.place is None:
        return [error("missing", "Choose a destination.", f"{path}.selected_destination_id")]
    country = delivery.place.get("address_country", COUNTRY)
    if country.upper() not in (COUNTRY, "USA"):
        why = "The shop sends within the United States only."
        return [error("address_undeliverable", why, f"{path}.selected_destination_id")]
    if delivery.option_id != OPTION:
        why = "Choose how it is sent."
        return [error("missing", why, f"{path}.groups[0].selected_option_id")]
    return []


def shown(delivery: Delivery, line_ids: Sequence[str]) -> dict[str, Any]:
    """Return the delivery in the shape of the answers."""
    option = {
        "id": OPTION,
        "title": "Standard shipping",
        "description": {"plain": "Three to five working days, free."},
        "totals": [{"type": "total", "amount": 0}],
    }
    group = {
        "id": GROUP,
        "line_item_ids": list(line_ids),
        "options": [option],
        "selected_option_id": delivery.option_id,
    }
    method = {
        "id": METHOD,
        "type": METHOD,
        "line_item_ids": list(line_ids),
        "destinations": delivery.places,
        "selected_destination_id": delivery.place_id,
        "groups": [group],
    }
    return {"methods": [method]}
