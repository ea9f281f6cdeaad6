"""Senders with a kill timer: processes of their own that the world ends at their deadline.

A stand-in for `send_from_child`: the same words of the same two protocols, and the same reading of
what was said before the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import aiosmtplib
import h11

from daybook.state.effects.deadline import Deadline
from daybook.tools.services import http, mail
from daybook.tools.services.child_process.child import SenderSays
from evals.sim.loop import OWNER, Owner, context_of
from evals.sim.network import Network

_networks: list[Network] = []


class _Sender(Owner):
    """One sender, and what it has said."""

    def __init__(self, deadline: float) -> None:
        super().__init__("sender")
        self.deadline = deadline
        self.began = False
        self.answer: dict[str, Any] | None = None
        self.why = "its deadline passed"
        self.task: asyncio.Task[None] | None = None


async def send(call: Mapping[str, Any], deadline: Deadline) -> SenderSays:
    """Send a call from a process of its own, which ends at the deadline with or without us."""
    loop: Any = asyncio.get_running_loop()
    network, sender = _networks[-1], _Sender(deadline.at)
    over: asyncio.Future[None] = loop.create_future()
    parent = OWNER.get()

    def end() -> None:
        if not sender.ended:
            loop.end(sender)
            network.drop(sender)
            loop.call_soon(tell, context=context_of(parent))

    def tell() -> None:
        if not over.done():
            over.set_result(None)

    async def work() -> None:
        try:
            sender.answer = await _PROTOCOLS[call["protocol"]](sender, call)
        except Exception as error:
            sender.why = type(error).__name__
        loop.call_soon(end, context=context_of(None))

    loop.call_at(deadline.at, end, context=context_of(None))
    sender.task = loop.create_task(work(), context=context_of(sender))
    try:
        await over
    finally:
        end()
    return SenderSays(sender.began, sender.answer, sender.why)


async def _http(sender: _Sender, call: Mapping[str, Any]) -> dict[str, Any]:
    reader, writer = await asyncio.open_connection(call["host"], call["port"])
    talk, body = h11.Connection(h11.CLIENT), call["body"].encode("latin-1")
    asked = h11.Request(method=call["method"], target=call["target"], headers=call["headers"])
    wire = b"".join(talk.send(e) or b"" for e in (asked, h11.Data(body), h11.EndOfMessage()))
    sender.began = True
    writer.write(wire)
    status, headers, content = 0, [], bytearray()
    try:
        while True:
            event = talk.next_event()
            if event is h11.NEED_DATA and not reader.at_eof():
                talk.receive_data(await reader.read(65536))
            elif isinstance(event, h11.Response):
                status = event.status_code
                headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in event.headers]
            elif isinstance(event, h11.Data):
                content += event.data
            elif isinstance(event, h11.EndOfMessage):
                return {"status": status, "headers": headers, "body": content.decode("latin-1")}
            elif not isinstance(event, h11.InformationalResponse):
                raise h11.RemoteProtocolError("it ends before its answer does")
    finally:
        writer.close()


async def _smtp(sender: _Sender, call: Mapping[str, Any]) -> dict[str, Any]:
    smtp = aiosmtplib.SMTP(hostname=call["host"], port=call["port"], start_tls=False, timeout=None)
    try:
        await smtp.connect()
        await smtp.mail(call["sender"])
        await smtp.rcpt(call["to"])
        sender.began = True
        reply = await smtp.data(call["message"].encode("latin-1"))
    except aiosmtplib.SMTPResponseException as refusal:
        return {"code": refusal.code, "taken": False}
    return {"code": reply.code, "taken": True}


_PROTOCOLS = {"http": _http, "smtp": _smtp}


def set_up() -> None:
    """Let the clients send by it; once a process."""
    http.send_from_child = send  # type: ignore[attr-defined]
    mail.send_from_child = send  # type: ignore[attr-defined]


def playing(network: Network) -> None:
    """Let senders of the present life use its network."""
    _networks[:] = [network]
