"""Everything that can happen next: workers, the wire, people, the clock."""

from __future__ import annotations

from collections.abc import Iterator

from daybook.state.ledger.next_move import Over
from evals.protocol.books import Rules
from evals.protocol.case import Case
from evals.protocol.clock import Clock
from evals.protocol.ground import Ground
from evals.protocol.outside import Slot
from evals.protocol.people import People
from evals.protocol.wire import Wire
from evals.protocol.workers import Workers
from evals.protocol.world import IDLE, Happened, World


class Model(Ground):
    """Tell what can happen next in a case."""

    def __init__(self, case: Case, rules: Rules | None = None) -> None:
        super().__init__(case, rules)
        self.workers, self.wire = Workers(self), Wire(self)
        self.people, self.clock = People(self), Clock(self)

    def first(self) -> World:
        """Return the world in which the first plan has just been approved."""
        return World(
            books=(self.books.opened(self.approved(1)),),
            workers=(IDLE,) * self.case.workers,
            wire=(),
            undos=(),
            slots=(Slot(),) * (self.width * len(self.case.attempts)),
            odd=self.case.odd,
            repeats=self.case.repeats,
        )

    def next(self, world: World) -> Iterator[Happened]:
        """Yield everything that can happen."""
        yield from self.workers.next(world)
        yield from self.wire.next(world)
        yield from self.people.next(world)
        if (later := self.clock.later(world)) is not None:
            yield Happened(("a tick",), later)

    def is_at_rest(self, world: World) -> bool:
        """Tell whether nothing is left to do and nothing can arrive any more."""
        return (
            not world.wire
            and not world.undos
            and all(worker == IDLE for worker in world.workers)
            and all(isinstance(self.books.due(book), Over) for book in world.books)
            and all(self.people.asked(world, gen) is None for gen, _ in enumerate(world.books))
        )
