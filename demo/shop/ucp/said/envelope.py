"""The envelope that every answer carries, and the messages beside it."""

from collections.abc import Mapping
from typing import Any, Final

from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.ucp.said.versions import NEWEST

VERSION: Final = NEWEST
"""Of the protocol, in which answers are made."""

SERVICE: Final = "dev.ucp.shopping"

CAPABILITIES: Final = (
    "catalog.search",
    "catalog.lookup",
    "cart",
    "checkout",
    "fulfillment",
    "order",
)

HANDLER: Final = "org.example.daybook_shop_card"
HANDLER_ID: Final = "shop_card"
"""The one way to pay: a card that the shop has on file, named by a token."""

Message = dict[str, Any]


def envelope(*capabilities: str, pays: bool = False) -> dict[str, Any]:
    """Return the envelope of an answer that gives what was asked for."""
    active = {f"{SERVICE}.{one}": [{"version": VERSION}] for one in capabilities}
    handlers = {"payment_handlers": handlers_shown()} if pays else {}
    return {"version": VERSION, "status": "success", "capabilities": active, **handlers}


def handlers_shown() -> dict[str, Any]:
    """Return the ways to pay."""
    return {
        HANDLER: [
            {"id": HANDLER_ID, "version": VERSION, "available_instruments": [{"type": "card"}]}
        ]
    }


def error(code: str, content: str, path: str = "", severity: str = "recoverable") -> Message:
    """Say what keeps something from going on, and who can settle it."""
    where = {"path": path} if path else {}
    return {"type": "error", "code": code, "content": content, "severity": severity, **where}


def warning(code: str, content: str, path: str) -> Message:
    """Say what whoever buys must see."""
    return {"type": "warning", "code": code, "content": content, "path": path}


def nothing(*messages: Message) -> dict[str, Any]:
    """Return an answer that gives nothing, and says why."""
    return {"ucp": {"version": VERSION, "status": "error"}, "messages": list(messages)}


def refused(refusal: Refusal) -> dict[str, Any]:
    """Return the body of a request that was refused."""
    return nothing(error(refusal.code, refusal.message, severity="unrecoverable"))


def has_error(body: Mapping[str, Any]) -> bool:
    """Tell whether an answer says no to something."""
    return any(one["type"] == "error" for one in body.get("messages", ()))
