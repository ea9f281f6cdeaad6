"""The account: what the ledger says was done, against what the shop says really happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.state.effects.keys import undo_key
from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import fold
from daybook.state.ledger.recovery import Event, StepState
from daybook.tools.services.mail import message_id
from evals.crash.shop import Shop
from evals.storm.people import Person
from evals.storm.strikes import Storm, Struck

_RESUMES = frozenset(
    {
        Event.ATTEMPTED,
        Event.UNDO_ATTEMPTED,
        Event.ACKNOWLEDGED,
        Event.FOUND,
        Event.UNDONE,
        Event.FAILED,
        Event.IN_DOUBT,
    }
)
"""Events that move a step on that was out there without an answer."""


@dataclass
class Account:
    """What was found.

    Attributes:
        expected: effects that the ledger says happened.
        found: effects that happened.
        duplicates, lost, unknown: references that happened more often than the ledger says, that
            did not happen, and that the ledger knows nothing of.
        holds_left: holds that still keep stock from others.
        open_steps: what is left in the work list.
        broken: chains and work lists that do not verify.
        approved: what people approved; each must have ended as one of the following.
        placed, undone, cancelled: purchases that succeeded, what ended without anything left of
            it, and cancellations that succeeded.
    """

    expected: int = 0
    found: int = 0
    duplicates: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    holds_left: int = 0
    open_steps: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    approved: int = 0
    placed: int = 0
    undone: int = 0
    cancelled: int = 0

    @property
    def is_exact(self) -> bool:
        """Tell whether everything happened once and nothing is left."""
        return not (
            self.duplicates
            or self.lost
            or self.unknown
            or self.holds_left
            or self.open_steps
            or self.broken
            or self.approved != self.placed + self.undone + self.cancelled
        )


async def audit(people: Sequence[Person], postgres: Postgres, shop: Shop) -> Account:
    """Compare ledger and shop, effect by effect."""
    account, expected = Account(), Counter[str]()
    for person in people:
        account.approved += person.approved
        try:
            await postgres.ledger.verify(person.thread_id)
        except (ChainBroken, ProjectionWrong) as error:
            account.broken.append(f"{person.thread_id}: {error}")
        _expect(await postgres.ledger.entries(person.thread_id), expected, account)
    effects = [one for one in await shop.effects() if one["user_id"] in _users(people)]
    effects += [one for one in await shop.effects() if one["effect"] == "mail"]
    happened = Counter(str(one["reference"]) for one in _once(effects))
    account.expected, account.found = expected.total(), happened.total()
    for reference in expected.keys() | happened.keys():
        wanted, is_so = expected[reference], happened[reference]
        if is_so < wanted:
            account.lost.append(reference)
        elif wanted == 0:
            account.unknown.append(reference)
        elif is_so > wanted:
            account.duplicates.append(reference)
    for one in effects:
        if one["effect"] == "reserve":
            hold = await shop.ask("GET", f"/holds/{one['detail']['hold_id']}")
            account.holds_left += hold["state"] == "held"
    async with postgres.pool.connection() as conn:
        rows = await (await conn.execute("select op, state from open_step")).fetchall()
    account.open_steps = [f"{row['op']} {row['state']}" for row in rows]
    return account


def _users(people: Sequence[Person]) -> set[str]:
    return {person.user for person in people}


def _once(effects: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Take each effect of the list once; mails may be listed under their user as well."""
    return list({one["n"]: one for one in effects}.values())


def _expect(entries: Sequence[Entry], expected: Counter[str], account: Account) -> None:
    """Count the effects that the ledger of a thread says happened."""
    plans: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.plan_id is not None:
            plans.setdefault(entry.plan_id, []).append(entry)
    for of_plan in plans.values():
        plan = fold(of_plan)
        assert plan is not None
        for action in plan.actions:
            if action.decision == "approved":
                account.undone += not action.succeeded
                account.placed += action.succeeded and action.tool == "checkout"
                account.cancelled += action.succeeded and action.tool != "checkout"
        for step in plan.steps:
            is_mail = step.tool == "send_email"
            key = message_id(step.step_id) if is_mail else step.step_id
            if step.state in (StepState.DONE, StepState.UNDONE):
                expected[key] += 1
            if step.state is StepState.UNDONE:
                expected[undo_key(step.step_id)] += 1


@dataclass
class Times:
    """How long it took to go on with what a strike cut off.

    Attributes:
        alone: of workers that were killed in a charge, with nothing else under way.
        alone_proved: of the same, where the charge had to be proved: until D allowed to go on.
        killed: of killed workers, for steps that were not sent or are sent again under their key.
        suspended: the same, of suspended workers.
        looked: of steps without a key that were out there: the first look, where there is one.
        proved: of the same, until D allowed to go on.
        outage: of whatever was cut off while Postgres was away, or went on only after it was.
        again: runs that were struck again before they went on; they count from then.
    """

    alone: list[timedelta] = field(default_factory=list)
    alone_proved: list[timedelta] = field(default_factory=list)
    killed: list[timedelta] = field(default_factory=list)
    suspended: list[timedelta] = field(default_factory=list)
    looked: list[timedelta] = field(default_factory=list)
    proved: list[timedelta] = field(default_factory=list)
    outage: list[timedelta] = field(default_factory=list)
    again: int = 0


async def times_of(storm: Storm, postgres: Postgres, *, honours_keys: bool) -> Times:
    """Read from the ledger when each run that was cut off was gone on with."""
    times = Times()
    for one in storm.struck:
        after = [
            entry
            for entry in await postgres.ledger.entries(one.thread_id, one.seq)
            if entry.at is not None and entry.at > one.at
        ]
        waits = [op for op in one.unknown if not honours_keys or op.endswith("send_email")]
        moved = [e for e in after if not waits or (e.op in waits and e.event in _RESUMES)]
        if not moved:
            continue
        first, took = _since(one, after[0]), _since(one, moved[0])
        if any(
            other.thread_id == one.thread_id and one.at < other.at < one.at + took
            for other in storm.struck
        ):
            times.again += 1
        elif any(one.at < until and since < one.at + took for since, until in storm.outages):
            times.outage.append(took)
        elif one.kind == "alone":
            times.alone.append(first)
            times.alone_proved.extend([took] if waits else [])
        elif waits:
            times.proved.append(took)
            if any(not op.endswith("send_email") for op in waits):
                times.looked.append(first)
        else:
            (times.killed if one.kind == "killed" else times.suspended).append(took)
    return times


def _since(one: Struck, entry: Entry) -> timedelta:
    assert entry.at is not None
    return entry.at - one.at
