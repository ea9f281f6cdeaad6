"""Order events of the merchant: sent at least once, until they are accepted."""

import asyncio
import hashlib
import json
import sqlite3
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from urllib.parse import urlsplit

from daybook.demo.shop import clock
from daybook.demo.shop.clock import stamp
from daybook.demo.shop.faults import Fault, Refusal, first_of
from daybook.demo.shop.ucp import agents, orders, signing
from daybook.demo.shop.ucp.signing import SENT, Sent, Signer
from daybook.demo.shop.world import World

State = Literal["waiting", "told", "lost", "given up"]


def notice(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Write down an event for each order that has changed, and return all that wait, oldest first.

    Orders are looked at, and not those who change them: whichever way it was done, it is told.
    """
    placed = connection.execute(
        "select ucp_order.n, order_id, session_id, told, agent, base from ucp_order"
        " join ucp_session on ucp_session.id = session_id"
    ).fetchall()
    about = ("order_id", "session_id", "agent", "base")
    for row in placed:
        body = json.dumps(orders.get(connection, row["order_id"]), separators=(",", ":"))
        digest = hashlib.sha256(body.encode()).hexdigest()
        if digest == row["told"]:
            continue
        connection.execute("update ucp_order set told = ? where n = ?", (digest, row["n"]))
        connection.execute(
            "insert into ucp_event"
            " (event_id, order_id, session_id, agent, base, at, body, state)"
            " values (?, ?, ?, ?, ?, ?, ?, 'waiting')",
            (str(uuid.uuid4()), *(row[name] for name in about), stamp(clock.now()), body),
        )
    waiting = connection.execute("select * from ucp_event where state = 'waiting' order by n")
    return [dict(row) for row in waiting]


def listed(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return every event, oldest first, and what became of it."""
    query = "select event_id, order_id, session_id as checkout_id, agent, at, state from ucp_event"
    return [dict(row) for row in connection.execute(f"{query} order by n")]


FIRST_PAUSE, LONGEST_PAUSE, MOST_TRIES = 0.5, 60.0, 12


@dataclass
class Teller:
    """Tell whoever placed orders what becomes of them, each event by itself: nobody is held up."""

    world: World
    sending: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def run(self) -> None:
        """Go on until it is cancelled."""
        try:
            while True:
                self.world.changed.clear()
                for event in await self.world.database.transact(notice):
                    if event["n"] not in self.sending:
                        self.sending[event["n"]] = asyncio.create_task(self.tell(event))
                await self.world.changed.wait()
        finally:
            for task in self.sending.values():
                task.cancel()

    async def tell(self, event: dict[str, Any]) -> None:
        """Send an event until it is taken, and say what became of it."""
        ended, pause = self.world.ended, FIRST_PAUSE
        state: State = "waiting"
        for _ in range(MOST_TRIES):
            state = await self.tried(event)
            if state != "waiting" or ended.is_set():
                break
            await first_of(pause, ended)
            pause = min(2 * pause, LONGEST_PAUSE)
        state = "given up" if state == "waiting" else state
        said = ("update ucp_event set state = ? where n = ?", (state, event["n"]))
        await self.world.database.transact(lambda opened: opened.execute(*said).rowcount)
        del self.sending[event["n"]]

    async def tried(self, event: dict[str, Any]) -> State:
        """Send an event as the fault that it meets would have it; return what became of it."""
        from httpx import HTTPError

        reference = f"{event['session_id']} {event['order_id']}"
        try:
            with self.world.faults.met("webhooks", reference) as fault:
                return await self.sent(event, fault)
        except (HTTPError, Refusal):
            return "waiting"

    async def sent(self, event: dict[str, Any], fault: Fault | None) -> State:
        """Send an event; return what became of it. Raises httpx.HTTPError where nobody took it."""
        mode = fault.mode if fault is not None else None
        if mode == "drop":
            return "lost"
        if mode == "refuse":
            return "waiting"
        if fault is not None and mode == "late":
            await first_of(fault.seconds, self.world.ended, self.world.hurried)
        url = await self.world.profiles.webhook(event["agent"])
        if url is None:
            return "lost"
        signer = await self.world.database.transact(signing.signer)
        if mode == "forge":
            forger = Signer(signer.key_id, signing.fresh().private)
            await self.post(url, {**event, "body": forged(event["body"])}, forger)
        if mode == "double":
            await self.post(url, event, signer)
        return "told" if await self.post(url, event, signer) else "waiting"

    async def post(self, url: str, event: dict[str, Any], signer: Signer) -> bool:
        """Post an event, signed; tell whether it was taken."""
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
        async with agents.client() as client:
            sent = await client.post(url, content=content, headers=signed)
        return bool(sent.is_success)


def forged(body: str) -> str:
    """Return an event of an order that tells what never happened."""
    order = json.loads(body)
    totals = [{"type": "total", "amount": -order["totals"][-1]["amount"]}]
    refund = {"id": "RF-0", "type": "refund", "status": "completed", "totals": totals}
    refund["occurred_at"] = "2026-01-01T00:00:00Z"
    return json.dumps({**order, "adjustments": [*order["adjustments"], refund]})
