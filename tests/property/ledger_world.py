"""What a machine of tests may do to one thread of the real ledger, and how it is read."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.checkpoints.postgres import Postgres
from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.errors import OperationReused, Overtaken
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_move import (
    Claim,
    ClaimUndo,
    End,
    LookFor,
    Move,
    UndoExtra,
    Wait,
    Write,
    settle,
)
from daybook.state.ledger.plan import Plan, generation_may_follow
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.session import Session
from evals.protocol.books import ended
from tests.unit.paper import ONLY, intent, opening

D = timedelta(seconds=10)
PATIENCE = Patience(
    budget=timedelta(seconds=5),
    attempts=3,
    backoff=timedelta(seconds=1),
    backoff_limit=timedelta(seconds=2),
    unknown_settle=D,
    question=timedelta(hours=1),
    approval=timedelta(minutes=15),
)
_AFTER = timedelta(milliseconds=1)

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
        questions: of doubt, as they were put: plan, step and the question's name.
        gone: how much time went by beside the database's own.
    """

    def __init__(self, runner: asyncio.Runner, postgres: Postgres) -> None:
        super().__init__()
        self.runner, self.postgres = runner, postgres
        self.ledger: Ledger = postgres.ledger
        self.thread = str(uuid.uuid4())
        self.plans: list[str] = []
        self.claims: list[Claimed] = []
        self.questions: list[tuple[str, str, str]] = []
        self.guarantees: dict[str, Guarantees] = {}
        self.gone = timedelta(0)

    def make(self, plan_id: str, move: Move, shown: str, rivals: bool) -> None:
        """Make a move as the executor does: it is decided again under the lock."""
        match move:
            case Claim() | ClaimUndo():
                self.claims += self.run(self.claimed_by(rivals, plan_id, move))
            case LookFor(step_id=step_id):

                def looked(page: Page, plan: Plan) -> None:
                    page.write(_look(plan, step_id, page, shown))
                    self.follow(page, plan)

                self.written(looked, plan_id)
            case UndoExtra(step_id=step_id, match=match):

                def undone(page: Page, plan: Plan) -> None:
                    step = plan.find(step_id)[1]
                    if match in step.extras:
                        page.write(plan.entry(Event.EXTRA_UNDONE, step))
                    self.follow(page, plan)

                self.written(undone, plan_id)
            case Write() | End():
                self.written(self.follow, plan_id)
            case Wait(until=until):
                # At the very moment it may be due already: the database's clock has run on.
                self.gone += max(until - self.now(), timedelta(0)) + _AFTER

    def follow(self, page: Page, plan: Plan) -> None:
        """Write what follows from what is known, as `daybook.nodes.sending.record` does."""
        while isinstance(due := settle(plan, self.guarantees, PATIENCE, page.now), Write | End):
            page.write(*(due.entries if isinstance(due, Write) else (ended(plan),)))

    async def claimed_by(
        self, rivals: bool, plan_id: str, move: Claim | ClaimUndo
    ) -> list[Claimed]:
        """Let one worker claim, or two at once: at most one of them gets it."""
        workers = ("w1", "w2") if rivals else ("w3",)
        won = await asyncio.gather(*(self.claim(worker, plan_id, move) for worker in workers))
        claims = [one for one in won if one is not None]
        assert len(claims) <= 1
        return claims

    def decided(self, decision: str) -> None:
        """Let a person decide, and the same answer arrive a second time.

        Whether it is in time is judged under the lock, as in `daybook.nodes.approve`.
        """
        self.written(self.follow)
        plan = self.plan()
        if not plan.decided:
            self.written(lambda page, plan: page.write(_decision(page, plan, decision)))
        self.answered_too_late(plan.plan_id, decision)

    def answered_too_late(self, plan_id: str, decision: str) -> None:
        """Let an answer arrive at a question that was decided, whatever became of it."""
        self.refused(
            Overtaken,
            lambda page, plan: plan and page.write(_decision(page, plan, decision)),
            plan_id,
        )

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
            # What can be looked up is, and stands in the same page; here nobody answers.
            is_missed = answer is Event.ACKNOWLEDGED and self.guarantees[step.tool].provable
            if shown := looked or ("unreachable" if is_missed else None):
                page.write(_look(plan, claimed.step_id, page, shown))
            self.follow(page, plan)

        def of_undo(page: Page, plan: Plan) -> None:
            step = plan.find(claimed.step_id)[1]
            if step.state is StepState.UNDOING:
                event = Event.UNDONE if answer is Event.ACKNOWLEDGED else Event.UNDO_FAILED
                detail = {"reason": answer.value, "final": answer is Event.DECLINED}
                page.write(plan.entry(event, step, attempt=claimed.number, detail=detail))
            self.follow(page, plan)

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
            deadline_at=page.now + PATIENCE.budget,
            settle_at=page.now + PATIENCE.budget + D,
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

    @asynccontextmanager
    async def page(
        self, worker: str, plan_id: str | None = None, thread: str | None = None
    ) -> AsyncIterator[Page]:
        """Open a page at the time that the machine tells."""
        session = Session("default", thread or self.thread, "ada", "ada", "customer", worker)
        async with self.ledger.page(session, plan_id) as page:
            page.now += self.gone
            yield page

    def now(self) -> datetime:
        """Tell the time, UTC."""
        return self._read(self.plan_id)[1]

    def _read(self, plan_id: str) -> tuple[Plan, datetime]:
        plan, now = self.run(self.ledger.plan(self.thread, plan_id))
        assert plan is not None
        return plan, now + self.gone

    @property
    def plan_id(self) -> str:
        """Name the newest plan."""
        return self.plans[-1]

    def plan(self, plan_id: str | None = None) -> Plan:
        return self._read(plan_id or self.plan_id)[0]

    def due(self, plan_id: str | None = None) -> Move:
        plan, now = self._read(plan_id or self.plan_id)
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


def _decision(page: Page, plan: Plan, decision: str) -> Entry:
    return plan.entry(
        Event.DECISION,
        author="ada",
        deadline_at=page.now + PATIENCE.approval,
        detail={"decisions": [decision for _ in plan.actions], "bound_to": plan.binding_hash},
    )


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
