"""What whoever buys at merchants pays with, and where it is sent."""

from __future__ import annotations

from typing import Any

CARD: dict[str, Any] = {
    "id": "visa",
    "handler_id": "shop_card",
    "type": "card",
    "label": "Visa ending in 4242",
    "credential": {"type": "token", "token": "card_ada_1"},
}
_HOME: dict[str, Any] = {
    "id": "home",
    "label": "Home",
    "address": {
        "street_address": "12 Birch Street",
        "address_locality": "Portland",
        "address_region": "OR",
        "postal_code": "97205",
        "address_country": "US",
    },
}


def wallet_of(*names: str, **card: Any) -> dict[str, Any]:
    """Make a wallet of these people, "*" for everybody; `card` replaces fields of the card."""
    return {
        name: {
            "buyer": {"email": f"{'ada' if name == '*' else name}@example.com"},
            "instruments": [{**CARD, **card}],
            "addresses": [_HOME],
        }
        for name in names
    }
