"""Whether a request comes from this machine itself: all that a server without tokens serves."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

_FORWARDS = (
    *(b"forwarded", b"via", b"x-forwarded-", b"x-original-", b"x-real-ip", b"x-client-ip"),
    *(b"x-cluster-client-ip", b"x-envoy-", b"true-client-ip", b"cf-connecting-", b"cdn-loop"),
)
"""Headers of proxies: behind one, every request comes from this machine."""

STUDIOS = (
    "https://smith.langchain.com",
    "https://eu.smith.langchain.com",
    "https://apac.smith.langchain.com",
    "https://aws.smith.langchain.com",
)
"""Pages of elsewhere that may speak to a server without tokens: LangGraph's Studio."""


def outside(scope: Mapping[str, Any]) -> str:
    """Say why a request is not from this machine, or nothing.

    Args:
        scope: of an ASGI request or websocket.
    """
    headers = [(name.lower(), value) for name, value in scope.get("headers", ())]
    if not all(is_loopback_host((scope.get(side) or ("",))[0]) for side in ("client", "server")):
        return "it came over the network"
    if any(name.startswith(_FORWARDS) for name, _ in headers):
        return "a proxy passed it on"
    # A page of elsewhere can have its own name lead here (DNS rebinding), or just send requests.
    hosts = _values(headers, b"host")
    if len(hosts) != 1 or not is_loopback_host(_host_of(f"//{hosts[0]}")):
        return "it was not sent to this machine by name"
    origins = _values(headers, b"origin")
    if not all(origin in STUDIOS or is_loopback_host(_host_of(origin)) for origin in origins):
        return "a web page of elsewhere sent it"
    return ""


def _values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in headers if name == wanted]


def _host_of(url: str) -> str:
    """Return the host that a URL of nothing else names; nothing where it names more."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    # A name before an @ is shown to people as the host, and is none.
    is_more = "@" in parts.netloc or any((parts.path, parts.query, parts.fragment))
    return "" if is_more else parts.hostname or ""


def is_loopback_host(host: str) -> bool:
    """Tell whether a host, of an address or to listen on, is this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
