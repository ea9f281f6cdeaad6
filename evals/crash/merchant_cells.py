"""The cells of a purchase at a merchant: how it is asked, what it does with keys, what goes wrong.

And what became of each, by the shop's own record and by what its person was told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, replace
from typing import Any, Self

from daybook.state.fault_points import FaultPoint
from daybook.testing.moments import Moment
from daybook.testing.processes import Ended
from evals.report import console, table

TRANSPORTS = ("rest", "mcp", "signed")
"""`signed`: REST at a merchant who takes signed requests only."""

MODES = ("honoured", "ignored")
FAULTS = {
    "drop": "nothing; the answer is lost",
    "late": "nothing; performed after the caller gave up",
    "timeout": "nothing; no answer in time",
}
"""Of the merchant, as it completes; and the rows in which they are counted."""

WEBHOOKS = {
    "drop": "is lost",
    "double": "comes twice",
    "forge": "is forged first",
    "late": "comes late",
    "early": "comes before the answer",
}
"""What goes wrong with an event; `early`: it comes before the answer to Complete does."""

PERFORMED = "performed"
ITEM = "BOOT-002"
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
    def parse(cls, name: str) -> Self:
        """Return the cell of a name.

        Raises:
            ValueError: it names none.
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
    def row(self) -> str:
        """Name the row in which it is counted."""
        if self.again:
            return "the one that takes over, too"
        if self.webhook:
            what = (
                "performed, no reply" if self.kills else "answer lost" if self.fault else "nothing"
            )
            return f"{what}; the event {WEBHOOKS[self.webhook]}"
        if self.kills == PERFORMED:
            return "performed, no reply"
        if self.kills:
            return Moment.parse(self.kills).point.value
        return FAULTS.get(self.fault, "nothing")


def _read_blow(written: str, *, is_second: bool) -> tuple[str, str]:
    _, _, webhook = written.partition("webhook-")
    if webhook in WEBHOOKS:
        return "webhook", webhook
    if written in FAULTS:
        return "fault", written
    if written != PERFORMED:
        Moment.parse(written)
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
    return [one for one in dict.fromkeys(passed) if Moment.parse(one).point in points]


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


@dataclass(frozen=True)
class Verdict:
    """What became of a cell, by the shop's own record, and by what its person was told.

    Attributes:
        twice: orders, and charges, beyond the first.
        lost: 1 where there is no order, or the thread does not know the one that there is.
        left: sessions that hold goods and came to no order, by whoever opened them.
        untold: those of them of which nobody was told.
        doubts: how often its person was asked what became of a step.
        wrong: each promise that was broken, as a sentence.
    """

    cell: Cell
    twice: int
    lost: int
    left: int
    untold: int
    doubts: int
    wrong: tuple[str, ...]


def verdict_of(
    cell: Cell,
    effects: Sequence[Mapping[str, Any]],
    ends: Sequence[Ended],
    unmet: Sequence[Mapping[str, Any]] = (),
) -> Verdict:
    """Judge a cell by the shop's effects, and how its processes ended; the last one tells the end.

    Args:
        unmet: faults that were planned and that nothing has met.
    """
    found = ends[-1].found
    happened = Counter(one["effect"] for one in effects)
    placed = [one["detail"]["order_id"] for one in effects if one["effect"] == "order"]
    known = found["orders"] if found else []
    doubled = max(0, happened["order"] - 1) + max(0, happened["charge"] - 1)
    lost = int(not placed or known != placed[:1])
    left = max(0, happened["reserve"] - happened["release"] - happened["order"])
    told = found["told"] + len(found["open"]) if found else 0
    untold = max(0, left - told)
    error = found["error"] if found else "it was killed"
    killed, wanted = sum(one.killed for one in ends), bool(cell.kills) + bool(cell.again)
    refunds = [line for line in (found["shown"] if found else ()) if "refund" in line]
    wrong = [
        (doubled > 0, f"happened twice: {dict(happened)}"),
        (lost > 0, f"lost: the shop has {placed}, the thread {known}"),
        (untold > 0, f"{left} sessions are left, and {told} are told of: {dict(happened)}"),
        (bool(refunds), f"what was forged is believed: {refunds}"),
        (bool(error), f"it did not come to its end: {error}"),
        (killed != wanted, f"{killed} were killed, and it should have been {wanted}"),
        (bool(unmet), f"nothing met {list(unmet)}"),
        (any(one.log for one in ends if not one.killed), f"it wrote: {ends[-1].log[-500:]}"),
    ]
    doubts = sum(one["what"] == "doubt" for one in found["did"]) if found else 0
    sentences = tuple(why for is_so, why in wrong if is_so)
    return Verdict(cell, doubled, lost, left, untold, doubts, sentences)


def show(verdicts: Sequence[Verdict], answered: Mapping[int, int]) -> None:
    """Print the matrix by what went wrong.

    Args:
        answered: how many events were answered by which status.
    """
    rows: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        rows.setdefault(verdict.cell.row, []).append(verdict)
    titles = (
        "killed",
        "cells",
        "orders twice",
        "lost",
        "sessions left, honoured / ignored",
        "untold",
        "in doubt",
        "broken promises",
    )
    counts = [(row, *_counts(of_it)) for row, of_it in [*rows.items(), ("all", list(verdicts))]]
    to = console()
    to.print(table(titles, counts))
    taken = sum(n for status, n in answered.items() if status < 300)
    cells, doubled, lost, left, untold, _, wrong = counts[-1][1:]
    to.print(
        f"{cells} purchases, {doubled} orders twice, {lost} lost; {left} sessions left to run out, "
        f"where keys are honoured / ignored, {untold} of them without being told; {taken} events "
        f"taken in, {answered.get(401, 0)} forged ones refused; {wrong} not as promised."
    )


def _counts(verdicts: Sequence[Verdict]) -> tuple[object, ...]:
    left = (sum(v.left for v in verdicts if v.cell.keys == mode) for mode in MODES)
    return (
        len(verdicts),
        sum(v.twice for v in verdicts),
        sum(v.lost for v in verdicts),
        " / ".join(map(str, left)),
        sum(v.untold for v in verdicts),
        sum(v.doubts for v in verdicts),
        sum(bool(v.wrong) for v in verdicts),
    )
