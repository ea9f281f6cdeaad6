"""What is searched: the parts of a plan, what is promised of its tools, how much may go wrong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from daybook.state.effects.guarantees import Guarantees
from evals.protocol.books import PATIENCE
from evals.protocol.parts import Part


@dataclass(frozen=True)
class Case:
    """Say what is searched.

    Attributes:
        parts: of the one action of each plan; tools have the names of the parts.
        guarantees: by tool.
        attempts: by generation, how many attempts of a step anything may happen to; beyond them
            all goes well, so that every path comes to an end.
        undos: likewise, of undos.
        workers: at most so many at once.
        cancels: the first plan may be closed from outside at any time.
        stalls: ticks for which a worker may sit on an absence that it saw; then it has died.
        clicks: a person's answer may arrive a second time, however late.
        lies: what is assumed of the other side does not hold: D is no bound.
        odd: how often something is shown that is not ours, or not as it was approved.
        shows_key: rows of a look-up show the key that an effect was made under.
        repeats: how often a page is committed whose worker never hears of it, and writes it again.
        late: a look-up may miss what was done until its attempt has settled.
        doors: requests may be turned away at the door, whatever is kept under their key.
        faults: a look-up may fail by a fault of its own too.
        unproved: after which a person is asked about what cannot be proved; far away unless given.
    """

    name: str
    parts: tuple[Part, ...]
    guarantees: dict[str, Guarantees]
    attempts: tuple[int, ...] = (2,)
    undos: int = 1
    workers: int = 2
    cancels: bool = True
    stalls: int = 2
    clicks: bool = False
    lies: bool = False
    odd: int = 0
    shows_key: bool = True
    repeats: int = 0
    late: bool = False
    doors: bool = False
    faults: bool = False
    unproved: timedelta = PATIENCE.unproved
