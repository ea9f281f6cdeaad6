"""Idempotency keys, as services honour them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.strangers.services.stranger import Fault, Kind, Stranger, mode_of
from tests.strangers.services.wire import Answer, Request


@dataclass
class _Kept:
    body: bytes
    answer: Answer | None = None


class Keyed(Stranger):
    """Do what comes under one key once.

    Attributes:
        stores_failures: what failed once its endpoint ran is kept under the key, errors too.
    """

    stores_failures = True

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[tuple[Kind, str], _Kept] = {}

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer:
        if not request.key or mode_of(fault) == "limit":
            # Neither runs the endpoint: nothing is kept.
            return super().act(kind, request, fault)
        with self._done:
            kept = self._kept.get((kind, request.key))
            if kept is not None and kept.body != request.body:
                return self.reused()
            if kept is not None:
                return kept.answer or self.in_use()
            kept = self._kept[kind, request.key] = _Kept(request.body)
        answer = super().act(kind, request, fault)
        with self._done:
            if answer.status < 400 or self.is_kept(answer):
                kept.answer = answer
            elif mode_of(fault) == "error after":
                # What was done is found again by whoever repeats the request.
                kept.answer = self.repeated(kind, request)
            else:
                del self._kept[kind, request.key]
        return answer

    def is_kept(self, answer: Answer) -> bool:
        """Tell whether a failure is kept under its key."""
        return self.stores_failures

    def repeated(self, kind: Kind, request: Request) -> Answer:
        """Answer a repeated request whose effect was done, and whose answer was an error."""
        (row,) = self.found(kind, self.reference(request))
        return self.shown(kind, row)

    def reused(self) -> Answer:
        """Refuse another request under a key that was used."""
        raise NotImplementedError

    def in_use(self) -> Answer:
        """Say that the first request under a key still runs."""
        raise NotImplementedError
