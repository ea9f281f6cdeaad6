"""The operations of the shopping service, and their requests over REST and MCP.

Names, paths and the members of MCP's arguments are those of the protocol's rest.openapi.json and
mcp.openrpc.json. Pure: what is sent, byte for byte, and what of an answer is the answer itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from daybook.state.effects.exact import Inexact, read_exactly
from daybook.tools.merchants.ucp.answers import MOST_TEXT, Unusable, refusal
from daybook.tools.services.http import resource
from daybook.tools.services.reply import Reply

MCP_VERSION: Final = "2025-06-18"
"""The version of MCP that is spoken to merchants."""


@dataclass(frozen=True)
class Operation:
    """One operation.

    Attributes:
        path: with `{id}` where it is about something that has one.
        member: what MCP calls the body; "" if there is none.
    """

    name: str
    method: str
    path: str
    member: str = ""


OPERATIONS: Final = {
    one.name: one
    for one in (
        Operation("search_catalog", "POST", "/catalog/search", "catalog"),
        Operation("lookup_catalog", "POST", "/catalog/lookup", "catalog"),
        Operation("create_checkout", "POST", "/checkout-sessions", "checkout"),
        Operation("get_checkout", "GET", "/checkout-sessions/{id}"),
        Operation("update_checkout", "PUT", "/checkout-sessions/{id}", "checkout"),
        Operation("complete_checkout", "POST", "/checkout-sessions/{id}/complete", "checkout"),
        Operation("cancel_checkout", "POST", "/checkout-sessions/{id}/cancel"),
        Operation("get_order", "GET", "/orders/{id}"),
    )
}
"""By name."""


@dataclass(frozen=True)
class Call:
    """A request as it is sent, before it is signed; `path` is below the endpoint."""

    method: str
    path: str
    content: bytes
    headers: Mapping[str, str]


def as_json(body: Mapping[str, Any]) -> bytes:
    """Write a body as it is sent: its fields in their order, no blanks, UTF-8."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def call_of(
    operation: Operation, about: str, body: bytes, key: str, transport: str, profile_url: str
) -> Call:
    """Write an operation as a request; the same operation and key are the same bytes.

    Args:
        about: the id of what it is about; "" for none.
        body: as bytes of JSON; empty for none.
        key: the idempotency key of what changes something; "" for none.

    Raises:
        ToolRefused: what it is about has no name that can be sent.
    """
    headers = {"content-type": "application/json", "ucp-agent": f'profile="{profile_url}"'}
    if key:
        headers["idempotency-key"] = key
    if transport == "mcp":
        headers["accept"] = "application/json, text/event-stream"
        headers["mcp-protocol-version"] = MCP_VERSION
        return Call("POST", "", as_json(_rpc(operation, about, body, key, profile_url)), headers)
    path = operation.path
    if about:
        path = path.replace("/{id}", resource(about))
    return Call(operation.method, path, body, headers)


def _rpc(
    operation: Operation, about: str, body: bytes, key: str, profile_url: str
) -> dict[str, Any]:
    """Write an operation as a call of JSON-RPC: `tools/call` by its name."""
    meta: dict[str, Any] = {"ucp-agent": {"profile": profile_url}}
    if key:
        meta["idempotency-key"] = key
    arguments: dict[str, Any] = {"meta": meta}
    if about:
        arguments["id"] = about
    if body:
        arguments[operation.member] = json.loads(body)
    return {
        "jsonrpc": "2.0",
        "id": key or operation.name,
        "method": "tools/call",
        "params": {"name": operation.name, "arguments": arguments},
    }


def answer_in(reply: Reply, transport: str) -> tuple[Mapping[str, Any], int]:
    """Take the merchant's own answer out of a reply, with its status as REST would have it.

    Raises:
        Unusable: there is none in it.
    """
    try:
        found, status = _in_rpc(reply) if transport == "mcp" else (reply.json(), reply.status)
    except Inexact as fault:
        raise Unusable(str(fault)) from fault
    if not isinstance(found, Mapping):
        raise Unusable("its answer is not a JSON object")
    if reply.headers.get("content-type", "").lower().startswith("application/problem+json"):
        # All of a problem's members are optional.
        title = "" if found.get("detail") else "It was refused"
        found = {"type": "about:blank", "title": title, **found}
    return found, status


_TURNED_AWAY: Final = (-32001, -32700, -32600, -32601, -32602)
"""Errors of JSON-RPC by which nothing was begun: of discovery, and of how a request is written."""


def _in_rpc(reply: Reply) -> tuple[Any, int]:
    """Take an answer out of JSON-RPC: of a stream, out of the last message that is one."""
    rpc: Mapping[str, Any] = {}
    for said in reply.messages():
        if isinstance(said, Mapping) and ("result" in said or "error" in said):
            rpc = said
    result, error = rpc.get("result"), rpc.get("error")
    if not isinstance(result, Mapping):
        failed = error if isinstance(error, Mapping) else {}
        given, said = failed.get("data"), str(failed.get("message"))[:200]
        is_at_the_door = 400 <= reply.status < 500
        is_said = is_at_the_door or reply.status == 200
        if is_said and isinstance(given, Mapping) and refusal(given, reply.status):
            return given, reply.status
        if failed.get("code") in _TURNED_AWAY and is_said:
            status = reply.status if is_at_the_door else 400
            if isinstance(given, Mapping) and refusal(given, status):
                return given, status
            words = f"{said}: {given[:MOST_TEXT]}" if isinstance(given, str) else said
            return {"code": "invalid", "content": words}, status
        raise Unusable(f"it answered with an error of the transport: {said}")
    if isinstance(found := result.get("structuredContent"), Mapping):
        return found, reply.status
    for part in result.get("content") or ():
        if isinstance(part, Mapping) and isinstance(part.get("text"), str):
            return read_exactly(part["text"].encode()), reply.status
    raise Unusable("its answer is empty")
