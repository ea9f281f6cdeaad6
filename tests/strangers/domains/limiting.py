"""Buy from a service that says 429 of what it has done: nothing is said of 429."""

from datetime import timedelta

from daybook.state.effects.guarantees import Guarantees
from daybook.tools.services.contract import Contract
from tests.strangers.domains.by_reference import buying, reaching

SERVICE = Contract(
    name="limiting",
    guarantees=Guarantees(settle=timedelta(seconds=1.5)),
    declined={"card_declined", "sold_out", "no_such_charge", "refunded"},
)
reach = reaching(SERVICE)
DOMAIN = buying(SERVICE)
