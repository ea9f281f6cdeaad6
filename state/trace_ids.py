"""Trace ids: a turn is a trace, and every process derives the same ids for it.

So a turn that another process goes on with stays in its trace. Spans hold names of tools, counts,
outcomes and digests of steps: never an argument, a product, a result or anybody's words.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from daybook.state.effects.keys import digest
from daybook.state.people.privacy import redacted

_DIGEST = "sha256:"
_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_PLAIN_ID = re.compile(r"[A-Za-z0-9_./:~#-]{1,200}")


class SpanKind(StrEnum):
    """What a span is about."""

    TURN = "turn"
    MODEL = "model call"
    READ = "read"
    ATTEMPT = "attempt"
    PROBE = "probe"
    COMPENSATION = "compensation"
    APPROVAL = "approval wait"
    DOUBT = "doubt wait"
    RECOVERY = "recovery"


@dataclass(frozen=True)
class Trace:
    """Name the trace of a turn.

    Attributes:
        turn_id: the client's message id.
    """

    tenant_id: str
    thread_id: str
    turn_id: str

    @property
    def trace_id(self) -> int:
        """Return 128 bits, the same in every process."""
        return int(digest(["trace", self.tenant_id, self.thread_id, self.turn_id])[:32], 16)

    @property
    def root_id(self) -> int:
        """Return the id of the turn's own span: 64 bits."""
        return int(digest([self.trace_id, "turn"])[:16], 16)


def shown_id(given: str) -> str:
    """Return an id as spans may hold it: a hash of one that may hold words or a number.

    A domain names its operations by what it deals with, which a user may have typed.
    """
    if _PLAIN_ID.fullmatch(given) and redacted(given) == given:
        return given
    return f"{_DIGEST}{digest(given)[:16]}"


def shown_turn(given: str) -> str:
    """Return the id of a turn as spans may hold it: a client may name its events by a product."""
    return given if _UUID.fullmatch(given) else opaque(given)


def opaque(given: str) -> str:
    """Return the digest by which a step or a key appears in spans.

    A domain names its operations by what they deal with: products, orders, amounts. Whoever has
    the ledger finds the step by it again (`meant`); nobody else can tell what it is.
    """
    return f"{_DIGEST}{hashlib.sha256(given.encode()).hexdigest()[:16]}"


def meant(named: str, candidates: Iterable[str]) -> str | None:
    """Return which of some names is meant by one of them, or by its digest."""
    known = set(candidates)
    if named in known:
        return named
    return next((one for one in sorted(known) if opaque(one) == named), None)
