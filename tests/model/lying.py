"""Services that do not keep their word: D is no bound; what can still be promised then."""

from __future__ import annotations

from evals.protocol.cases import one, strange
from evals.protocol.promise import Promise
from evals.protocol.world import Happened, World

LYING = (
    one("probe", stalls=0, lies=True),
    one("key and probe", attempts=(1,), stalls=0, undos=0, lies=True),
    strange("probe", undos=0, lies=True),
)
"""Cases in which what is assumed of the other side does not hold."""


class Remedied(Promise):
    """Hold a model whose other side does not keep its word to what can still be promised.

    What was done twice, or after it was called failed, may stand while nobody knows of it. What the
    ledger came to know of is undone.
    """

    def wrong_state(self, world: World) -> str | None:
        """Say what the ledger knows of and leaves standing."""
        if not self.is_at_rest(world):
            return None
        for gen, book in enumerate(world.books):
            plan = self.books.plans[book]
            for place, step in enumerate(plan.steps):
                slot = gen * self.width + place
                is_known = bool(step.result) and not plan.succeeded
                stands = self.known(world, slot) in world.slots[slot].done
                if is_known and stands and step.undo:
                    return f"{step.name} is {step.state}, and what is known of it stands"
        return None

    def wrong_page(self, before: World, happened: Happened) -> str | None:
        """Say whether a stranger's effect is undone: that may never be."""
        plan = self.books.plans[before.books[happened.book]]
        for event, place, entry in happened.written:
            if place is not None:
                self.taken.add((plan.steps[place].state, event))
                slot = happened.book * self.width + place
                if why := self.not_ours(before, slot, entry):
                    return why
        return None
