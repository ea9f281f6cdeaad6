"""Events from merchants, and lookups of orders: stored once, and used as evidence.

An event is verified and kept before it is answered, so it is answered quickly; what follows from it
is done after that, here or by a worker. It settles a step whose answer was lost, and tells its
person of shipments and refunds. What nobody intended is put to an operator (`daybook doctor`).

Not every merchant sends events, and not every one of ours can be reached. So a worker looks up an
order that was placed again and again, less and less often; and a checkout with which its user was
sent to the merchant's own page. What is shown goes the way that an event goes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial
from typing import Any, Final

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from daybook.checkpoints.ledger.outside import OutsideEvent, Owner
from daybook.checkpoints.people.threads import standing
from daybook.graph.build import build
from daybook.graph.merchants.resources import EVENTS_PATH, PROFILE_PATH, merchants_from
from daybook.graph.serve import Answered, Arrived, Route, as_json
from daybook.nodes.effects.attempt import record
from daybook.nodes.effects.engine import reading
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Resources, Work
from daybook.state.effects.evidence import Look
from daybook.state.effects.exact import Inexact, read_exactly
from daybook.state.effects.keys import digest, step_id
from daybook.state.effects.reference import naming
from daybook.state.errors import (
    DaybookError,
    InputRefused,
    ServiceUnavailable,
    ThreadBusy,
    ToolRefused,
)
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.merchants.state import MerchantCart, MerchantOrder, cart_of
from daybook.state.people.lifecycle import Standing
from daybook.tools.merchants.checkout import order_of_checkout
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.effects import order_match
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp import signatures
from daybook.tools.merchants.ucp.answers import Unusable
from daybook.tools.merchants.ucp.checkout import IN_HAND
from daybook.tools.merchants.ucp.orders import told_facts
from daybook.tools.merchants.ucp.profile import VERSIONS, agent_profile, named_for
from daybook.tools.merchants.ucp.signatures import Message, Unsigned, published_keys

_LOG = logging.getLogger(__name__)

_CACHED: Final = "public, max-age=3600"


async def hear_profile(version: str, resources: Resources, arrived: Arrived) -> Answered:
    """Return our own profile: who we are, our signing keys, and where to send events."""
    if arrived.method not in ("GET", "HEAD"):
        return as_json(405, {"detail": "A profile can only be read with GET."})
    # Files are read: `langgraph dev` refuses that in its event loop.
    told = await asyncio.to_thread(_own_profile, version)
    return as_json(200, told, cache_control=_CACHED)


def _own_profile(version: str) -> dict[str, Any]:
    settings = merchants_from()
    others = {one: named_for(settings.profile_url, one) for one in VERSIONS if one != version}
    return agent_profile(published_keys(settings.key), settings.events_url, version, others)


async def hear_event(resources: Resources, arrived: Arrived) -> Answered:
    """Receive an order event of a merchant; an unsigned event is refused."""
    if arrived.method != "POST":
        return as_json(405, {"detail": "An event must be sent with POST."})
    services: MerchantServices = resources.services
    unsigned = [one for one in services.merchants if one.is_unsigned]
    if unsigned and not {"signature", "signature-input"} & arrived.headers.keys():
        return await _hear_unsigned(resources, arrived, unsigned)
    try:
        signers = await _signers(resources.services, arrived)
        facts = told_facts(read_exactly(arrived.body))
        # A header that no signature covers names nothing: who replays an event may write another.
        told = [event_of(one.name, facts, f"told {digest(facts)[:40]}") for one in signers]
        # A merchant may publish the key of another one: the event is of the checkout's merchant.
        event, *others = [one for one in told if await _owner(resources, one)] or told
        if others:
            raise Unsigned("several merchants publish its key")
    except Unsigned as why:
        return as_json(401, {"detail": f"It is not signed by a configured merchant: {why}."})
    except (Inexact, Unusable) as why:
        return as_json(422, {"detail": f"It is not a valid order event: {why}."})
    is_new = await resources.postgres.outside.keep(event)

    async def later() -> None:
        if await take_up(resources, event) is Taken.OF_NOBODY:
            _LOG.error(
                "%s shows the order %s, which this ledger did not intend: see `daybook doctor`",
                event.source,
                event.reference,
            )

    return Answered(202, later=later if is_new else None)


_BETWEEN: Final = timedelta(seconds=5)
"""Seconds between two lookups of one order: anyone can trigger them."""

_MOST_ASKED: Final = 1_000
"""Checkouts whose last lookup is remembered; the oldest are forgotten."""

_asked: dict[tuple[str, str], datetime] = {}
"""When the order of a checkout was last looked up, or will be."""


async def _hear_unsigned(
    resources: Resources, arrived: Arrived, merchants: Sequence[Merchant]
) -> Answered:
    """Ask the merchants that do not sign for an order of ours that someone names.

    Nothing that it says is believed: who sent it is not known.
    """
    try:
        facts = told_facts(read_exactly(arrived.body))
    except (Inexact, Unusable) as why:
        return as_json(422, {"detail": f"It is not a valid order event: {why}."})
    due = list[tuple[Merchant, timedelta]]()
    for merchant in merchants:
        key, now = (merchant.name, facts["checkout_id"]), resources.clock.now()
        if _pause_before(key, now) is None:
            continue
        if await _owner(resources, event_of(merchant.name, facts, "asked")) is None:
            continue
        # Others may have come while it was looked whose checkout it is.
        if (pause := _pause_before(key, now)) is None:
            continue
        while len(_asked) >= _MOST_ASKED:
            del _asked[next(iter(_asked))]
        _asked[key] = now + pause
        due.append((merchant, pause))

    async def later() -> None:
        for merchant, pause in due:
            await resources.clock.sleep(pause.total_seconds())
            event = await _shown_by(merchant, facts["order_id"], facts["checkout_id"])
            if event is not None and await resources.postgres.outside.keep(event):
                await take_up(resources, event)

    return Answered(202, later=later if due else None)


def _pause_before(key: tuple[str, str], now: datetime) -> timedelta | None:
    """Return how long to wait before a look; None if one is to come that will see it, too."""
    last = _asked.get(key)
    if last is None or last + _BETWEEN <= now:
        return timedelta()
    return last + _BETWEEN - now if last <= now else None


ROUTES: Final[Mapping[str, Route]] = {
    "/ucp/profile.json": partial(hear_profile, VERSIONS[0]),
    **{named_for(PROFILE_PATH, one): partial(hear_profile, one) for one in VERSIONS},
    EVENTS_PATH: hear_event,
}
"""The routes of a server that buys from merchants which need no user, by path."""


def event_of(merchant: str, facts: Mapping[str, Any], event_id: str) -> OutsideEvent:
    """Write down what a merchant told, or showed, of an order."""
    return OutsideEvent(
        source=merchant,
        event_id=event_id,
        about=facts["checkout_id"],
        reference=facts["order_id"],
        newness=facts["newness"],
        facts=facts,
    )


async def _signers(services: MerchantServices, arrived: Arrived) -> list[Merchant]:
    """Return the merchants by whose published keys what arrived is signed.

    Raises:
        Unsigned: it is signed by none.
    """
    key_id = signatures.key_named(arrived.headers)
    if not key_id:
        raise Unsigned("there is no signature")
    # It was sent to the URL of our profile, whatever stands between that and this server.
    message = Message("POST", merchants_from().events_url, dict(arrived.headers))
    found, fault = [], Unsigned("no merchant has its key")
    for merchant in services.merchants:
        try:
            keys = await merchant.keys_with(key_id)
            if key_id in keys:
                signatures.verify(message, arrived.body, keys)
                found.append(merchant)
        except Unsigned as why:
            # Another one may have a key of the same name.
            fault = why
        except DaybookError:
            continue
    if not found:
        raise fault
    return found


# -- what was told counts: as evidence of a step, and in the state of its thread -----------------

_UNSETTLED = (StepState.UNKNOWN, StepState.IN_DOUBT)
_MAY_BE_OURS = (*_UNSETTLED, StepState.DONE)


class Taken(Enum):
    """What became of an event: taken up, left for later, or of an order that nobody intended."""

    UP = auto()
    LATER = auto()
    OF_NOBODY = auto()


async def take_up(resources: Resources, event: OutsideEvent) -> Taken:
    """Let an event count, once the thread that it is about is at rest."""
    owner = await _owner(resources, event)
    if owner is None:
        return Taken.OF_NOBODY
    thread = _Thread(resources, owner.thread_id, owner.user_id)
    snapshot = await thread.graph.aget_state(thread.config)
    if not await _settled(thread.work, event, owner) and not _is_handed_over(
        snapshot.values, event
    ):
        return Taken.OF_NOBODY
    happened = {
        "id": f"{event.source} {event.event_id}",
        "type": "order",
        "merchant": event.source,
        "facts": dict(event.facts),
    }
    is_up = await thread.takes(snapshot, happened)
    await resources.postgres.outside.owned(event, owner, is_taken=is_up)
    return Taken.UP if is_up else Taken.LATER


async def take_up_checkout(
    resources: Resources, merchant: str, thread_id: str, user_id: str, facts: Mapping[str, Any]
) -> bool:
    """Tell a thread how the checkout that is open there stands at its merchant now."""
    thread = _Thread(resources, thread_id, user_id)
    # It may come to stand as it stood before: that is no repetition.
    looked = digest([resources.clock.now().isoformat(), dict(facts)])
    happened = {
        "id": f"{merchant} looked {looked[:40]}",
        "type": "checkout",
        "merchant": merchant,
        "facts": dict(facts),
    }
    return await thread.takes(await thread.graph.aget_state(thread.config), happened)


class _Thread:
    """A thread that is told something by a caller who is not signed in."""

    def __init__(self, resources: Resources, thread_id: str, user_id: str) -> None:
        self.config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": user_id}}
        session = session_of(self.config, resources.postgres.tenant_id)
        self.work = Work(MERCHANTS, resources, session)
        self.graph = build(MERCHANTS, lambda: resources, resources.postgres.saver)

    async def takes(self, snapshot: StateSnapshot, happened: Mapping[str, Any]) -> bool:
        """Tell it; False while it is not at rest or busy, and a worker tries again."""
        if not await _is_at_rest(snapshot, self.work):
            return False
        try:
            await self.graph.ainvoke({"events": [dict(happened)]}, self.config)
        except ThreadBusy:
            return False
        except InputRefused:
            # Of no checkout that is open there any more: what the ledger holds of it stands.
            return True
        return True


async def _is_at_rest(snapshot: StateSnapshot, work: Work) -> bool:
    """Tell whether a thread has come to its end: nothing is asked, and nothing is to be done.

    Where the last checkpoint of a turn was lost, LangGraph still names a node to come, and nobody
    comes for it: the ledger says that the turn is done.
    """
    if not snapshot.next:
        return True
    turn = snapshot.values.get("turn")
    known = await work.ledger.turn(work.session.thread_id, turn["turn_id"]) if turn else ()
    return not snapshot.interrupts and any(one.event is Event.TURN_DONE for one in known)


async def _owner(resources: Resources, event: OutsideEvent) -> Owner | None:
    """Find whose checkout it was: the name that its merchant gave it is bound to a step."""
    reference = naming(("merchant", "checkout_id"))(
        {"merchant": event.source, "checkout_id": event.about}
    )
    assert reference is not None
    names = _Thread(resources, "", "").work.engine.namespace("open_session")
    return await resources.postgres.outside.owner(names, reference)


async def _settled(work: Work, event: OutsideEvent, owner: Owner) -> bool:
    """Record the order where its step is not settled; tell whether there is such a step at all.

    Evidence is never fenced: it may be written whoever runs the thread.
    """
    known = await work.ledger.operation(order_of_checkout(owner.op))
    if known is None:
        return False
    plan, now = await work.plan(known.plan.plan_id)
    _, step = plan.find(step_id(known.op, known.gen))
    if step.state not in _MAY_BE_OURS or step.args.get("checkout_id") != event.about:
        return False
    if step.state in _UNSETTLED:
        # By the clock of the database: that of this process may be wrong.
        look = Look(Event.FOUND, now, [order_match(event.source, event.facts)])
        claimed = reading(plan, step.step_id, now, work.clock)
        await record(work.engine, claimed, None, None, look)
    return True


def _is_handed_over(values: dict[str, Any], event: OutsideEvent) -> bool:
    """Tell whether its user was shown the merchant's own page, where they could go on."""
    cart = cart_of(values.get("carts", ()), event.source)
    if cart is None or cart.checkout is None or cart.checkout.checkout_id != event.about:
        return False
    return cart.checkout.is_escalated or cart.checkout.continue_url is not None


