"""How the merchant goes about a request, where it does not simply do what it is asked for."""

from dataclasses import dataclass

from daybook.demo.shop.faults import Mode
from daybook.demo.shop.ucp.selling.in_hand import ComesTo

IN_HAND: dict[Mode, ComesTo] = {
    "in_progress": "order",
    "in_progress_declined": "declined",
    "in_progress_canceled": "canceled",
}


@dataclass(frozen=True)
class Conduct:
    """Say how; `seconds` is how long an order that was accepted is in hand."""

    mode: Mode | None = None
    seconds: float = 0.0

    @property
    def wants_its_customer(self) -> bool:
        """Tell whether whoever buys must go on at the merchant's own page."""
        return self.mode == "escalate"

    @property
    def comes_to(self) -> ComesTo | None:
        """Return what an order comes to that is only accepted now; None where it is done now."""
        return IN_HAND.get(self.mode) if self.mode is not None else None


AS_USUAL = Conduct()
