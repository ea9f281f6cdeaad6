"""A merchant that a test has in its hand: over real sockets, and as rude as it likes.

It knows nothing of Daybook. It keeps what it was asked, byte for byte, so that a test can see what
was sent under which key; what it did stands in `orders`.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from daybook.state.clock import SYSTEM
from daybook.tools.merchants.ucp import signatures
from daybook.tools.merchants.ucp.operations import OPERATIONS
from daybook.tools.merchants.ucp.signatures import SigningKey
from tests.unit.tcp_server import tcp_server

VERSION = "2026-04-08"


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def key(self) -> str:
        return self.headers.get("idempotency-key", "")


@dataclass(frozen=True)
class Said:
    """An answer; no status closes the connection without one."""

    status: int = 0
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


Answers = Callable[[Asked], Awaitable[Said]]


def said(body: Any, status: int = 200, **headers: str) -> Said:
    """Answer with JSON."""
    return Said(status, json.dumps(body).encode(), {"content-type": "application/json", **headers})


LOST = Said()
"""The connection ends, and nobody knows."""


class Stranger:
    """A merchant with two products, one kind of delivery, and one way to pay.

    Attributes:
        asked: all requests, oldest first.
        instead: by operation, what is answered instead, once each; a function is given the request
            and does what it does.
        price: of one boot, in cents.
        trickles: its answers come a byte at a time, and never to their end.
        transport: by which it is spoken to, `rest` or `mcp`; what is asked is kept as REST has it.
        honours_keys: the same key and bytes give the stored answer.
        options: ways of delivery, by title with the price in cents; ids are then its own.
        codes: discounts by their code, in cents; its capability is there where one is.
        is_terse: whatever is optional is left out of its answers.
        is_never_ready: its checkouts stay incomplete, and it does not say why.
    """

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Asked] = []
        self.transport = "rest"
        self.trickles = False
        self.instead: dict[str, list[Answers]] = {}
        self.sessions: dict[str, dict[str, Any]] = {}
        self.orders: dict[str, dict[str, Any]] = {}
        self.price = 12_900
        self.currency = "USD"
        self.honours_keys = True
        self.warning = ""
        self.options: dict[str, int] = {}
        self.codes: dict[str, int] = {}
        self.is_terse = self.is_never_ready = False
        self.key: SigningKey | None = None
        self.products = [
            {"id": "BOOT", "title": "Trail Boot"},
            {"id": "SOCK", "title": "Wool Sock"},
        ]
        self._stored: dict[tuple[str, str], tuple[bytes, Said]] = {}

    # -- what a test sees and does ----------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.url.removeprefix("http://")

    def of(self, operation: str) -> list[Asked]:
        """Return what was asked of one operation: `complete`, `cancel`, `create`, `update`, ..."""
        return [one for one in self.asked if _operation(one) == operation]

    def does(self, operation: str, *answers: Answers) -> None:
        """Let the next requests of an operation be answered so."""
        self.instead.setdefault(operation, []).extend(answers)

    @property
    def open_sessions(self) -> list[str]:
        return [
            name
            for name, one in self.sessions.items()
            if one["status"] not in ("completed", "canceled")
        ]

    def event(self, order_id: str, **changes: Any) -> dict[str, Any]:
        """Return what is told of an order."""
        return {**self.orders[order_id], **changes}

    # -- what it does -----------------------------------------------------------------------------

    async def answer(self, asked: Asked) -> Said:
        if not asked.path.endswith("/mcp"):
            return await self._answer(asked)
        rpc = json.loads(asked.body)
        given = await self._answer(_as_rest(asked, rpc))
        return _as_mcp(given, rpc["id"])

    async def _answer(self, asked: Asked) -> Said:
        self.asked.append(asked)
        operation = _operation(asked)
        if self.instead.get(operation):
            return await self.instead[operation].pop(0)(asked)
        return await self.as_usual(asked)

    async def as_usual(self, asked: Asked) -> Said:
        """Answer as a merchant does that means well."""
        stored = self._stored.get((_operation(asked), asked.key)) if asked.key else None
        if self.honours_keys and stored is not None:
            body, answer = stored
            return answer if body == asked.body else said({"detail": "other bytes"}, 409)
        answer = self._done(asked)
        if asked.key:
            self._stored[_operation(asked), asked.key] = (asked.body, answer)
        return answer

    def _done(self, asked: Asked) -> Said:
        body = json.loads(asked.body) if asked.body else {}
        parts = asked.path.strip("/").split("/")
        match _operation(asked):
            case "profile":
                kept = {} if self.is_terse else {"cache-control": "max-age=60"}
                return said(self.profile(), **kept)
            case "search" | "lookup":
                ids, words = body.get("ids"), body.get("query", "").lower()
                found = [
                    self.product(one)
                    for one in self.products
                    if (one["id"] in ids if ids else words in one["title"].lower())
                ]
                return said({"ucp": {"version": VERSION}, "products": found})
            case "create":
                session = self._session(f"chk_{len(self.sessions) + 1}", body)
                return self.shown(session, 201)
            case "update":
                return self.shown(self._session(parts[-1], body))
            case "get" if parts[-1] in self.sessions:
                return self.shown(self.sessions[parts[-1]])
            case "cancel":
                self.sessions[parts[-2]]["status"] = "canceled"
                return self.shown(self.sessions[parts[-2]])
            case "complete":
                return self.completed(parts[-2])
            case "order" if parts[-1] in self.orders:
                return self.shown(self.orders[parts[-1]])
        return said({"detail": "unknown"}, 404)

    def shown(self, body: dict[str, Any], status: int = 200) -> Said:
        """Answer with a checkout or an order: whole, or without what is optional."""
        if not self.is_terse:
            return said(body, status)
        given = json.loads(json.dumps(body))
        for name in _OPTIONAL:
            given.pop(name, None)
        given.get("order", {}).pop("permalink_url", None)
        for line in given["line_items"]:
            del line["totals"][:]
        for one in given["totals"]:
            one.pop("display_text", None)
        for method in given.get("fulfillment", {}).get("methods", ()):
            method.pop("destinations", None)
        body = json.dumps(given).encode()
        return Said(status, body, {"content-type": 'application/json;charset="UTF-8"'})

    def product(self, one: dict[str, str]) -> dict[str, Any]:
        price = {"amount": self.price, "currency": self.currency}
        return {**one, "variants": [{**one, "price": price, "availability": {"available": True}}]}

    def _session(self, checkout_id: str, body: dict[str, Any]) -> dict[str, Any]:
        known = self.sessions.get(checkout_id, {})
        titles = {one["id"]: one["title"] for one in self.products}
        lines = [
            {
                "id": f"li_{at}",
                "item": {"id": one["item"]["id"], "title": titles[one["item"]["id"]]},
                "quantity": one["quantity"],
            }
            for at, one in enumerate(body.get("line_items", ()), 1)
        ]
        session = {
            "ucp": {"version": VERSION, "status": "success"},
            "id": checkout_id,
            "status": "ready_for_complete",
            "currency": self.currency,
            "line_items": lines,
            "links": [],
            "expires_at": "2031-05-06T12:00:00Z",
            **{name: body[name] for name in ("buyer", "fulfillment") if name in body},
        }
        if self.is_never_ready:
            session["status"] = "incomplete"
        if self.options and "fulfillment" in body:
            self._deliver(session)
        if self.codes:
            used = [one for one in body.get("discounts", {}).get("codes", ()) if one in self.codes]
            applied = [{"code": one, "title": one, "amount": self.codes[one]} for one in used]
            session["discounts"] = {"codes": used, "applied": applied}
        self.sessions[checkout_id] = {**known, **session}
        self.summed(checkout_id)
        return self.sessions[checkout_id]

    def _deliver(self, session: dict[str, Any]) -> None:
        """Name destination and parcel by ids of its own; without a choice nothing is ready."""
        (method,) = session["fulfillment"]["methods"]
        place = {**method.get("destinations", [{}])[-1], "id": "dst_1"}
        (group,) = method.get("groups", [{}])
        options = [
            {"id": f"opt_{at}", "title": title, "totals": [{"type": "total", "amount": cents}]}
            for at, (title, cents) in enumerate(self.options.items(), 1)
        ]
        options[0]["latest_fulfillment_time"] = "2031-05-09T12:00:00Z"
        lines = [one["id"] for one in session["line_items"]]
        parcel = {"id": "grp_1", "line_item_ids": lines, "options": options}
        method |= {"id": "met_1", "line_item_ids": lines, "destinations": [place]}
        method["groups"] = [{**parcel, "selected_option_id": group.get("selected_option_id")}]
        if not group.get("selected_option_id"):
            session["status"] = "incomplete"

    def summed(self, checkout_id: str) -> None:
        """Write sums and warning of a session as the prices are now."""
        session = self.sessions[checkout_id]
        for line in session["line_items"]:
            line["item"]["price"] = self.price
            line["totals"] = [{"type": "total", "amount": self.price * line["quantity"]}]
        goods = sum(line["totals"][0]["amount"] for line in session["line_items"])
        methods = session.get("fulfillment", {}).get("methods", ())
        groups = [one for method in methods for one in method.get("groups", ())]
        chosen = [
            option["totals"][0]["amount"]
            for group in groups
            for option in group.get("options", ())
            if option["id"] == group["selected_option_id"]
        ]
        shipping = chosen[0] if chosen else 500
        off = sum(one["amount"] for one in session.get("discounts", {}).get("applied", ()))
        session["totals"] = [
            {"type": "subtotal", "amount": goods},
            {"type": "fulfillment", "display_text": "Shipping", "amount": shipping},
            *([{"type": "discount", "amount": -off}] if off else []),
            {"type": "total", "amount": goods + shipping - off},
        ]
        warning = {"type": "warning", "code": "note", "content": self.warning}
        session["messages"] = [warning] if self.warning else []

    def completed(self, checkout_id: str) -> Said:
        """Place the order, each time that it is called: who calls twice has two."""
        session = self.sessions[checkout_id]
        order_id = f"order_{len(self.orders) + 1}"
        self.orders[order_id] = {
            "ucp": {"version": VERSION},
            "id": order_id,
            "checkout_id": checkout_id,
            "permalink_url": f"{self.url}/o/{order_id}",
            "currency": session["currency"],
            "line_items": session["line_items"],
            "totals": session["totals"],
            "fulfillment": {"events": []},
            "adjustments": [],
        }
        session["status"] = "completed"
        session["order"] = {"id": order_id, "permalink_url": f"{self.url}/o/{order_id}"}
        return self.shown(session)

    def profile(self) -> dict[str, Any]:
        capabilities = ["catalog.search", "catalog.lookup", "checkout", "fulfillment", "order"]
        capabilities += ["discount"] if self.codes else []
        handlers = {"com.example.pay": [{"id": "pay", "version": VERSION}]}
        return {
            "ucp": {
                "version": VERSION,
                "services": {
                    "dev.ucp.shopping": [
                        {
                            "version": VERSION,
                            "transport": self.transport,
                            "endpoint": f"{self.url}/ucp{'/mcp' * (self.transport == 'mcp')}",
                        }
                    ]
                },
                "capabilities": {
                    f"dev.ucp.shopping.{one}": [{"version": VERSION}] for one in capabilities
                },
                **({} if self.is_terse else {"payment_handlers": handlers}),
            },
            "keys": [self.key.jwk] if self.key is not None else [],
        }

    def signed(
        self, url: str, body: bytes, event_id: str, key: SigningKey | None = None
    ) -> dict[str, str]:
        """Sign an event as the protocol wants it."""
        key = key or self.key
        assert key is not None
        headers = {"webhook-id": event_id, "content-type": "application/json"}
        return signatures.signed(signatures.Message("POST", url, headers), body, key)


_OPTIONAL = ("messages", "links", "expires_at", "buyer", "permalink_url", "adjustments", "ucp")
"""Of a checkout and an order, with what some leave out although it is required."""

_LARGEST = 1 << 24
"""Of an answer that is wrapped for MCP; what has no end is sent as it is."""


def _as_rest(asked: Asked, rpc: dict[str, Any]) -> Asked:
    """Return what a call of a tool asks for as REST would ask."""
    name, given = rpc["params"]["name"], rpc["params"]["arguments"]
    operation = OPERATIONS[name]
    body = next((given[one] for one in ("checkout", "catalog") if one in given), None)
    content = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
    key = given["meta"].get("idempotency-key", "")
    headers = {**asked.headers, "idempotency-key": key}
    path = f"/ucp{operation.path}".format(id=given.get("id", ""))
    return Asked(operation.method, path, headers, content)


def _as_mcp(given: Said, about: Any) -> Said:
    """Return an answer as the result of a tool; what is no JSON object is sent as it is."""
    try:
        found = json.loads(given.body) if len(given.body) < _LARGEST else None
    except (ValueError, RecursionError):
        return given
    if given.status not in (200, 201) or not isinstance(found, dict) or "jsonrpc" in found:
        return given
    result = {"structuredContent": found, "content": [], "isError": False}
    return said({"jsonrpc": "2.0", "id": about, "result": result})


def _operation(asked: Asked) -> str:
    path = asked.path
    if path == "/.well-known/ucp":
        return "profile"
    last = path.rstrip("/").rsplit("/", 1)[-1]
    if last in ("search", "lookup", "complete", "cancel"):
        return last
    if "/orders/" in path:
        return "order"
    return {"POST": "create", "PUT": "update"}.get(asked.method, "get")


@asynccontextmanager
async def listening(stranger: Stranger) -> AsyncIterator[Stranger]:
    """Let it listen on a port of its own."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer = await stranger.answer(await _read(reader))
        if answer.status and stranger.trickles:
            writer.write(b"HTTP/1.1 200 x\r\ncontent-length: 9999\r\n\r\n")
            while not reader.at_eof():
                writer.write(b" ")
                await writer.drain()
                await SYSTEM.sleep(0.05)
        elif answer.status:
            head = [f"HTTP/1.1 {answer.status} x", "connection: close"]
            head += [f"{name}: {value}" for name, value in answer.headers.items()]
            if "content-length" not in answer.headers:
                head.append(f"content-length: {len(answer.body)}")
            writer.write("\r\n".join([*head, "", ""]).encode() + answer.body)
            await writer.drain()

    async with tcp_server(serve) as port:
        stranger.url = f"http://127.0.0.1:{port}"
        yield stranger


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    pairs = (line.partition(":") for line in head[1:] if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(method, path, headers, body)