_AT_ONCE = 50
"""The most events and conversations of one round."""

_FIRST, _LAST = timedelta(minutes=1), timedelta(hours=6)
"""Between two lookups of the same thing; it doubles each time."""

_WAITS = ("requires_escalation", IN_HAND)

_Key = tuple[str, str]
"""A merchant, and the id of an order or of a checkout there."""


@dataclass
class Polls:
    """When each thing that is watched is looked at next; it is forgotten when the process ends."""

    _next: dict[_Key, tuple[datetime, timedelta]] = field(default_factory=dict)

    async def __call__(self, resources: Resources) -> Sequence[str]:
        """Do one round; say what was taken up."""
        services: MerchantServices = resources.services
        said: list[str] = []
        graph = build(MERCHANTS, lambda: resources, resources.postgres.saver)
        for one in await standing(resources.postgres.pool, domain=MERCHANTS.name, most=_AT_ONCE):
            if one.status == "closed":
                continue
            snapshot = await graph.aget_state({"configurable": {"thread_id": one.thread_id}})
            for order in snapshot.values.get("orders", ()):
                if self._is_due((order.merchant, order.order_id), resources.clock.now()):
                    await _look_at_order(resources, order)
            for cart in snapshot.values.get("carts", ()):
                said += await self._look_at_checkout(resources, one, cart)
        for event in await resources.postgres.outside.left(services.names, _AT_ONCE):
            if await take_up(resources, event) is Taken.UP:
                said.append(f"{event.source} reported the order {event.reference}")
        return said

    async def _look_at_checkout(
        self, resources: Resources, thread: Standing, cart: MerchantCart
    ) -> list[str]:
        """Ask how a checkout stands that may go on without us, and tell the thread what moved."""
        known = cart.checkout
        if known is None or not (known.status in _WAITS or known.continue_url):
            return []
        key = (cart.merchant, known.checkout_id)
        if not self._is_due(key, resources.clock.now()):
            return []
        try:
            merchant = resources.services.merchant(cart.merchant)
            now = await merchant.checkout(known.checkout_id)
        except (ServiceUnavailable, ToolRefused):
            return []
        if now.status == "completed" and now.order_id:
            placed = {**now.facts(), "told": [], "newness": "", "url": now.order_url}
            await resources.postgres.outside.keep(_looked(cart.merchant, placed))
            return []
        if now.status == known.status:
            return []
        about = (thread.thread_id, thread.user_id, now.facts())
        if not await take_up_checkout(resources, cart.merchant, *about):
            # Someone is at work on the thread: it is looked at again with the next round.
            self._next.pop(key, None)
            return []
        return [f"{cart.merchant} has the checkout {known.checkout_id} as {now.status}"]

    def _is_due(self, key: _Key, now: datetime) -> bool:
        at, pause = self._next.get(key, (now, _FIRST))
        if at > now:
            return False
        self._next[key] = (now + pause, min(pause * 2, _LAST))
        return True


async def _look_at_order(resources: Resources, order: MerchantOrder) -> None:
    """Ask how an order stands, and keep what came of it like an event."""
    with suppress(ToolRefused):
        event = await _shown_by(resources.services.merchant(order.merchant), order.order_id)
        if event is not None:
            await resources.postgres.outside.keep(event)


async def _shown_by(
    merchant: Merchant, order_id: str, checkout_id: str | None = None
) -> OutsideEvent | None:
    """Ask for an order, and write what is shown like an event; None if it is not shown.

    Args:
        checkout_id: of which it must be; None for any.
    """
    try:
        found = await merchant.order(order_id)
    except (ServiceUnavailable, ToolRefused):
        return None
    about = found.get("checkout_id")
    if about is None or checkout_id not in (None, about):
        return None
    return _looked(merchant.name, found)


def _looked(merchant: str, shown: Mapping[str, Any]) -> OutsideEvent:
    return event_of(merchant, shown, f"looked {digest(dict(shown))[:40]}")
