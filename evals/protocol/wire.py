"""What was sent can land, be heard, or be lost."""

from __future__ import annotations

from collections.abc import Iterator

from evals.protocol.entries import ACK, DOOR, NO
from evals.protocol.ground import Ground
from evals.protocol.outside import DECLINED, Request, declined, performed, undone
from evals.protocol.world import Happened, Worker, World, put


class Wire:
    """Tell what can become of requests and undos that were sent."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.case, self.rules, self.width = ground.case, ground.rules, ground.width

    def next(self, world: World) -> Iterator[Happened]:
        """Yield everything that can become of what was sent."""
        for request in world.wire:
            yield from self._lands(world, request)
        for slot, attempt in world.undos:
            yield self._undo_lands(world, slot, attempt)

    def _lands(self, world: World, request: Request) -> Iterator[Happened]:
        slot, attempt, _ = request
        wire = tuple(one for one in world.wire if one != request)
        gone = world._replace(wire=wire)
        yield Happened(("is lost", slot, attempt), gone)
        guarantees = self.ground.of_slot(slot)
        after, answer = performed(world.slots[slot], attempt, guarantees)
        verdicts = [(after, (ACK if answer else NO, answer))]
        if (refusing := declined(world.slots[slot], guarantees)) is not None:
            verdicts.append((refusing, (NO, DECLINED)))
        if self.case.doors:
            verdicts.append((world.slots[slot], (DOOR, DECLINED)))
        for slot_after, reply in verdicts:
            landed = gone._replace(slots=put(world.slots, slot, slot_after))
            yield Happened(("lands", slot, attempt, *reply), landed)
            for number, worker in enumerate(world.workers):
                if worker == Worker("waiting", slot, attempt):
                    heard = Worker("heard", slot, attempt, *reply)
                    yield self.ground.now(
                        landed, number, heard, ("lands, is heard", slot, attempt, *reply)
                    )

    def _undo_lands(self, world: World, slot: int, attempt: int) -> Happened:
        undos = tuple(one for one in world.undos if one != (slot, attempt))
        slots = put(world.slots, slot, undone(world.slots[slot], attempt))
        if not self.rules.undo_names_generation:
            slots = tuple(
                undone(s, attempt) if i % self.width == slot % self.width else s
                for i, s in enumerate(slots)
            )
        what = ("an undo lands", slot, attempt)
        return Happened(what, world._replace(undos=undos, slots=slots))
