"""Profiles: the merchant's at `/.well-known/ucp`, and our own.

Versions are negotiated: the newest that both know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx

from daybook.tools.merchants.ucp.answers import Unusable, rows
from daybook.tools.merchants.ucp.checkout import handlers_in
from daybook.tools.merchants.ucp.signatures import PublicKeys, public_keys

VERSIONS: Final = ("2026-08-25", "2026-04-08")
"""What is spoken, newest first."""

WELL_KNOWN: Final = "/.well-known/ucp"

_SERVICE = "dev.ucp.shopping"
TRANSPORTS: Final = ("rest", "mcp")
"""What is spoken, the better one first: with REST the bytes of a body are the merchant's own."""

_CAPABILITIES = (
    "catalog.search",
    "catalog.lookup",
    "checkout",
    "fulfillment",
    "discount",
    "order",
)


@dataclass(frozen=True)
class MerchantProfile:
    """What a merchant says of itself.

    Attributes:
        transport: by which it is spoken to, `rest` or `mcp`.
        endpoint: the URL where it is spoken to.
        capabilities: such as `dev.ucp.shopping.checkout`.
        handlers: ids of its payment handlers.
        keys: by which its signatures are verified.
    """

    version: str
    transport: str
    endpoint: str
    capabilities: frozenset[str]
    handlers: tuple[str, ...]
    keys: PublicKeys

    def can(self, capability: str) -> bool:
        """Tell whether it has a capability of the shopping service, such as `cart`."""
        return f"{_SERVICE}.{capability}" in self.capabilities


def profile_elsewhere(body: Any) -> tuple[str, str] | None:
    """Return the newest version that both know and where its profile is; None if it is this one.

    Raises:
        Unusable: there is no version that both know.
    """
    envelope = _envelope(body)
    version, others = envelope["version"], envelope.get("supported_versions")
    for ours in VERSIONS:
        if ours == version:
            return None
        if isinstance(others, Mapping) and isinstance(others.get(ours), str):
            return ours, str(others[ours])
    raise Unusable(
        f"it uses version {version[:20]} of the protocol; supported are {', '.join(VERSIONS)}"
    )


def merchant_profile(
    body: Any, url: str, transport: str | None = None, version: str | None = None
) -> MerchantProfile:
    """Read a merchant's profile.

    Args:
        url: of the merchant, from where it was read.
        transport: the one to use; else the better one that is there.
        version: as which it was named, where another profile did so.

    Raises:
        Unusable: it cannot be bought from by it.
    """
    envelope = _envelope(body)
    if version is not None and envelope.get("version") != version:
        raise Unusable(
            f"its `supported_versions` names a profile of version {version}, whose own version is "
            f"{str(envelope.get('version'))[:20]}"
        )
    services, capabilities = (
        found if isinstance(found := envelope.get(name), Mapping) else {}
        for name in ("services", "capabilities")
    )
    endpoints = {
        one.get("transport"): one["endpoint"].rstrip("/")
        for one in rows(services.get(_SERVICE))
        if isinstance(one.get("endpoint"), str)
    }
    spoken = [one for one in ([transport] if transport else TRANSPORTS) if one in endpoints]
    if not spoken:
        raise Unusable(f"it does not support {transport or ' or '.join(TRANSPORTS)}")
    _check_place(endpoints[spoken[0]], url)
    # Before the newest version they had another name.
    keys = [*rows(body.get("keys")), *rows(body.get("signing_keys"))]
    keys += rows(envelope.get("signing_keys"))
    return MerchantProfile(
        version=str(envelope.get("version")),
        transport=spoken[0],
        endpoint=endpoints[spoken[0]],
        capabilities=frozenset(name for name in capabilities if isinstance(name, str)),
        handlers=tuple(one["id"] for one in handlers_in(envelope)),
        keys=public_keys(keys),
    )


def _envelope(body: Any) -> Mapping[str, Any]:
    """Return what a profile says of the protocol; some merchants leave out what is around it."""
    envelope = body.get("ucp", body) if isinstance(body, Mapping) else None
    if not isinstance(envelope, Mapping) or not isinstance(envelope.get("version"), str):
        raise Unusable("its profile is not one of the protocol")
    return envelope


def _check_place(endpoint: str, merchant: str) -> None:
    """Refuse an endpoint to which a merchant must not be able to send us.

    Where a name leads is looked at when it is connected to (`daybook.tools.services.public`).

    Raises:
        Unusable: it is not encrypted, or no plain URL.
    """
    try:
        there, here = httpx.URL(endpoint), httpx.URL(merchant)
    except httpx.InvalidURL:
        there = here = httpx.URL("")
    if there.userinfo or there.query or there.fragment or not there.host:
        raise Unusable("its endpoint is not a plain URL")
    if there.host == here.host:
        if there.scheme == here.scheme or there.scheme == "https":
            return
    elif there.scheme == "https":
        return
    raise Unusable("its endpoint leads to another host without https")


def named_for(profile_url: str, version: str) -> str:
    """Return where our profile of a version is: a merchant refuses one of a version that it lacks.

    Args:
        profile_url: with `{version}` where the version stands.
    """
    return profile_url.replace("{version}", version)


def agent_profile(
    keys: Sequence[Mapping[str, str]],
    webhook_url: str,
    version: str = VERSIONS[0],
    others: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Make what we say of ourselves, at the URL that each request names.

    Args:
        keys: the public halves of our keys, as JWK.
        others: where our profiles of other versions are.
    """
    home = f"https://ucp.dev/{version}"
    about = {"version": version, "spec": f"{home}/specification"}
    capabilities: dict[str, list[dict[str, Any]]] = {}
    for one in _CAPABILITIES:
        schema = f"{home}/schemas/shopping/{one.replace('.', '_')}.json"
        capabilities[f"{_SERVICE}.{one}"] = [{**about, "schema": schema}]
    capabilities[f"{_SERVICE}.order"][0]["config"] = {"webhook_url": webhook_url}
    documents = {"rest": "rest.openapi.json", "mcp": "mcp.openrpc.json"}
    services = [
        {
            **about,
            "transport": transport,
            "schema": f"{home}/services/shopping/{documents[transport]}",
        }
        for transport in TRANSPORTS
    ]
    public = [dict(key) for key in keys]
    return {
        "ucp": {
            "version": version,
            **({"supported_versions": dict(others)} if others else {}),
            "services": {_SERVICE: services},
            "capabilities": capabilities,
            "payment_handlers": {},
        },
        "keys": public,
        # Where version 2026-04-08 looks for them.
        "signing_keys": public,
    }
