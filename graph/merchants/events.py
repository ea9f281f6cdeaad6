"""What merchants tell by themselves: heard at the server, kept once, taken up as evidence.

An event is verified and kept before it is answered, so it is answered quickly; what follows from it
is done after that, here or by a worker. It settles a step whose answer was lost, and tells its
person of shipments and refunds. What nobody intended is put to an operator (`daybook doctor`).
"""

from __future__ import annotations

import logging
from typing import Final

from daybook.checkpoints.ledger.outside import OutsideEvent
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.merchants.taken import Taken, take_up
from daybook.graph.routes import Answered, Arrived, as_json
from daybook.nodes.running.work import Resources
from daybook.state.effects.exact import Inexact, read_exactly
from daybook.state.errors import DaybookError
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp import signatures
from daybook.tools.merchants.ucp.answers import Unusable
from daybook.tools.merchants.ucp.events import ID_HEADER, order_event
from daybook.tools.merchants.ucp.keys import published_keys
from daybook.tools.merchants.ucp.profile import agent_profile
from daybook.tools.merchants.ucp.signatures import Message, Unsigned

_LOG = logging.getLogger(__name__)

_CACHED: Final = "public, max-age=3600"


async def hear_profile(resources: Resources, arrived: Arrived) -> Answered:
    """Answer with our own profile: who we are, by which keys we sign, where events go."""
    if arrived.method not in ("GET", "HEAD"):
        return as_json(405, {"detail": "A profile is read."})
    settings = merchants_from()
    told = agent_profile(published_keys(settings.key), settings.events_url)
    return as_json(200, told, cache_control=_CACHED)


async def hear_event(resources: Resources, arrived: Arrived) -> Answered:
    """Take in what a merchant tells of an order; what is not signed by a merchant is refused."""
    if arrived.method != "POST":
        return as_json(405, {"detail": "An event is posted."})
    services: MerchantServices = resources.services
    try:
        merchant = await _signer(services, arrived)
    except Unsigned as why:
        return as_json(401, {"detail": f"It is not signed by a merchant of ours: {why}."})
    try:
        told = order_event(read_exactly(arrived.body), arrived.headers.get(ID_HEADER, ""))
    except (Inexact, Unusable) as why:
        return as_json(422, {"detail": f"It is no order event: {why}."})
    event = OutsideEvent(
        source=merchant.name,
        event_id=told.event_id,
        about=told.checkout_id,
        reference=told.order_id,
        newness=told.newness,
        facts=told.facts,
    )
    is_new = await resources.postgres.outside.keep(event)

    async def later() -> None:
        if await take_up(resources, event) is Taken.OF_NOBODY:
            _LOG.error(
                "%s shows the order %s, which nobody intended here: see `daybook doctor`",
                event.source,
                event.reference,
            )

    return Answered(202, later=later if is_new else None)


async def _signer(services: MerchantServices, arrived: Arrived) -> Merchant:
    """Return the merchant who signed what arrived.

    Raises:
        Unsigned: none of ours did.
    """
    key_id = signatures.key_named(arrived.headers)
    if not key_id:
        raise Unsigned("there is no signature")
    # It was sent to the URL of our profile, whatever stands between that and this server.
    message = Message("POST", merchants_from().events_url, dict(arrived.headers))
    for merchant in services.merchants:
        try:
            keys = (await merchant.profile()).keys
            if key_id not in keys:
                keys = await merchant.rotated_keys()
        except DaybookError:
            continue
        if key_id in keys:
            signatures.verify(message, arrived.body, keys)
            return merchant
    raise Unsigned("nobody has its key")
