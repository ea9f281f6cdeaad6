"""What is said of one thing that is declared of an effect, and what it is said from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from daybook.state.effects.evidence import Look
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import Naming
from daybook.state.effects.rehearsal import Rehearsal
from daybook.tools.services.classify import is_reused
from daybook.tools.services.contract import Compared


class Verdict(StrEnum):
    """What is said of one thing that is declared, or could be."""

    HELD = "held"
    NOT_HELD = "NOT held"
    NOT_SEEN = "not seen"
    UNDECLARED = "not declared"


@dataclass(frozen=True)
class Finding:
    """Say of one thing what is declared of it, what was seen, and what to mend."""

    what: str
    declared: str
    seen: str
    verdict: Verdict
    mend: str = ""


@dataclass(frozen=True)
class Declared:
    """What is declared of an effect.

    Attributes:
        guarantees: of its service, `provable` as it is.
        evidence: what a result must show of what was approved.
        owner: what it must show of whose it is.
        undo: the tool that undoes it; None where nothing does.
        compares: how the service tells a repeated request; "unsaid" where that is not known.
        waits: seconds after which Daybook takes what is not shown for not done: D, or what stands
            in its place.
    """

    guarantees: Guarantees
    named: Naming | None
    evidence: Mapping[str, Any]
    owner: Mapping[str, Any]
    undo: str | None
    compares: Compared
    waits: float


@dataclass(frozen=True)
class Undone:
    """What came of undoing an effect twice under one key; once where it is looked for instead.

    Attributes:
        impossible: why no undo could be made of the result; "" where one could.
        outcomes: of the first undo and of the second, as far as they were sent.
        settled: whether each is taken for done, or for nothing left to do.
        names: references of undos that were answered or shown.
        is_named: a reference of the undo is declared.
        is_shown: its own look-up shows it, where that alone keeps it from being sent again; None
            where something else does.
        after: the look-up of the effect afterwards.
    """

    impossible: str = ""
    outcomes: tuple[Outcome, ...] = ()
    settled: tuple[bool, ...] = ()
    names: frozenset[str] = frozenset()
    is_named: bool = False
    is_shown: bool | None = None
    after: Look | None = None


@dataclass
class Rehearsed:
    """All that was tried.

    Attributes:
        once: sent once, again under the same key, and looked up late.
        unused: look-ups under keys that were never used.
        other: other arguments under the key of `once`.
        second: the same arguments under another key.
        declined: arguments that are declined, twice, and then good ones, under one key.
    """

    once: Rehearsal
    unused: list[Look] = field(default_factory=list)
    other: Rehearsal | None = None
    second: Rehearsal | None = None
    declined: Rehearsal | None = None
    undone: Undone | None = None

    @property
    def all(self) -> list[Rehearsal]:
        """Return every rehearsal that was made."""
        made = (self.once, self.other, self.second, self.declined)
        return [one for one in made if one is not None]

    @property
    def breaks_off(self) -> bool:
        """Tell whether a person would be asked after the first request: nothing more is tried."""
        return any(one.moment == "once" and one.judged.doubt for one in self.once.seen)

    @property
    def is_done(self) -> bool:
        """Tell whether the effect may have been done at all."""
        return not isinstance(self.once.outcomes[0], Declined | NotSent)


def outcome_words(outcome: Outcome) -> str:
    """Say what came of a request, with the service's own words."""
    match outcome:
        case Confirmed():
            return "confirmed"
        case Declined(code=code, message=message):
            return f"declined ({code}): {message.rstrip('.')}"
        case NotSent(reason=reason):
            return f"not done: {reason.rstrip('.')}"
        case Unknown(reason=reason):
            return f"unknown: {reason.rstrip('.')}"


def is_open(outcome: Outcome) -> bool:
    """Tell whether an effect may come of a request, which its answer does not name."""
    return isinstance(outcome, Unknown) and not is_reused(outcome)


def untried(tried: Rehearsed, option: str) -> str:
    """Say why something was not tried."""
    if tried.breaks_off:
        return "not tried, for what was done is in doubt"
    return f"not tried: give {option}"


def rows(count: int) -> str:
    """Count rows."""
    return "one row" if count == 1 else f"{count} rows"


def lasting(seconds: float) -> str:
    """Write how long something lasts: seconds, or hours."""
    return f"{seconds / 3600:g} h" if seconds >= 3600 else f"{seconds:g} s"
