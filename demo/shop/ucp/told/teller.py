"""Whoever sends the events: at least once, again and again until they are taken."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from daybook.demo.shop.faults import Fault
from daybook.demo.shop.ucp.said import signing
from daybook.demo.shop.ucp.said.signing import SENT, Sent, Signer
from daybook.demo.shop.ucp.told import agents, outbox
from daybook.demo.shop.ucp.told.outbox import State
from daybook.demo.shop.waiting import first_of
from daybook.demo.shop.world import World

SECONDS = 5.0
"""That a reader of events has, and a profile."""

FIRST_PAUSE, LONGEST_PAUSE, MOST_TRIES = 0.5, 60.0, 12


@dataclass
class Try:
    """How often an event was sent in vain, and when it is sent next, by the loop's time."""

    times: int = 0
    due: float = 0.0

    def again(self, now: float) -> None:
        """Put the next try off, each time for longer."""
        self.due = now + min(FIRST_PAUSE * 2**self.times, LONGEST_PAUSE)
        self.times += 1


@dataclass
class Teller:
    """Send what waits in the outbox, each event by itself: a slow reader holds nobody up."""

    world: World
    client: httpx.AsyncClient
    tries: dict[int, Try] = field(default_factory=dict)
    sending: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def run(self) -> None:
        """Go on until it is cancelled."""
        try:
            while True:
                self.world.changed.clear()
                await first_of(await self.round(), self.world.changed)
        finally:
            for task in self.sending.values():
                task.cancel()

    async def round(self) -> float:
        """Begin to send all that is due; return in how many seconds something is due next."""
        waiting = await self.world.database.transact(outbox.notice)
        now = asyncio.get_running_loop().time()
        pause = LONGEST_PAUSE
        for event in waiting:
            n, one = event["n"], self.tries.setdefault(event["n"], Try())
            if n in self.sending:
                continue
            if one.due > now:
                pause = min(pause, one.due - now)
                continue
            self.sending[n] = asyncio.create_task(self.send(event, one))
        return pause

    async def send(self, event: dict[str, Any], one: Try) -> None:
        """Send an event as the fault that it meets would have it, and say what became of it."""
        try:
            reference = f"{event['session_id']} {event['order_id']}"
            with self.world.faults.met("webhooks", reference) as fault:
                state = await self.sent(event, fault)
        except httpx.HTTPError:
            state = "waiting"
        finally:
            del self.sending[event["n"]]
        if state == "waiting":
            one.again(asyncio.get_running_loop().time())
            state = "given up" if one.times >= MOST_TRIES else state
        else:
            self.tries.pop(event["n"], None)
        await self.world.database.transact(
            lambda connection: outbox.settle(connection, event["n"], state)
        )
        self.world.changed.set()

    async def sent(self, event: dict[str, Any], fault: Fault | None) -> State:
        """Send an event; return what became of it. Raises httpx.HTTPError where nobody took it."""
        mode = fault.mode if fault is not None else None
        ended, hurried = self.world.ended, self.world.hurried
        if mode == "drop":
            return "lost"
        if mode == "refuse":
            return "waiting"
        if fault is not None and mode == "late":
            await first_of(fault.seconds, ended, hurried)
        url = await agents.webhook_of(self.client, event["agent"])
        if url is None:
            return "lost"
        signer = await self.world.database.transact(signing.signer)
        if mode == "forge":
            await self.post(url, {**event, "body": forged(event["body"])}, signing.forger(signer))
        if mode == "double":
            await self.post(url, event, signer)
        reply = await self.post(url, event, signer)
        return "told" if reply.is_success else "waiting"

    async def post(self, url: str, event: dict[str, Any], signer: Signer) -> httpx.Response:
        """Post an event, signed."""
        at = int(datetime.fromisoformat(event["at"]).timestamp())
        headers = {
            "content-type": "application/json",
            "ucp-agent": f'profile="{event["base"]}/.well-known/ucp"',
            "webhook-id": event["event_id"],
            "webhook-timestamp": str(at),
            # As versions before the newest have it: the same event is done once.
            "idempotency-key": event["event_id"],
        }
        content = event["body"].encode()
        covered = [*SENT, "content-type", "idempotency-key"]
        covered += ["@query"] if urlsplit(url).query else []
        signed = signer.headers_of(Sent("POST", url, headers), content, covered)
        return await self.client.post(url, content=content, headers=signed)


def forged(body: str) -> str:
    """Return an event of an order that tells what never happened."""
    order = json.loads(body)
    refund = {
        "id": "RF-0",
        "type": "refund",
        "occurred_at": "2026-01-01T00:00:00Z",
        "status": "completed",
        "totals": [{"type": "total", "amount": -order["totals"][-1]["amount"]}],
    }
    return json.dumps({**order, "adjustments": [*order["adjustments"], refund]})


async def tell(world: World) -> None:
    """Tell whoever placed orders what becomes of them, until it is cancelled."""
    async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False) as client:
        await Teller(world, client).run()
