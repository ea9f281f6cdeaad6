"""Buy from a service whose answers a proxy loses."""

from datetime import timedelta

from daybook.state.effects.guarantees import Guarantees
from daybook.tools.services.contract import Contract
from tests.strangers.domains.by_reference import buying, reaching

SERVICE = Contract(
    name="proxied",
    guarantees=Guarantees(settle=timedelta(seconds=1.5)),
    declined={"card_declined", "sold_out", "no_such_charge", "refunded"},
    not_done={"rate_limited"},
)
reach = reaching(SERVICE)
DOMAIN = buying(SERVICE)
