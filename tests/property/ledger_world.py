"""What a machine of tests may do to one thread of the real ledger, and how it is read."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from checkpoints.ledger import Ledger
from checkpoints.page import Page
from checkpoints.postgres import Postgres
from state.entry import Entry
from state.errors import OperationReused, Overtaken
from state.guarantees import Guarantees, Patience
from state.plan import Plan, generation_may_follow
from state.recovery import Event, StepState
from state.session import Session
from state.settle import Claim, ClaimUndo, End, LookFor, Move, UndoExtra, Write, settle
from state.step import Step
from tests.unit.paper import ONLY, intent, opening

# Nothing is waited for: an attempt has settled by the next look at the clock.
NOW = timedelta(0)
PATIENCE = Patience(budget=NOW, attempts=3, backoff=NOW, backoff_limit=NOW, unknown_settle=NOW)

_UNDECIDED = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)


@dataclass(frozen=True)
class Claimed:
    """Hold a right to send once that a worker got."""

    plan_id: str
    step_id: str
    number: int
    undo: bool


class LedgerWorld:
    """Hold one thread, its plans, and the claims that were got.

    Attributes:
        plans: ids, oldest first.
        claims: of steps and of undos, oldest first.
    """

    def __init__(self, runner: asyncio.Runner, postgres: Postgres) -> None:
        super().__init__()
        self.runner, self.postgres = runner, postgres
        self.ledger: Ledger = postgres.ledger
        self.thread = str(uuid.uuid4())
        self.plans: list[str] = []
        self.claims: list[Claimed] = []
        self.guarantees: dict[str, Guarantees] = {}

    def make(self, plan_id: str, move: Move, shown: str, rivals: bool) -> None:
        """Make a move as the executor does: it is decided again under the lock."""
        match move:
            case Claim() | ClaimUndo():
                self.claims += self.run(self.claimed_by(rivals, plan_id, move))
            case LookFor(step_id=step_id):
                self.written(
                    lambda page, plan: page.write(_look(plan, step_id, page, shown)), plan_id
                )
            case UndoExtra(step_id=step_id, match=match):

                def undone(page: Page, plan: Plan) -> None:
                    step = plan.find(step_id)[1]
                    if match in step.extras:
                        page.write(plan.entry(Event.EXTRA_UNDONE, step))

                self.written(undone, plan_id)
            case Write() | End():

                def follow(page: Page, plan: Plan) -> None:
                    due = settle(plan, self.guarantees, PATIENCE, page.now)
                    if due == move and isinstance(due, Write):
                        page.write(*due.entries)
                    elif due == move:
                        good = all(action.succeeded for action in plan.actions)
                        page.write(plan.entry(Event.SUCCEEDED if good else Event.ENDED))

                self.written(follow, plan_id)

    async def claimed_by(
        self, rivals: bool, plan_id: str, move: Claim | ClaimUndo
    ) -> list[Claimed]:
        """Let one worker claim, or two at once: at most one of them gets it."""
        workers = ("w1", "w2") if rivals else ("w1",)
        won = await asyncio.gather(*(self.claim(worker, plan_id, move) for worker in workers))
        claims = [one for one in won if one is not None]
        assert len(claims) <= 1
        return claims

    def decided(self, decision: str) -> None:
        """Let a person decide, and the same answer arrive a second time."""
        plan = self.plan()
        said = {"decisions": [decision], "bound_to": plan.binding_hash}
        entry = plan.entry(Event.DECISION, author="ada", detail=said)
        self.written(lambda page, plan: page.write(entry))
        self.refused(Overtaken, lambda page, plan: page.write(entry))

    def a_copied_thread_meets_the_record(self) -> None:
        """Intend the same operation and generation from another thread."""
        step = self.plan().steps[0]
        copy = Plan("copy", "turn")
        op = step.op.removesuffix(f"/{step.name}")
        entries = [
            opening(copy, (ONLY,))[0],
            intent(copy, replace(ONLY, name=step.name), op, gen=step.gen),
        ]
        self.refused(
            OperationReused, lambda page, _: page.write(*entries), thread=f"{self.thread}/copy"
        )

    async def generation(self, page: Page, op: str) -> int | None:
        """Return the generation that may be intended now, if any."""
        found = await page.operation(op)
        if found is None:
            return 1
        step = found.plan.find(f"{op}/{found.gen}")[1]
        return found.gen + 1 if generation_may_follow(step.state) else None

    def picked(self, pick: int) -> Claimed:
        """Pick one of the last claims."""
        return self.claims[-1 - pick % len(self.claims)]

    def answered(self, claimed: Claimed, answer: Event, looked: str | None) -> None:
        """Write down what came of an attempt or of an undo, as the executor does."""

        def of_attempt(page: Page, plan: Plan) -> None:
            step = plan.find(claimed.step_id)[1]
            payload = (
                {"result": _match(step, claimed.number)} if answer is Event.ACKNOWLEDGED else None
            )
            page.write(plan.entry(answer, step, attempt=claimed.number, payload=payload))
            if looked is not None:
                page.write(_look(plan, claimed.step_id, page, looked))

        def of_undo(page: Page, plan: Plan) -> None:
            step = plan.find(claimed.step_id)[1]
            if step.state is StepState.UNDOING:
                event = Event.UNDONE if answer is Event.ACKNOWLEDGED else Event.UNDO_FAILED
                detail = {"reason": answer.value, "final": answer is Event.DECLINED}
                page.write(plan.entry(event, step, attempt=claimed.number, detail=detail))

        self.written(of_undo if claimed.undo else of_attempt, claimed.plan_id)

    async def claim(self, worker: str, plan_id: str, move: Claim | ClaimUndo) -> Claimed | None:
        """Claim what is still due, as the executor does."""
        async with self.page(worker, plan_id) as page:
            plan = await page.plan(plan_id)
            assert plan is not None
            if settle(plan, self.guarantees, PATIENCE, page.now) != move:
                return None
            claimed = claim_of(plan, move)
            page.write(self.attempt(page, plan, claimed))
            return claimed

    def attempt(self, page: Page, plan: Plan, claimed: Claimed) -> Entry:
        return plan.entry(
            Event.UNDO_ATTEMPTED if claimed.undo else Event.ATTEMPTED,
            plan.find(claimed.step_id)[1],
            attempt=claimed.number,
            worker=page.session.worker,
            deadline_at=page.now,
            settle_at=page.now,
        )

    def written(self, write: Callable[[Page, Plan], None], plan_id: str | None = None) -> None:
        """Write in a page of the plan; it must be taken."""
        about = plan_id or self.plan_id

        async def in_a_page() -> None:
            async with self.page("w1", about) as page:
                plan = await page.plan(about)
                assert plan is not None
                write(page, plan)

        self.run(in_a_page())

    def refused(
        self,
        error: type[Exception] | tuple[type[Exception], ...],
        write: Callable[[Page, Plan | None], None],
        plan_id: str | None = None,
        thread: str | None = None,
    ) -> None:
        """Write in a page; it must be refused, and nothing of it kept."""
        about = plan_id or (self.plan_id if thread is None else None)

        async def in_a_page() -> None:
            async with self.page("w2", about, thread) as page:
                write(page, await page.plan(about) if about else None)

        before = self.numbers()
        with pytest.raises(error):
            self.run(in_a_page())
        assert self.numbers() == before
        assert thread is None or self.run(self.ledger.entries(thread)) == []

    def page(self, worker: str, plan_id: str | None = None, thread: str | None = None) -> Any:
        session = Session("default", thread or self.thread, "ada", "customer", worker)
        return self.ledger.page(session, plan_id)

    @property
    def plan_id(self) -> str:
        """Name the newest plan."""
        return self.plans[-1]

    def plan(self, plan_id: str | None = None) -> Plan:
        plan, _ = self.run(self.ledger.plan(self.thread, plan_id or self.plan_id))
        assert plan is not None
        return plan

    def due(self, plan_id: str | None = None) -> Move:
        plan, now = self.run(self.ledger.plan(self.thread, plan_id or self.plan_id))
        assert plan is not None
        return settle(plan, self.guarantees, PATIENCE, now)

    def open_plan(self) -> str | None:
        return self.run(self.ledger.open_plan(self.thread))

    def numbers(self) -> list[int]:
        return [entry.seq for entry in self.run(self.ledger.entries(self.thread))]

    async def everything(self) -> tuple[list[Entry], int, dict[str, Any], str | None]:
        """Read the entries, how many of them verify, the work list and the open plan."""
        entries = await self.ledger.entries(self.thread)
        verified = await self.ledger.verify(self.thread)
        async with self.postgres.pool.connection() as conn:
            cursor = await conn.execute(
                "select op || '/' || gen as step, state, due_at from open_step where thread_id = %s",
                (self.thread,),
            )
            listed = {r["step"]: (r["state"], r["due_at"]) for r in await cursor.fetchall()}
        return entries, verified, listed, await self.ledger.open_plan(self.thread)

    def run(self, doing: Awaitable[Any]) -> Any:
        async def done() -> Any:
            return await doing

        return self.runner.run(done())


def _match(step: Step, number: int) -> dict[str, Any]:
    return {"id": f"{step.step_id}/{number}"}


def claim_of(plan: Plan, move: Claim | ClaimUndo) -> Claimed:
    return Claimed(plan.plan_id, move.step_id, move.number, isinstance(move, ClaimUndo))


def _look(plan: Plan, step_id: str, page: Page, shown: str) -> Entry:
    """Write what a probe showed, as the executor does: beside what the ledger holds by then."""
    step = plan.find(step_id)[1]
    detail = {"began_at": page.now.isoformat()}
    if shown in ("absent", "unreachable"):
        return plan.entry(Event(shown), step, detail=detail)
    matches = [_match(step, number) for number in ((1,) if shown == "one" else (1, 2))]
    if step.state in _UNDECIDED:
        result, *extras = matches
        payload: dict[str, Any] = {"result": result, "extras": extras}
        return plan.entry(Event.FOUND, step, detail=detail, payload=payload)
    extras = [one for one in matches if one not in [*step.extras, step.result]]
    return plan.entry(Event.VERIFIED, step, detail=detail, payload={"extras": extras})
