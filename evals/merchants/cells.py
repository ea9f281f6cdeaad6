"""The cells: how the merchant is asked, what it does with keys, and what goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from daybook.state.fault_points import FaultPoint
from evals.crash.moments import Moment

TRANSPORTS = ("rest", "mcp")
MODES = ("honoured", "ignored")
WEBHOOKS = ("drop", "double", "forge", "late")

_SENT = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
_WRITTEN = (FaultPoint.BEFORE_COMMIT, FaultPoint.AFTER_COMMIT)


@dataclass(frozen=True)
class Cell:
    """One purchase.

    Attributes:
        keys: `honoured` or `ignored`.
        kills: at a moment; "performed" for when the order stands and nobody has been told; "".
        fault: of the merchant, as it completes; "" for none.
        webhook: what goes wrong with the event; "" for nothing.
    """

    transport: str
    keys: str
    kills: str = ""
    fault: str = ""
    webhook: str = ""

    @property
    def name(self) -> str:
        """Name it."""
        blow = self.kills or self.fault or (f"webhook-{self.webhook}" if self.webhook else "calm")
        beside = f"+webhook-{self.webhook}" if self.webhook and blow[:7] != "webhook" else ""
        return f"{self.transport}/{self.keys}/{blow}{beside}"


def undisturbed() -> list[Cell]:
    """Return the runs that show which moments there are."""
    return [Cell(transport, keys) for transport in TRANSPORTS for keys in MODES]


def at_moments(cell: Cell, passed: Sequence[str]) -> list[Cell]:
    """Return a kill wherever something is sent or answered; over REST, wherever it is written too.

    What is written is written by the same code over either transport.
    """
    points = (*_SENT, *_WRITTEN) if cell.transport == "rest" else _SENT
    return [
        Cell(cell.transport, cell.keys, kills=one)
        for one in dict.fromkeys(passed)
        if Moment.read(one).point in points
    ]


def of_the_merchant() -> list[Cell]:
    """Return what merchants do: answers lost, late effects, events lost, doubled, forged, late."""
    kinds = [(transport, keys) for transport in TRANSPORTS for keys in MODES]
    return [
        *(Cell(*kind, kills="performed") for kind in kinds),
        *(Cell(*kind, fault=fault) for kind in kinds for fault in ("drop", "late", "timeout")),
        *(
            Cell("rest", keys, fault=fault, webhook=webhook)
            for keys in MODES
            for fault in ("", "drop")
            for webhook in WEBHOOKS
        ),
        *(
            Cell("rest", keys, kills="performed", webhook=webhook)
            for keys in MODES
            for webhook in WEBHOOKS
        ),
    ]
