"""The versions of the protocol that the merchant can say it speaks.

Answers are made in the newest; an older one has another number in them, and another name for keys.
"""

from typing import Any, Final, Literal

Version = Literal["2026-08-25", "2026-04-08"]

NEWEST: Final[Version] = "2026-08-25"


def spoken(body: Any, version: Version) -> Any:
    """Return an answer as an older version has it."""
    if version == NEWEST:
        return body
    if isinstance(body, list):
        return [spoken(one, version) for one in body]
    if isinstance(body, dict):
        return {
            name: version if (name, one) == ("version", NEWEST) else spoken(one, version)
            for name, one in body.items()
        }
    return body


def profiled(told: dict[str, Any], version: Version) -> dict[str, Any]:
    """Return a profile as an older version has it: its keys have another name."""
    if version == NEWEST:
        return told
    older: dict[str, Any] = spoken(told, version)
    return {**older, "signing_keys": older["keys"]}
