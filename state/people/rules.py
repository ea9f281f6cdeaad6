"""An operator's rules for a tool: switched off, or limited calls per time. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

MACHINE = "daybook"
"""The name that switches off a tool whose service broke a declared guarantee."""


@dataclass(frozen=True)
class Limit:
    """Say how often a tool may be called: `most` times in `seconds`, both 1 or more."""

    most: int
    seconds: int

    @property
    def interval(self) -> timedelta:
        """Return the time in which one token comes back, rounded up to a microsecond."""
        return timedelta(microseconds=-(-self.seconds * 1_000_000 // self.most))

    def __str__(self) -> str:
        return f"{self.most} in {self.seconds} s"


@dataclass(frozen=True)
class Bucket:
    """A token bucket: a call takes a token, and they come back one by one.

    Whole tokens and times only: whoever waits until the next token comes back finds it there.

    Attributes:
        refilled_at: UTC; when the newest of its tokens came back.
    """

    limit: Limit
    tokens: int
    refilled_at: datetime

    def refilled(self, now: datetime) -> Bucket:
        """Return the bucket with what came back by `now` (UTC)."""
        back = max((now - self.refilled_at) // self.limit.interval, 0)
        if self.tokens + back >= self.limit.most:
            # A full bucket saves nothing up: the next token is on its way from the next call on.
            return Bucket(self.limit, self.limit.most, now)
        return Bucket(self.limit, self.tokens + back, self.refilled_at + back * self.limit.interval)

    def taken(self, now: datetime) -> Bucket | None:
        """Return the bucket with one token less; None if there is none at `now` (UTC)."""
        full = self.refilled(now)
        return Bucket(self.limit, full.tokens - 1, full.refilled_at) if full.tokens else None

    def next_at(self, now: datetime) -> datetime:
        """Return when there is a token, UTC; `now` where there is one."""
        full = self.refilled(now)
        return now if full.tokens else full.refilled_at + self.limit.interval


@dataclass(frozen=True)
class Barred:
    """Say why a tool may not be called now.

    Attributes:
        until: UTC; None if it is switched off, and nobody knows for how long.
    """

    why: str
    until: datetime | None


@dataclass(frozen=True)
class ToolRule:
    """What an operator says about one tool.

    Attributes:
        why: why it is switched off (or on again), in words for people and models.
        switched_at: UTC; None if it never was.
    """

    tool: str
    is_off: bool = False
    why: str = ""
    switched_by: str | None = None
    switched_at: datetime | None = None
    bucket: Bucket | None = None
    limited_by: str | None = None

    @property
    def off(self) -> Barred | None:
        """Say that it is switched off, and why; None if it is on."""
        by = "Daybook itself" if self.switched_by == MACHINE else "the operator"
        why = f"The tool {self.tool} is switched off by {by}: {self.why}"
        return Barred(why, None) if self.is_off else None

    def bars(self, now: datetime) -> Barred | None:
        """Say why it may not be called at `now` (UTC), or None."""
        if self.off or self.bucket is None:
            return self.off
        until = self.bucket.next_at(now)
        if until <= now:
            return None
        seconds = math.ceil((until - now).total_seconds())
        return Barred(
            f"The tool {self.tool} was called too often ({self.bucket.limit} at most): try again "
            f"in {seconds} s, or continue without it",
            until,
        )


@dataclass(frozen=True)
class DeclaredTool:
    """A tool that a program has declared on the database.

    Attributes:
        program: the name of its ledger, or of the domain that is served.
        digest: of what was declared; another one after a change.
        about: its description, kind, arguments, and who must approve it (None if nobody can).
        declared_at: UTC; when the program was started last.
    """

    program: str
    tool: str
    digest: str
    about: Mapping[str, Any]
    declared_at: datetime

    @property
    def is_effect(self) -> bool:
        """Tell whether calls of it change the world: the ledger holds steps of it."""
        return self.about["approval"] is not None


Rules: TypeAlias = Mapping[str, ToolRule]
"""The rules by tool name; a tool without one is on and has no limit."""
