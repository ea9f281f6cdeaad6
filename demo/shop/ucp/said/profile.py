from typing import Any

from daybook.demo.shop.ucp.said.envelope import CAPABILITIES, SERVICE, VERSION, handlers_shown

SPECIFICATION = f"https://ucp.dev/{VERSION}"
EXTENDS = {"fulfillment": f"{SERVICE}.checkout"}

REST, MCP = "/ucp", "/ucp/mcp"
"""Where the merchant is asked, over each transport."""


def profile(base: str, key: dict[str, str]) -> dict[str, Any]:
    """Return what the merchant says of itself.

    `base` is the URL by which it was asked, `key` the public half of what it signs with.
    """
    bindings = (("rest", "rest.openapi.json", REST), ("mcp", "mcp.openrpc.json", MCP))
    return {
        "ucp": {
            "version": VERSION,
            "services": {
                SERVICE: [
                    {
                        "version": VERSION,
                        "spec": f"{SPECIFICATION}/specification/overview",
                        "transport": transport,
                        "schema": f"{SPECIFICATION}/services/shopping/{document}",
                        "endpoint": f"{base}{path}",
                    }
                    for transport, document, path in bindings
                ]
            },
            "capabilities": {f"{SERVICE}.{one}": [capability(one)] for one in CAPABILITIES},
            "payment_handlers": handlers_shown(),
        },
        "keys": [key],
    }


def capability(name: str) -> dict[str, Any]:
    """Return how a capability is declared."""
    extends = {"extends": EXTENDS[name]} if name in EXTENDS else {}
    return {
        "version": VERSION,
        "spec": f"{SPECIFICATION}/specification/{name.replace('.', '-')}",
        "schema": f"{SPECIFICATION}/schemas/shopping/{name.replace('.', '_')}.json",
        **extends,
    }
