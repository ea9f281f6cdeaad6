"""What spck-conformance finds in the demo shop as a merchant."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daybook.tools.merchants.ucp.signatures import SigningKey

CONFIG: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
"""What the checks are told of the demo shop's goods."""

OLDER = "2026-04-08"
"""The version for which most checks are written; the shop can say that it speaks it."""


def more_of(keys: SigningKey, profile_url: str) -> dict[str, Any]:
    """Return what the checks are told beside, so that they look at more of the shop.

    Args:
        keys: with which they sign requests, published at `profile_url`.
    """
    numbers = keys.private.private_numbers().private_value.to_bytes(32, "big")
    private = base64.urlsafe_b64encode(numbers).rstrip(b"=").decode()
    return {
        "signature": {
            "responses": True,
            "request_private_jwk": {**keys.jwk, "d": private},
            "platform_profile_url": profile_url,
        },
        "webhooks": {"simulate": True, "signed": True, "retries": True},
    }


_NEEDS_TLS = "checkout.escalation_continue_url_https"
"""Deviates at any merchant that listens on a loopback address without TLS."""


@dataclass(frozen=True)
class Conformance:
    """What the checks say.

    Attributes:
        passed: checks that passed.
        deviations: names of those that found a MUST violated.
        unproven: checks that could not be run.
        version: of the protocol, as the merchant declares it.
    """

    version: str
    passed: int
    deviations: tuple[str, ...]
    unproven: int


async def of_merchant(
    python: Path, url: str, folder: Path, more: Mapping[str, Any] | None = None
) -> Conformance:
    """Let spck-conformance look at a merchant.

    Args:
        python: of an environment that has spck-conformance.
        more: what it is told beside.

    Raises:
        AssertionError: it does not come to a report.
    """
    config = folder / "conformance.json"
    config.write_text(json.dumps({**CONFIG, **(more or {})}))
    process = await asyncio.create_subprocess_exec(
        str(python.parent / "spck-conformance"),
        *("--server", url, "--config", str(config), "--json"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, wrong = await process.communicate()
    # 2 says that there are deviations; the report names them.
    assert process.returncode in (0, 2), f"spck-conformance failed: {wrong.decode()[-2000:]}"
    report = json.loads(said)
    found = {str(one["id"]): str(one["status"]) for one in report["checks"]}
    deviations = {name for name, status in found.items() if status == "deviation"}
    return Conformance(
        version=report["spec_version"],
        passed=sum(status == "clean-pass" for status in found.values()),
        deviations=tuple(sorted(deviations - {_NEEDS_TLS})),
        unproven=sum(status.startswith("not-tested") for status in found.values()),
    )
