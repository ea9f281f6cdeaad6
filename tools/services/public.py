"""Connect only to public addresses, where a third party named the host.

A name says nothing of where it leads, and its next answer may be another one. So it is resolved
once, and the address that was looked at is the one that is connected to.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Final

import httpx

_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class PrivateAddress(httpx.ConnectError):
    """Refuse a name that leads to this machine or into a private network."""


def is_public(address: str) -> bool:
    """Tell whether an address is one of the public internet."""
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        # Of these the address of IPv4 within is where they lead.
        within = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            within = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if within is None and (found.is_site_local or found.is_reserved):
            return False
        found = within or found
    return found.is_global and not found.is_multicast and not found.is_reserved


async def public_address(url: httpx.URL) -> str:
    """Resolve the host of a URL to an address that may be connected to.

    Raises:
        httpx.ConnectError: it has none, or leads into a private network.
    """
    loop, name = asyncio.get_running_loop(), url.raw_host.decode("ascii")
    try:
        found = await loop.getaddrinfo(name, url.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpx.ConnectError(type(error).__name__) from error
    for *_, (address, *_) in found:
        if is_public(str(address)):
            return str(address)
    raise PrivateAddress(url.host)


class PublicTransport(httpx.AsyncHTTPTransport):
    """Send each request to the address that was looked at, under the name that it was asked by."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; its header Host and the name in its certificate stay as they were."""
        url = request.url.copy_with(host=await public_address(request.url))
        more = {**request.extensions, "sni_hostname": request.url.raw_host.decode("ascii")}
        sent = httpx.Request(
            request.method, url, headers=request.headers, stream=request.stream, extensions=more
        )
        return await super().handle_async_request(sent)
