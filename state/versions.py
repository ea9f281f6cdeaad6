"""Stored data of an earlier release, brought to this release's form one explicit step at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]


def stepped(
    stored: Mapping[str, Any], found: int, current: int, upgrades: Mapping[int, Upgrade]
) -> dict[str, Any] | None:
    """Take stored data from version to version; None where a step is missing.

    Args:
        found: the version that they are of.
        current: the version of this release.
        upgrades: version to the function that makes the next version of it.
    """
    data = dict(stored)
    for version in range(found, current):
        if version not in upgrades:
            return None
        data = upgrades[version](data)
    return data if found <= current else None
