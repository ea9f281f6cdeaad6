"""Whether what people bought happened once: the ledger against the shop's own record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from daybook.checkpoints.pool import rows_of
from daybook.state.clock import SYSTEM
from daybook.state.effects.keys import undo_key
from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import fold
from daybook.state.ledger.recovery import StepState
from daybook.tools.services.mail import message_id
from evals.load.people import Shopper
from evals.load.world import World

_CALM_S = 120.0
_PAUSE_S = 0.5

_OPEN = "select thread_id, op, state from open_step"


@dataclass
class Account:
    """What was found.

    Attributes:
        effects: that happened.
        duplicates, lost, unknown: references that happened more often than the ledger says, that
            did not happen, and that the ledger knows nothing of.
        holds_left: holds that still keep stock from others.
        left: what is left in the work list, and chains and work lists that do not verify.
        approved: what people approved; each must have ended as one of the following.
        done: purchases that succeeded, or ended without anything left of them.
    """

    effects: int = 0
    duplicates: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    holds_left: int = 0
    left: list[str] = field(default_factory=list)
    approved: int = 0
    done: int = 0

    @property
    def others(self) -> list[str]:
        """Return all that is left of what must not be, beside what is doubled or lost."""
        found = [*self.unknown, *self.left]
        if self.holds_left:
            found.append(f"{self.holds_left} holds")
        if self.approved != self.done:
            found.append(f"{self.approved} approved, {self.done} done")
        return found


async def account(world: World, shoppers: Sequence[Shopper]) -> Account:
    """Compare ledger and shop for all that was bought, once nothing is under way any more."""
    over = SYSTEM.monotonic() + _CALM_S
    while SYSTEM.monotonic() < over and await rows_of(world.postgres.pool, _OPEN):
        await SYSTEM.sleep(_PAUSE_S)
    found, expected = Account(approved=sum(one.approved for one in shoppers)), Counter[str]()
    for thread in [thread for one in shoppers for thread in one.threads]:
        try:
            await world.postgres.ledger.verify(thread)
        except (ChainBroken, ProjectionWrong) as error:
            found.left.append(f"{thread}: {error}")
        _expect(await world.postgres.ledger.entries(thread), expected, found)
    users = {one.user for one in shoppers}
    effects = [
        one
        for one in await world.shop.effects()
        if one["user_id"] in users or one["effect"] == "mail"
    ]
    happened = Counter(str(one["reference"]) for one in effects)
    found.effects = happened.total()
    for reference in expected.keys() | happened.keys():
        wanted, is_so = expected[reference], happened[reference]
        if is_so < wanted:
            found.lost.append(reference)
        elif wanted == 0:
            found.unknown.append(reference)
        elif is_so > wanted:
            found.duplicates.append(reference)
    for one in effects:
        if one["effect"] == "reserve":
            hold = await world.shop.ask("GET", f"/holds/{one['detail']['hold_id']}")
            found.holds_left += hold["state"] == "held"
    rows = await rows_of(world.postgres.pool, _OPEN)
    found.left += [f"{row['op']} {row['state']}" for row in rows]
    return found


def _expect(entries: Sequence[Entry], expected: Counter[str], found: Account) -> None:
    """Count the effects that the ledger of a thread says happened."""
    plans: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.plan_id is not None:
            plans.setdefault(entry.plan_id, []).append(entry)
    for of_plan in plans.values():
        plan = fold(of_plan)
        assert plan is not None
        found.done += sum(action.decision == "approved" for action in plan.actions)
        for step in plan.steps:
            is_mail = step.tool == "send_email"
            key = message_id(step.step_id) if is_mail else step.step_id
            if step.state in (StepState.DONE, StepState.UNDONE):
                expected[key] += 1
            if step.state is StepState.UNDONE:
                expected[undo_key(step.step_id)] += 1


async def doubts_settled(world: World, everybody: Sequence[Shopper]) -> int:
    """Let people look what became of mails that were cut off, and answer; return of how many."""
    answered = set[str]()
    over = SYSTEM.monotonic() + _CALM_S
    while SYSTEM.monotonic() < over and (left := await rows_of(world.postgres.pool, _OPEN)):
        doubted = {row["thread_id"] for row in left if row["state"] == "in_doubt"}
        sent = {str(one["reference"]) for one in await world.shop.effects()}
        for one in everybody:
            for thread in doubted.intersection(one.threads):
                if await one.settles(thread, sent):
                    answered.add(thread)
        await SYSTEM.sleep(_PAUSE_S)
    return len(answered)
