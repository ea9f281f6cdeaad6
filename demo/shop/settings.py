"""What the control plane can change, and what callers can read of it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

Version = Literal["2026-08-25", "2026-04-08"]
NEWEST: Final[Version] = "2026-08-25"
Signatures = Literal["ignored", "verified", "required"]
Profiles = Literal["checked", "ignored"]

ENDPOINTS = ("holds", "releases", "charges", "refunds", "orders", "cancellations")
"""The endpoints that change the world by POST; each has its own rule for keys."""

UCP_ENDPOINTS = ("sessions", "completions")
"""What changes the world by the Universal Commerce Protocol; `sessions` are all but Complete."""

CURRENCY = "USD"
"""The only currency of the shop; amounts are integer cents."""

SETTLING_MARGIN = 0.25
"""Seconds kept free before `settle_seconds` for the commit of a late effect."""


@dataclass(frozen=True)
class KeyRule:
    """Say how one endpoint treats the `Idempotency-Key` header.

    `stores_failures`: whether business refusals (402, 404, 409) are replayed too.
    `retention_seconds`: how long a key is remembered, judged when it is met again.
    """

    honours_key: bool = True
    stores_failures: bool = True
    retention_seconds: int = 86_400


@dataclass(frozen=True)
class Settings:
    """What the control plane may change; lost when the process ends.

    `hold_seconds`: the life of a new hold. `settle_seconds`: the longest time that an effect may
    still come after the caller's connection is gone. As a merchant of the Universal Commerce
    Protocol: `signatures`, whether those of requests are ignored, verified where there is one, or
    required; `profiles`, whether those of agents are checked; `ucp_version`, what it says that it
    speaks. `sells`: categories of products; none named is all.
    """

    hold_seconds: float = 900.0
    settle_seconds: float = 2.0
    signatures: Signatures = "ignored"
    profiles: Profiles = "checked"
    ucp_version: Version = NEWEST
    sells: tuple[str, ...] = ()
    keys: dict[str, KeyRule] = field(
        default_factory=lambda: dict.fromkeys((*ENDPOINTS, *UCP_ENDPOINTS), KeyRule())
    )

    @property
    def longest_lag(self) -> float:
        """Return how long a late performer may wait so that its effect is there in time."""
        return max(0.0, self.settle_seconds - SETTLING_MARGIN)

    def with_keys(self, endpoints: Sequence[str], **changes: Any) -> "Settings":
        """Return settings in which the rules of these endpoints have these fields changed."""
        changed = {name: replace(self.keys[name], **changes) for name in endpoints}
        return replace(self, keys={**self.keys, **changed})


def initial(ignore_keys: bool, sells: Sequence[str] = (), any_agent: bool = False) -> Settings:
    """Return the settings of a fresh shop, with idempotency keys ignored or honoured."""
    profiles: Profiles = "ignored" if any_agent else "checked"
    return Settings(sells=tuple(sells), profiles=profiles).with_keys(
        (*ENDPOINTS, *UCP_ENDPOINTS), honours_key=not ignore_keys
    )


def capabilities(settings: Settings, shop_id: int) -> dict[str, Any]:
    """Describe which shop this is, and what callers may rely on under these settings."""
    return {
        "shop_id": f"shop-{shop_id:08x}",
        "currency": CURRENCY,
        "settle_seconds": settings.settle_seconds,
        "hold_seconds": settings.hold_seconds,
        "endpoints": {name: asdict(settings.keys[name]) for name in ENDPOINTS},
    }
