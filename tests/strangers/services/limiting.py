"""A service that counts requests after it has done them, and says 429 of what was done.

RFC 6585, 4 says of 429 only that there were too many requests, and nothing of whether this one was
done: a limiter that stands behind the endpoint, or counts its cost, answers so after the effect.
"""

from __future__ import annotations

from tests.strangers.services.stranger import Fault, Kind, Stranger
from tests.strangers.services.wire import Answer, Request


class Limiting(Stranger):
    """Do it, and say 429 of the first request under each reference."""

    name = "limiting"

    def __init__(self) -> None:
        super().__init__()
        self._limited: set[tuple[Kind, str]] = set()

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer:
        answer = super().act(kind, request, fault)
        with self._done:
            first = (kind, self.reference(request))
            if first in self._limited:
                return answer
            self._limited.add(first)
        return self.limited(kind, request)
