"""The cells: how the merchant is asked, what it does with keys, and what goes wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from daybook.state.fault_points import FaultPoint
from evals.crash.moments import Moment

TRANSPORTS = ("rest", "mcp", "signed")
"""`signed`: REST at a merchant who takes signed requests only."""

MODES = ("honoured", "ignored")
FAULTS = ("drop", "late", "timeout")
WEBHOOKS = ("drop", "double", "forge", "late", "early")
"""What goes wrong with an event; `early`: it comes before the answer to Complete does."""

PERFORMED = "performed"

_KINDS = [(transport, keys) for transport in TRANSPORTS for keys in MODES]

_SENT = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
_OF_STEPS = (
    *_SENT,
    FaultPoint.BEFORE_COMMIT,
    FaultPoint.AFTER_COMMIT,
    FaultPoint.BEFORE_LOOK,
    FaultPoint.AFTER_LOOK,
)


@dataclass(frozen=True)
class Cell:
    """One purchase.

    Attributes:
        keys: `honoured` or `ignored`.
        kills: at a moment; "performed" for when the order stands and nobody has been told; "".
        again: the moment at which the one that takes over is killed; "" for none.
        fault: of the merchant, as it completes; "" for none.
        webhook: what goes wrong with the event; "" for nothing.
    """

    transport: str
    keys: str
    kills: str = ""
    again: str = ""
    fault: str = ""
    webhook: str = ""

    @property
    def name(self) -> str:
        """Name it: `TRANSPORT/KEYS/BLOW`, where a blow may be two."""
        blows = [self.kills, self.again, self.fault, f"webhook-{self.webhook}"]
        given = [one for one in blows if one not in ("", "webhook-")]
        return f"{self.transport}/{self.keys}/{'+'.join(given) or 'calm'}"

    @classmethod
    def read(cls, name: str) -> Self:
        """Read a name.

        Raises:
            ValueError: it is none.
        """
        wrong = f"{name} names no cell: TRANSPORT/KEYS/BLOW, as a run prints it"
        transport, _, rest = name.partition("/")
        keys, _, written = rest.partition("/")
        if transport not in TRANSPORTS or keys not in MODES or not written:
            raise ValueError(wrong)
        found = dict[str, str]()
        for blow in written.split("+") if written != "calm" else ():
            try:
                kind, said = _read_blow(blow, is_second="kills" in found)
            except ValueError as error:
                raise ValueError(wrong) from error
            if kind in found:
                raise ValueError(wrong)
            found[kind] = said
        return cls(transport, keys, **found)

    @property
    def kill_count(self) -> int:
        """Tell how many processes are killed."""
        return bool(self.kills) + bool(self.again)


def _read_blow(written: str, *, is_second: bool) -> tuple[str, str]:
    _, _, webhook = written.partition("webhook-")
    if webhook in WEBHOOKS:
        return "webhook", webhook
    if written in FAULTS:
        return "fault", written
    if written != PERFORMED:
        Moment.read(written)
    return ("again" if is_second else "kills"), written


def undisturbed() -> list[Cell]:
    """Return the runs that show which moments there are."""
    return [Cell(*kind) for kind in _KINDS]


def taken_over() -> list[Cell]:
    """Return the take-overs that show their moments, once the order stands.

    Where its event is lost it is looked up; else the event may have told it before.
    """
    return [
        *(Cell(*kind, kills=PERFORMED) for kind in _KINDS),
        *(Cell("rest", keys, kills=PERFORMED, webhook="drop") for keys in MODES),
    ]


def at_moments(cell: Cell, passed: Sequence[str]) -> list[Cell]:
    """Return a kill at every moment over REST; else, wherever what is done is another.

    Over MCP, and where requests are signed, that is where something is sent or answered.
    """
    every = {"rest": tuple(FaultPoint), "mcp": _SENT, "signed": _SENT}
    points = every[cell.transport]
    return [Cell(cell.transport, cell.keys, kills=one) for one in _at(passed, points)]


def twice(cell: Cell, passed: Sequence[str]) -> list[Cell]:
    """Return a kill of the one that takes over wherever it does something about a step."""
    points = _OF_STEPS if cell.transport == "rest" else ()
    return [replace(cell, again=one) for one in _at(passed, points)]


def _at(passed: Iterable[str], points: Sequence[FaultPoint]) -> list[str]:
    return [one for one in dict.fromkeys(passed) if Moment.read(one).point in points]


def of_the_merchant() -> list[Cell]:
    """Return what merchants do: answers lost, late effects, events lost, doubled, forged, late."""
    return [
        *(Cell(*kind, fault=fault) for kind in _KINDS for fault in FAULTS),
        *(Cell("mcp", keys, webhook="early") for keys in MODES),
        *(Cell("rest", keys, webhook=webhook) for keys in MODES for webhook in WEBHOOKS),
        *(
            Cell("rest", keys, webhook=webhook, **{how: said})
            for keys in MODES
            for how, said in (("fault", "drop"), ("kills", PERFORMED))
            for webhook in WEBHOOKS
            # An answer that never comes has the event before it as it is; the other one shows its
            # moments above.
            if webhook != "early" and (how, webhook) != ("kills", "drop")
        ),
    ]
