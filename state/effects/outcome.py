"""The outcome of one attempt: a closed set, classified by "could the request have been sent?".

A tool returns one of these, or raises it: `Declined`, `NotSent` and `Unknown` are exceptions too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Confirmed:
    """The provider confirmed the effect.

    Attributes:
        result: its answer, without secrets or personal data; stored as JSON. An `expires_at`
            in it (ISO 8601) says when a hold ends.

    Example:
        >>> Confirmed({"hold_id": "H-1", "expires_at": "2031-05-06T12:00:00Z"}).result["hold_id"]
        'H-1'
    """

    result: Mapping[str, Any]


@dataclass
class Declined(Exception):
    """The provider refused the request for good (a declined card).

    Attributes:
        code: the provider's error code, such as `card_declined`.
        message: a sentence for the user.
        at_the_door: it was rejected before processing (authentication, malformed).
            This request did nothing; an earlier one under the same key may have, whatever the
            service stores.

    Example:
        >>> Declined("card_declined", "The card was declined.").code
        'card_declined'
    """

    code: str
    message: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)
    at_the_door: bool = False

    __hash__ = Exception.__hash__

    def __str__(self) -> str:
        return self.message or self.code


@dataclass
class NotSent(Exception):
    """Nothing was done: no connection, or rejected before processing.

    It is retried.
    """

    reason: str

    __hash__ = Exception.__hash__

    def __str__(self) -> str:
        return self.reason


@dataclass
class Unknown(Exception):
    """The request may have been carried out: a timeout or a dropped connection. Never final.

    Depending on the declaration it is retried under its key, looked up, or put to a reviewer.

    Attributes:
        in_hand: the provider has accepted it and will decide later. It is looked up, and not sent
            again.
    """

    reason: str
    in_hand: bool = False

    __hash__ = Exception.__hash__

    def __str__(self) -> str:
        return self.reason


@dataclass
class Pending(Unknown):
    """The provider accepted the request and has not decided yet. It is not sent again.

    Example:
        >>> Pending("202 Accepted").in_hand
        True
    """

    in_hand: bool = True

    __hash__ = Exception.__hash__


Outcome: TypeAlias = Confirmed | Declined | NotSent | Unknown
