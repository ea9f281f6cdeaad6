from typing import Any

from daybook.demo.shop.ucp.said.envelope import CAPABILITIES, SERVICE, VERSION, handlers_shown

SPECIFICATION = f"https://ucp.dev/{VERSION}"
EXTENDS = {"fulfillment": f"{SERVICE}.checkout", "ap2_mandate": f"{SERVICE}.checkout"}
CONFIG: dict[str, Any] = {"ap2_mandate": {"vp_formats_supported": {"dc+sd-jwt": {}}}}

REST, MCP = "/ucp", "/ucp/mcp"
"""Where the merchant is asked, over each transport."""


def profile(base: str, key: dict[str, str], *, mandates: bool = False) -> dict[str, Any]:
    """Return what the merchant says of itself.

    `base` is the URL by which it was asked, `key` the public half of what it signs with; `mandates`
    says that it signs checkouts and wants them back in a mandate.
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
            "capabilities": {
                f"{SERVICE}.{one}": [capability(one)]
                for one in (*CAPABILITIES, *(["ap2_mandate"] if mandates else []))
            },
            "payment_handlers": handlers_shown(),
        },
        "keys": [key],
    }


def capability(name: str) -> dict[str, Any]:
    """Return how a capability is declared."""
    extends: dict[str, Any] = {"extends": EXTENDS[name]} if name in EXTENDS else {}
    if name in CONFIG:
        extends["config"] = CONFIG[name]
    return {
        "version": VERSION,
        "spec": f"{SPECIFICATION}/specification/{name.replace('.', '-')}",
        "schema": f"{SPECIFICATION}/schemas/shopping/{name.replace('.', '_')}.json",
        **extends,
    }
