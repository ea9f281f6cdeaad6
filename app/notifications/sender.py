"""Send the notifications of the outbox: each at least once, by the worker that claims it.

What is claimed and not settled within the lease is claimed by the next sender, so a sender may die
at any moment. Receivers tell a second delivery by its id.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from psycopg import Error

from daybook.app.notifications import mail, slack, webhook
from daybook.app.notifications.channel import SECONDS, Clients, NotDelivered
from daybook.app.notifications.notice import Notice, notice_of
from daybook.app.notifications.routes import Route, Routes
from daybook.checkpoints.people.notifications import MOST_TRIES, Delivery, Noted
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import DaybookError
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.ledger.plan import Plan
from daybook.state.people.policy import Needs

_LOG = logging.getLogger(__name__)

_PAUSE_S = 1.0
_KEEP_ON_S = 3600.0
_MOST = 10
_LEASE = timedelta(seconds=60)

_ENDS = ("settled", "expired")


@asynccontextmanager
async def sending(
    postgres: Postgres, program: str, routes: Routes, say: Callable[[str], None]
) -> AsyncIterator[None]:
    """Send what there is to notify of, for the length of the block; nothing without a route."""
    if not routes.notify:
        yield
        return
    clients = Clients()
    task = asyncio.create_task(Sender(postgres, program, routes, clients, say).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await clients.close()


class Sender:
    """Send the notifications of one program.

    Args:
        say: told a line of each delivery that failed.
    """

    def __init__(
        self,
        postgres: Postgres,
        program: str,
        routes: Routes,
        clients: Clients,
        say: Callable[[str], None],
    ) -> None:
        self._postgres = postgres
        self._outbox = postgres.notifications
        self._program = program
        self._routes = routes
        self._clients = clients
        self._say = say
        self._held: dict[str, float] = {}

    async def run(self) -> None:
        """Send again and again; what fails of the database is tried again."""
        clock = self._postgres.clock
        kept_on = float("-inf")
        while True:
            try:
                if clock.monotonic() - kept_on >= _KEEP_ON_S:
                    await self._outbox.keep_on(self._program)
                    kept_on = clock.monotonic()
                while await self.run_once():
                    pass
            except (Error, DaybookError) as error:
                _LOG.warning("notifications wait for the database: %s", error)
            except Exception:
                _LOG.exception("the database is back: notifications are sent again")
            await clock.sleep(_PAUSE_S)

    async def run_once(self) -> int:
        """Choose routes for what is new, and send what is due; return how much was claimed."""
        for noted in await self._outbox.unrouted(self._program, _MOST):
            await self._route(noted)
            reached(FaultPoint.AFTER_COMMIT, "notification/routed")
        now = self._postgres.clock.monotonic()
        held = [name for name, until in self._held.items() if until > now]
        claimed = await self._outbox.claim(self._program, _MOST, _LEASE, held)
        if claimed:
            reached(FaultPoint.AFTER_COMMIT, "notification/claimed")
        await asyncio.gather(*(self._deliver(one) for one in claimed))
        return len(claimed)

    async def _route(self, noted: Noted) -> None:
        if noted.kind in _ENDS:
            hear = [route.name for route in self._routes.notify if route.hears_of_ends]
            return await self._outbox.route_end(noted, hear)
        plan = await self._plan(noted)
        tools, rules = {noted.tool}, set[str]()
        if plan is not None:
            tools |= {action.tool for action in plan.actions} | {one.tool for one in plan.steps}
            rules |= {*plan.needs.rules}
        needs = plan.needs if plan is not None else Needs()
        about = noted.kind, noted.role, tools, rules, needs.people
        fitting = [one for one in self._routes.notify if one.fits(*about)]
        is_seen = any(one.held_for for one in fitting) and await self._outbox.is_attended(
            noted, needs.people
        )
        chosen: list[tuple[str, str, float]] = []
        for route in self._routes.notify:
            if route in fitting:
                chosen.append((route.name, noted.kind, route.held_for if is_seen else 0.0))
                # What the rule says of its questions comes before what the route says of all.
                remind_after = needs.remind_after or route.remind_after
                if remind_after is not None:
                    chosen.append((route.name, "reminder", remind_after))
                if route.escalate_after is not None:
                    chosen.append((route.escalate_to, "escalation", route.escalate_after))
            elif needs.escalate_after is not None and route.is_for(needs.escalate_to):
                chosen.append((route.name, "escalation", needs.escalate_after))
        # Two routes may escalate to one, which is told once.
        first = {(name, kind): (name, kind, after) for name, kind, after in reversed(chosen)}
        await self._outbox.route(noted, [*first.values()])

    async def _plan(self, about: Noted | Delivery) -> Plan | None:
        """Read a plan; what cannot be read keeps nobody from being notified that it waits."""
        try:
            plan, _ = await self._postgres.ledger.plan(about.thread_id, about.plan_id)
        except Error:
            raise
        except Exception as error:
            why = type(error).__name__
            _LOG.warning("the notification of %s lacks its description: %s", about.plan_id, why)
            return None
        return plan

    async def _deliver(self, one: Delivery) -> None:
        route = self._routes.find(one.route)
        if one.kind not in _ENDS and not one.waits:
            return await self._outbox.sent(one, None, over=True)
        try:
            if route is None:
                raise NotDelivered("the route no longer exists")
            notice = notice_of(one, await self._plan(one), self._routes.notifications)
            async with self._postgres.clock.timeout(_LEASE.total_seconds() - SECONDS):
                reference = await self._sent(route, notice)
        except NotDelivered as error:
            return await self._failed(one, error.why, error.after)
        except Error:
            raise
        except Exception as error:
            # One that cannot be written keeps none of the others back; its words may hold anything.
            _LOG.warning("the delivery %s failed: %s", one.delivery_id, type(error).__name__)
            return await self._failed(one, type(error).__name__)
        reached(FaultPoint.BEFORE_COMMIT, "notification/sent")
        await self._outbox.sent(one, reference)
        reached(FaultPoint.AFTER_COMMIT, "notification/sent")

    async def _sent(self, route: Route, notice: Notice) -> str | None:
        match route.channel:
            case "webhook":
                now = self._postgres.clock.now()
                await webhook.send(route, notice, self._clients, now)
            case "email":
                await mail.send(route, notice, self._routes.notifications.sender)
            case "slack" if not route.has_bot:
                await slack.send_to_hook(route, notice, self._clients)
            case "slack" if notice.delivery.kind in _ENDS:
                await slack.update(self._routes.slack, notice, self._clients)
            case "slack":
                return await slack.post(self._routes.slack, route.to, notice, self._clients)
        return None

    async def _failed(self, one: Delivery, why: str, after: float = 0.0) -> None:
        await self._outbox.failed(one, why, after)
        # Whoever says when to come back means all that goes there.
        until = self._postgres.clock.monotonic() + after
        self._held[one.route] = max(until, self._held.get(one.route, until))
        last = "; given up: `daybook notifications --retry`" if one.tries >= MOST_TRIES else ""
        self._say(f"notification {one.delivery_id} by {one.route}: {why}{last}")
