"""The merchant's profile, and the envelope and messages of every answer."""

import json
from collections.abc import Mapping
from typing import Any, Final

from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.settings import NEWEST, Version

SERVICE: Final = "dev.ucp.shopping"
EXTENSIONS: Final = ("fulfillment", "discount")
CAPABILITIES: Final = ("catalog.search", "catalog.lookup", "checkout", *EXTENSIONS, "order")
HANDLER: Final = "org.example.daybook_shop_card"
HANDLER_ID: Final = "shop_card"
"""The one way to pay: a card that the shop has on file, named by a token."""

REST, MCP = "/ucp", "/ucp/mcp"
"""Where the merchant is asked, over each transport."""

Message = dict[str, Any]


def profile(base: str, key: dict[str, str]) -> dict[str, Any]:
    """Return what the merchant says of itself.

    `base` is the URL by which it was asked, `key` the public half of what it signs with.
    """
    about = {"version": NEWEST, "spec": f"https://ucp.dev/{NEWEST}/specification"}
    schemas = f"https://ucp.dev/{NEWEST}"
    services = [
        {
            **about,
            "transport": transport,
            "schema": f"{schemas}/services/shopping/{document}",
            "endpoint": f"{base}{path}",
        }
        for transport, document, path in (
            ("rest", "rest.openapi.json", REST),
            ("mcp", "mcp.openrpc.json", MCP),
        )
    ]
    capabilities = {
        f"{SERVICE}.{one}": [
            {**about, "schema": f"{schemas}/schemas/shopping/{one.replace('.', '_')}.json"}
        ]
        for one in CAPABILITIES
    }
    for one in EXTENSIONS:
        capabilities[f"{SERVICE}.{one}"][0]["extends"] = f"{SERVICE}.checkout"
    return {
        "ucp": {
            "version": NEWEST,
            "services": {SERVICE: services},
            "capabilities": capabilities,
            "payment_handlers": handlers_shown(),
        },
        "keys": [key],
        # Where versions before the newest look for them.
        "signing_keys": [key],
    }


def spoken(body: Any, version: Version) -> Any:
    """Return an answer as an older version has it: it has another number in it."""
    written = json.dumps(body).replace(f'"version": "{NEWEST}"', f'"version": "{version}"')
    return body if version == NEWEST else json.loads(written)


def envelope(*capabilities: str, pays: bool = False) -> dict[str, Any]:
    """Return the envelope of an answer that gives what was asked for."""
    active = {f"{SERVICE}.{one}": [{"version": NEWEST}] for one in capabilities}
    handlers = {"payment_handlers": handlers_shown()} if pays else {}
    return {"version": NEWEST, "status": "success", "capabilities": active, **handlers}


def handlers_shown() -> dict[str, Any]:
    """Return the ways to pay."""
    card = {"id": HANDLER_ID, "version": NEWEST, "available_instruments": [{"type": "card"}]}
    return {HANDLER: [card]}


def error(code: str, content: str, path: str = "", severity: str = "recoverable") -> Message:
    """Say what keeps something from going on, and who can settle it."""
    where = {"path": path} if path else {}
    return {"type": "error", "code": code, "content": content, "severity": severity, **where}


def nothing(*messages: Message) -> dict[str, Any]:
    """Return an answer that gives nothing, and says why."""
    return {"ucp": {"version": NEWEST, "status": "error"}, "messages": list(messages)}


DISCOVERY: Final = (
    "invalid_profile_url", "profile_unreachable", "profile_malformed", "version_unsupported"
)  # fmt: skip
"""Errors before anything is asked for, which have a form of their own."""


def refused(refusal: Refusal) -> dict[str, Any]:
    """Return the body of a request that was refused."""
    if refusal.code in DISCOVERY:
        return {"code": refusal.code, "content": refusal.message}
    return nothing(error(refusal.code, refusal.message, severity="unrecoverable"))


def has_error(body: Mapping[str, Any]) -> bool:
    """Tell whether an answer says no to something."""
    return any(one["type"] == "error" for one in body.get("messages", ()))
