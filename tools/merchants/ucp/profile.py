"""Profiles: what a merchant says of itself at `/.well-known/ucp`, and what we say of ourselves.

Versions are negotiated: the newest that both know. The forms of all released versions are read (the
first one had one object where there are lists now).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from daybook.tools.merchants.ucp.answers import Unusable, rows
from daybook.tools.merchants.ucp.checkout import handlers_in
from daybook.tools.merchants.ucp.signatures import PublicKeys, public_keys

VERSIONS: Final = ("2026-08-25", "2026-04-08", "2026-01-23", "2026-01-11")
"""What is spoken, newest first."""

WELL_KNOWN: Final = "/.well-known/ucp"

_SERVICE = "dev.ucp.shopping"
_TRANSPORTS = ("rest", "mcp")
"""What is spoken, the better one first: with REST the bytes of a body are the merchant's own."""

_CAPABILITIES = (
    "catalog.search",
    "catalog.lookup",
    "cart",
    "checkout",
    "fulfillment",
    "order",
)


@dataclass(frozen=True)
class Endpoint:
    """Where a merchant is spoken to, and by which transport: `rest` or `mcp`."""

    transport: str
    url: str


@dataclass(frozen=True)
class MerchantProfile:
    """What a merchant says of itself.

    Attributes:
        version: the newest that both know.
        capabilities: such as `dev.ucp.shopping.checkout`.
        handlers: ids of its payment handlers.
        keys: by which its signatures are verified.
    """

    version: str
    endpoint: Endpoint
    capabilities: frozenset[str]
    handlers: tuple[str, ...]
    keys: PublicKeys

    def can(self, capability: str) -> bool:
        """Tell whether it has a capability of the shopping service, such as `cart`."""
        return f"{_SERVICE}.{capability}" in self.capabilities


def older_profile(body: Any) -> str | None:
    """Return where the profile of an older version stands, if it must be read instead.

    Raises:
        Unusable: there is no version that both know.
    """
    envelope = _envelope(body)
    version = envelope.get("version")
    if version in VERSIONS or _is_between(version):
        return None
    older = envelope.get("supported_versions")
    known = older if isinstance(older, Mapping) else {}
    for ours in VERSIONS:
        if isinstance(known.get(ours), str):
            return str(known[ours])
    raise Unusable(
        f"it speaks version {str(version)[:20]} of the protocol, and we speak {', '.join(VERSIONS)}"
    )


def _is_between(version: Any) -> bool:
    """Tell whether it is a draft between two versions that we speak."""
    is_date = isinstance(version, str) and len(version) == 10 and version[:5] == "2026-"
    return is_date and version <= VERSIONS[0]


def merchant_profile(body: Any, url: str, transport: str | None = None) -> MerchantProfile:
    """Read a merchant's profile.

    Args:
        url: of the merchant, from where it was read.
        transport: the one to use; else the better one that is there.

    Raises:
        Unusable: it cannot be bought from by it.
    """
    envelope = _envelope(body)
    endpoints = {one.transport: one for one in _endpoints(envelope.get("services"))}
    wanted = [transport] if transport else _TRANSPORTS
    endpoint = next((endpoints[one] for one in wanted if one in endpoints), None)
    if endpoint is None:
        raise Unusable(f"it cannot be spoken to over {' or '.join(wanted)}")
    _check_place(endpoint.url, url)
    keys = [*rows(body.get("keys")), *rows(body.get("signing_keys"))]
    keys += rows(envelope.get("signing_keys"))
    return MerchantProfile(
        version=str(envelope.get("version")),
        endpoint=endpoint,
        capabilities=frozenset(_capabilities(envelope.get("capabilities"))),
        handlers=tuple(one["id"] for one in handlers_in(envelope, body.get("payment"))),
        keys=public_keys(keys),
    )


def _envelope(body: Any) -> Mapping[str, Any]:
    envelope = body.get("ucp") if isinstance(body, Mapping) else None
    if not isinstance(envelope, Mapping):
        raise Unusable("what stands there is no profile of the protocol")
    return envelope


def _endpoints(services: Any) -> Iterator[Endpoint]:
    given = services.get(_SERVICE) if isinstance(services, Mapping) else None
    if isinstance(given, Mapping):
        for transport in _TRANSPORTS:
            one = given.get(transport)
            if isinstance(one, Mapping) and isinstance(one.get("endpoint"), str):
                yield Endpoint(transport, one["endpoint"].rstrip("/"))
    for one in rows(given):
        if isinstance(one.get("endpoint"), str) and one.get("transport") in _TRANSPORTS:
            yield Endpoint(str(one["transport"]), one["endpoint"].rstrip("/"))


def _capabilities(given: Any) -> Iterator[str]:
    if isinstance(given, Mapping):
        yield from (name for name in given if isinstance(name, str))
    yield from (one["name"] for one in rows(given) if isinstance(one.get("name"), str))


def _check_place(endpoint: str, merchant: str) -> None:
    """Refuse an endpoint to which a merchant must not be able to send us.

    Raises:
        Unusable: it is in the network of whoever runs us, or not encrypted.
    """
    there, here = urlsplit(endpoint), urlsplit(merchant)
    if there.username or there.query or there.fragment or not there.hostname:
        raise Unusable("its endpoint is no plain URL")
    if there.hostname == here.hostname:
        if there.scheme == here.scheme or there.scheme == "https":
            return
    elif there.scheme == "https" and not is_inside(there.hostname):
        return
    raise Unusable("its endpoint leads to another host, into a network of ours or out of https")


def is_inside(host: str) -> bool:
    """Tell whether a host is this machine or an address of a private network."""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_global
    except ValueError:
        return False


def agent_profile(keys: Sequence[Mapping[str, str]], webhook_url: str) -> dict[str, Any]:
    """Make what we say of ourselves, at the URL that each request names.

    Args:
        keys: the public halves of our keys, as JWK.
    """
    version = VERSIONS[0]
    spec = f"https://ucp.dev/{version}/specification"
    capabilities: dict[str, list[dict[str, Any]]] = {
        f"{_SERVICE}.{one}": [{"version": version, "spec": spec, "schema": _schema(version, one)}]
        for one in _CAPABILITIES
    }
    capabilities[f"{_SERVICE}.order"][0]["config"] = {"webhook_url": webhook_url}
    services = [
        {
            "version": version,
            "spec": f"{spec}/overview",
            "transport": transport,
            "schema": f"https://ucp.dev/{version}/services/shopping/{document}",
        }
        for transport, document in (("rest", "rest.openapi.json"), ("mcp", "mcp.openrpc.json"))
    ]
    public = [dict(key) for key in keys]
    return {
        "ucp": {
            "version": version,
            "services": {_SERVICE: services},
            "capabilities": capabilities,
            "payment_handlers": {},
        },
        "keys": public,
        # Where versions before the newest look for them.
        "signing_keys": public,
    }


def _schema(version: str, capability: str) -> str:
    return f"https://ucp.dev/{version}/schemas/shopping/{capability.replace('.', '_')}.json"
