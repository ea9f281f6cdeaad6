"""The clock: when a tick can go by, and what is older then."""

from __future__ import annotations

from evals.protocol.entries import REFUSED
from evals.protocol.ground import Ground
from evals.protocol.outside import may_still_land, older
from evals.protocol.world import IDLE, Worker, World

LATE = 2
"""Ticks after which whoever has not written its evidence again has died."""


class Clock:
    """Let time go by, a tick at a time."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.case, self.books = ground.case, ground.books

    def later(self, world: World) -> World | None:
        """Let a tick go by, unless something must land or be lost before."""
        for request in world.wire:
            slot = world.slots[request.slot]
            if not (
                self.case.lies or may_still_land(request, slot, self.ground.of_slot(request.slot))
            ):
                return None
        bounds = [self.ground.of_slot(request.slot) for request in world.wire]
        oldest = [9 if g.honours_key or (g.settle and not self.case.lies) else 2 for g in bounds]
        wire = tuple(
            request._replace(age=min(request.age + 1, limit))
            for request, limit in zip(world.wire, oldest, strict=True)
        )
        return world._replace(
            books=tuple(self.books.later(book) for book in world.books),
            workers=tuple(sorted(map(self._older, world.workers))),
            wire=tuple(sorted(wire)),
            slots=tuple(older(slot) for slot in world.slots),
        )

    def _older(self, worker: Worker) -> Worker:
        match worker.does:
            case "sending":
                return Worker("heard", worker.slot, worker.attempt, REFUSED)
            case "waiting":
                return IDLE
            case "telling":
                return worker._replace(age=worker.age + 1) if worker.age < LATE else IDLE
            case "seen" if not worker.shown:
                return (
                    worker._replace(age=worker.age + 1) if worker.age < self.case.stalls else IDLE
                )
            case _:
                return worker
