"""Named moments at which a process can be made to kill itself, for tests.

Free when nothing is armed: one comparison. A process that is run with `DAYBOOK_DIE_AT` kills itself
at that moment with SIGKILL, so neither a handler nor a `finally` runs.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from enum import StrEnum


class FaultPoint(StrEnum):
    """The moments of the loop between which something can be lost.

    What each is about: a page of the ledger, its first event and tool (`attempted/charge_payment`),
    and once more its claim, where that stands behind the decision on its plan; a thread that is
    erased, `erased`; a part of an export, `exported`; a migration, its name; notifications,
    `notification/routed`, `/claimed` and `/sent`; heads of chains, `heads/signed` and `/sent`; a
    request or a look, the tool; a checkpoint, `put` or `writes`. About nothing are the lock of a
    thread (just taken), a run (not begun yet), the model and pruning.
    """

    AFTER_LOCK = "after_lock"
    BEFORE_RUN = "before_run"
    BEFORE_COMMIT = "before_commit"
    AFTER_COMMIT = "after_commit"
    BEFORE_REQUEST = "before_request"
    AFTER_REPLY = "after_reply"
    BEFORE_LOOK = "before_look"
    AFTER_LOOK = "after_look"
    BEFORE_MODEL = "before_model"
    AFTER_MODEL = "after_model"
    BEFORE_CHECKPOINT = "before_checkpoint"
    AFTER_CHECKPOINT = "after_checkpoint"
    BEFORE_PRUNE = "before_prune"


Armed = Callable[[FaultPoint, str], None]

VARIABLE = "DAYBOOK_DIE_AT"

_armed: Armed | None = None


def reached(point: FaultPoint, about: str = "") -> None:
    """Tell that a moment was reached; whoever armed the process does what it likes."""
    if _armed is not None:
        _armed(point, about)


def arm(on_reached: Armed | None) -> None:
    """Call a function at every moment that this process reaches from now on; None for none."""
    global _armed
    _armed = on_reached


def die_at(wanted: str) -> Armed:
    """Make what kills this process with SIGKILL at a moment.

    Args:
        wanted: `POINT:ABOUT`, or `POINT` for whatever it is about.
    """
    name, _, wanted_about = wanted.partition(":")
    wanted_point = FaultPoint(name)

    def die(point: FaultPoint, about: str) -> None:
        if point is wanted_point and wanted_about in ("", about):
            os.kill(os.getpid(), signal.SIGKILL)

    return die


def misnamed(wanted: str) -> str | None:
    """Say why a process cannot die at such a moment, or None."""
    name = wanted.partition(":")[0]
    if name in set(FaultPoint):
        return None
    return f"{VARIABLE} names no fault point; it is one of {', '.join(FaultPoint)}."


def tool_at(wanted: str) -> str | None:
    """Name the tool whose call a process is to die at; None if it is not about a call."""
    name, _, about = wanted.partition(":")
    return about or None if FaultPoint(name) in _OF_A_CALL else None


_OF_A_CALL = frozenset(
    {
        FaultPoint.BEFORE_REQUEST,
        FaultPoint.AFTER_REPLY,
        FaultPoint.BEFORE_LOOK,
        FaultPoint.AFTER_LOOK,
    }
)
