"""Tell whether a request is local; a server without tokens accepts no other."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from typing import Any

_FORWARDS = (
    *(b"forwarded", b"via", b"x-forwarded-", b"x-original-", b"x-real-ip", b"x-client-ip"),
    *(b"x-cluster-client-ip", b"x-envoy-", b"true-client-ip", b"cf-connecting-", b"cdn-loop"),
)
"""Headers of proxies: behind a proxy, every request seems to come from this machine."""

_PLACE = re.compile(r"(?:(?P<host>[A-Za-z0-9.-]+)|\[(?P<v6>[0-9A-Fa-f:.]+)\])(?::[0-9]{1,5})?")

STUDIOS = (
    "https://smith.langchain.com",
    "https://eu.smith.langchain.com",
    "https://apac.smith.langchain.com",
    "https://aws.smith.langchain.com",
)
"""Remote pages that may call a server without tokens: LangGraph's Studio."""


def outside(scope: Mapping[str, Any]) -> str:
    """Say why a request is not from this machine, or nothing.

    Args:
        scope: of an ASGI request or websocket.
    """
    headers = [(name.lower(), value) for name, value in scope.get("headers", ())]
    if not all(is_loopback_host((scope.get(side) or ("",))[0]) for side in ("client", "server")):
        return "this one came over the network"
    if any(name.startswith(_FORWARDS) for name, _ in headers):
        return "a proxy forwarded this one"
    # A page of elsewhere can have its own name lead here (DNS rebinding), or just send requests.
    hosts = _values(headers, b"host")
    if len(hosts) != 1 or not is_loopback_host(_host_in(hosts[0])):
        return "the Host header of this one is not this machine"
    origins = _values(headers, b"origin")
    if not all(origin in STUDIOS or is_loopback_host(_host_of_page(origin)) for origin in origins):
        return "a page of another site sent this one"
    return ""


def _values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in headers if name == wanted]


def _host_of_page(origin: str) -> str:
    """Return the host of a web page by its origin; nothing if that is no web page's."""
    scheme, _, place = origin.partition("://")
    return _host_in(place) if scheme in ("http", "https") else ""


def _host_in(place: str) -> str:
    """Return the host of a place that is a host with or without a port, and nothing more.

    A name before an @ is shown to people as the host, and is none.
    """
    found = _PLACE.fullmatch(place)
    return (found["host"] or found["v6"]).lower() if found else ""


def is_loopback_host(host: str) -> bool:
    """Tell whether a host, of an address or to listen on, is this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
