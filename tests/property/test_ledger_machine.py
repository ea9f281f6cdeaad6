"""The real ledger under two workers, late answers, people and crashes, in any order."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from checkpoints.ledger import Ledger, Page
from checkpoints.postgres import Postgres, open_postgres
from state.errors import IllegalTransition, OperationReused, Overtaken, PlanStillOpen
from state.guarantees import Guarantees, Patience
from state.plan import Entry, Plan, Step, generation_may_follow
from state.recovery import TERMINAL, Event, StepState
from state.session import Session
from state.settle import AskDoubt, Claim, ClaimUndo, End, LookFor, Move, UndoExtra, Write, settle
from tests.integration.databases import database
from tests.unit.paper import CHARGE, CLASSES, MAIL, ONLY, ORDER, RESERVE, Part, intent, opening

# Nothing is waited for: an attempt has settled by the next look at the clock.
NOW = timedelta(0)
PATIENCE = Patience(budget=NOW, attempts=3, backoff=NOW, backoff_limit=NOW, unknown_settle=NOW)
SHAPES = ((ONLY,), (RESERVE, ORDER), (RESERVE, CHARGE, ORDER, MAIL), (MAIL, replace(ONLY, undo="undo")))
UNDECIDED = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)
WORKERS = st.sampled_from(["w1", "w2"])
PICKS = st.integers(0, 7)


class Crash(Exception):
    """Stand for the end of a process within a page."""


@dataclass(frozen=True)
class Claimed:
    """Hold a right to send once that a worker got."""

    plan_id: str
    step_id: str
    number: int
    undo: bool


@pytest.fixture(scope="module")
def opened(server_url: str, template: str) -> Iterator[tuple[asyncio.Runner, Postgres]]:
    """Open one database for all runs of the machine: each run has a thread of its own."""
    with database(server_url, template) as url, asyncio.Runner() as runner:
        opening = open_postgres(url, tenant_id="default", stored_types=())
        postgres = runner.run(opening.__aenter__())
        try:
            yield runner, postgres
        finally:
            runner.run(opening.__aexit__(None, None, None))


def test_the_ledger_holds_what_it_promises_whatever_happens_in_whatever_order(opened):
    run_state_machine_as_test(
        lambda: LedgerMachine(*opened),
        settings=settings(max_examples=40, stateful_step_count=30, deadline=None),
    )


class LedgerMachine(RuleBasedStateMachine):
    """Let two workers, a person and the other side do anything to one thread."""

    def __init__(self, runner: asyncio.Runner, postgres: Postgres) -> None:
        super().__init__()
        self.runner, self.postgres = runner, postgres
        self.ledger: Ledger = postgres.ledger
        self.thread = str(uuid.uuid4())
        self.plans: list[str] = []
        self.claims: list[Claimed] = []
        self.guarantees: dict[str, Guarantees] = {}
        self.remembered: tuple[str, Move] | None = None

    @initialize(
        classes=st.lists(st.sampled_from(list(CLASSES)), min_size=5, max_size=5),
        keys_are_kept=st.booleans(),
    )
    def begin(self, classes: list[str], keys_are_kept: bool) -> None:
        tools = ("reserve", "charge", "order", "mail", "only")
        kept = timedelta(hours=1) if keys_are_kept else NOW
        self.guarantees = {
            tool: replace(CLASSES[name], retention=kept, settle=NOW if CLASSES[name].settle else None)
            for tool, name in zip(tools, classes, strict=True)
        }

    # -- plans ------------------------------------------------------------------------------------

    @rule(shape=st.sampled_from(SHAPES), pick=PICKS)
    def a_plan_is_opened(self, shape: tuple[Part, ...], pick: int) -> None:
        """Intend operations that may have been intended before, as the next generation."""
        op, plan_id = f"{self.thread}/{pick % 2}", f"{self.thread}/{len(self.plans)}"

        async def write() -> bool:
            async with self.page("w1") as page:
                known = {part.name: await page.operation(f"{op}/0/{part.name}") for part in shape}
                gens = {}
                for name, found in known.items():
                    step = found.plan.find(f"{op}/0/{name}/{found.gen}")[1] if found else None
                    if step is not None and not generation_may_follow(step.state):
                        return False
                    gens[name] = found.gen + 1 if found else 1
                entries = opening(Plan(plan_id, "turn"), shape, op=op)
                parts = {f"{op}/0/{part.name}": gens[part.name] for part in shape}
                page.write(*(replace(e, gen=parts[e.op]) if e.op else e for e in entries))
                return True

        if self.open_plan() is None:
            if self.run(write()):
                self.plans.append(plan_id)
        else:
            self.refused(PlanStillOpen, lambda page, _: page.write(*opening(Plan("x", "t"), (ONLY,))))

    @precondition(lambda self: self.plans)
    @rule(decision=st.sampled_from(["approved", "approved", "approved", "rejected"]))
    def a_person_decides(self, decision: str) -> None:
        plan = self.plan()
        said = {"decisions": [decision], "bound_to": plan.binding_hash}
        entry = plan.entry(Event.DECISION, author="ada", detail=said)
        if plan.decided:
            self.refused(Overtaken, lambda page, plan: page.write(entry))
        else:
            self.written(lambda page, plan: page.write(entry))

    @precondition(lambda self: self.plans)
    @rule()
    def new_input_withdraws_the_plan(self) -> None:
        def withdraw(page: Page, plan: Plan) -> None:
            if plan.decided or plan.touched or plan.over:
                return
            said = {"decisions": ["withdrawn"], "bound_to": plan.binding_hash}
            page.write(plan.entry(Event.DECISION, detail=said))
            page.write(*(plan.entry(Event.WITHDRAWN, step) for step in plan.steps))
            page.write(plan.entry(Event.ENDED))

        self.written(withdraw)

    @precondition(lambda self: self.plans)
    @rule()
    def a_copied_thread_meets_the_record(self) -> None:
        plan = self.plan()
        step = plan.steps[0]

        def same(page: Page, _: Plan | None) -> None:
            copy = Plan("copy", "turn")
            opened = opening(copy, (ONLY,))[0]
            op = step.op.removesuffix(f"/{step.name}")
            page.write(opened, intent(copy, replace(ONLY, name=step.name), op, gen=step.gen))

        thread = f"{self.thread}/copy"
        self.refused(OperationReused, same, thread=thread)

    # -- workers ----------------------------------------------------------------------------------

    @precondition(lambda self: self.plans)
    @rule(worker=WORKERS, shown=st.sampled_from(["absent", "unreachable", "one", "two"]))
    def a_worker_makes_the_move_that_is_due(self, worker: str, shown: str) -> None:
        self.make(worker, self.plan_id, self.due(), shown)

    @precondition(lambda self: self.plans)
    @rule()
    def a_worker_decides_and_stalls(self) -> None:
        self.remembered = (self.plan_id, self.due())

    @precondition(lambda self: self.remembered)
    @rule()
    def a_stalled_worker_makes_the_move_that_was_due(self) -> None:
        assert self.remembered is not None
        self.make("w2", *self.remembered, "absent")

    @precondition(lambda self: self.plans)
    @rule()
    def two_workers_claim_at_once(self) -> None:
        move, plan_id = self.due(), self.plan_id
        if not isinstance(move, Claim | ClaimUndo):
            return

        async def both() -> list[Claimed | None]:
            return await asyncio.gather(*(self.claim(w, plan_id, move) for w in ("w1", "w2")))

        won = [one for one in self.run(both()) if one is not None]
        assert len(won) == 1
        self.claims += won

    @precondition(lambda self: self.claims)
    @rule(pick=PICKS)
    def a_worker_without_manners_claims_an_attempt_again(self, pick: int) -> None:
        claimed = self.claims[-1 - pick % len(self.claims)]

        def again(page: Page, plan: Plan | None) -> None:
            assert plan is not None
            page.write(self.attempt(page, plan, claimed))

        self.refused((Overtaken, IllegalTransition), again, claimed.plan_id)

    @precondition(lambda self: self.plans)
    @rule()
    def a_worker_dies_within_a_page(self) -> None:
        plan_id, move = self.plan_id, self.due()

        async def dies() -> None:
            async with self.page("w1", plan_id) as page:
                plan = await page.plan(plan_id)
                assert plan is not None
                if isinstance(move, Claim | ClaimUndo):
                    number, undo = move.number, isinstance(move, ClaimUndo)
                    page.write(self.attempt(page, plan, Claimed(plan_id, move.step_id, number, undo)))
                elif isinstance(move, Write):
                    page.write(*move.entries)
                page.write(Entry(Event.RECEIVED, turn_id="lost"))
                raise Crash

        before = self.numbers()
        with pytest.raises(Crash):
            self.run(dies())
        assert self.numbers() == before

    # -- the other side ---------------------------------------------------------------------------

    @precondition(lambda self: self.claims)
    @rule(
        pick=PICKS,
        event=st.sampled_from(
            [Event.ACKNOWLEDGED, Event.UNANSWERED, Event.REFUSED, Event.DECLINED]
        ),
        looked=st.sampled_from([None, "absent", "unreachable", "one", "two"]),
    )
    def an_answer_arrives_however_late(self, pick: int, event: Event, looked: str | None) -> None:
        claimed = self.claims[-1 - pick % len(self.claims)]
        if claimed.undo:
            return

        def record(page: Page, plan: Plan) -> None:
            step = plan.find(claimed.step_id)[1]
            payload = {"result": _match(step, claimed.number)} if event is Event.ACKNOWLEDGED else None
            page.write(plan.entry(event, step, attempt=claimed.number, payload=payload))
            if looked is not None and event in (Event.ACKNOWLEDGED, Event.UNANSWERED):
                page.write(_look(plan, step, page.now, looked))

        self.written(record, claimed.plan_id)

    @precondition(lambda self: self.claims)
    @rule(pick=PICKS)
    def an_answer_does_not_show_what_was_expected(self, pick: int) -> None:
        claimed = self.claims[-1 - pick % len(self.claims)]

        def record(page: Page, plan: Plan) -> None:
            step = plan.find(claimed.step_id)[1]
            if step.state is StepState.UNKNOWN:
                shown = {"reason": "expected 5, shows 7", "shown": {"id": "other"}}
                page.write(plan.entry(Event.IN_DOUBT, step, payload=shown))

        self.written(record, claimed.plan_id)

    @precondition(lambda self: self.claims)
    @rule(pick=PICKS, end=st.sampled_from(["undone", "failed", "refused for good"]))
    def an_undo_is_answered_however_late(self, pick: int, end: str) -> None:
        claimed = self.claims[-1 - pick % len(self.claims)]
        if not claimed.undo:
            return

        def record(page: Page, plan: Plan) -> None:
            step = plan.find(claimed.step_id)[1]
            if step.state is not StepState.UNDOING:
                return
            event = Event.UNDONE if end == "undone" else Event.UNDO_FAILED
            detail = {"reason": end, "final": end == "refused for good"}
            page.write(plan.entry(event, step, attempt=claimed.number, detail=detail))

        self.written(record, claimed.plan_id)

    # -- a person ---------------------------------------------------------------------------------

    @precondition(lambda self: self.plans)
    @rule(said=st.sampled_from(["happened", "not_happened", "undo"]))
    def a_person_answers_a_doubt(self, said: str) -> None:
        move = self.due()
        if not isinstance(move, AskDoubt):
            return

        def answer(page: Page, plan: Plan) -> None:
            action, step = plan.find(move.step_id)
            event = Event.NOT_HAPPENED if said == "not_happened" else Event.HAPPENED
            payload = {"result": {"reference": "r"}, "said": said}
            page.write(plan.entry(event, step, author="ada", payload=payload))
            if said == "undo" and not action.closing:
                reason = {"action": action.position, "reason": "asked to undo it"}
                page.write(plan.entry(Event.CLOSING, detail=reason))

        self.written(answer)

    # -- what always holds ------------------------------------------------------------------------

    @invariant()
    def the_chain_verifies_and_numbers_have_no_gaps(self) -> None:
        numbers = self.numbers()
        assert numbers == list(range(1, len(numbers) + 1))
        assert self.run(self.ledger.verify(self.thread)) == len(numbers)

    @invariant()
    def the_work_list_agrees_with_the_fold(self) -> None:
        expected = {}
        for plan in self.all_plans():
            for action in plan.actions:
                for step in action.steps:
                    due = (step.extras or action.closing) and step.undo is not None
                    done = plan.over and step.state is StepState.DONE and not due
                    if step.state not in TERMINAL and not done:
                        pending = [a.settle_at for a in (*step.attempts, *step.undos) if a.is_open]
                        expected[step.step_id] = (step.state.value, max(pending, default=None))
        assert self.run(self.work_list()) == expected

    @invariant()
    def the_open_plan_is_the_one_that_is_not_over(self) -> None:
        open_ = [plan.plan_id for plan in self.all_plans() if not plan.over]
        assert [p for p in [self.open_plan()] if p] == open_

    def teardown(self) -> None:
        """Read the whole ledger again, and hold each entry against what stood before it."""
        plans: dict[str, Plan] = {}
        claimed: set[tuple[str | None, int | None, Event]] = set()
        for entry in self.run(self.ledger.entries(self.thread)):
            assert entry.plan_id is not None
            plan = plans.setdefault(entry.plan_id, Plan(entry.plan_id, entry.turn_id or ""))
            if entry.event in (Event.ATTEMPTED, Event.UNDO_ATTEMPTED):
                assert (entry.step_id, entry.attempt, entry.event) not in claimed
                claimed.add((entry.step_id, entry.attempt, entry.event))
                assert entry.step_id is not None
                action, step = plan.find(entry.step_id)
                if entry.event is Event.ATTEMPTED:
                    assert action.decision == "approved"
                    assert entry.attempt == len(step.attempts) + 1
                    assert not action.closing or step.attempts
                    assert not plan.over
                else:
                    assert action.closing
                    assert all(one.state is not StepState.UNKNOWN for one in action.steps)
                    later = action.steps[action.steps.index(step) + 1 :]
                    assert all(one.state is not StepState.DONE or not one.undo for one in later)
            plan.apply(entry)
        assert {plan_id: self.plan(plan_id) for plan_id in plans} == plans

    # -- small words ------------------------------------------------------------------------------

    def make(self, worker: str, plan_id: str, move: Move, shown: str) -> None:
        """Make a move as the executor does: it is decided again under the lock."""
        match move:
            case Claim() | ClaimUndo():
                claimed = self.run(self.claim(worker, plan_id, move))
                self.claims += [claimed] if claimed is not None else []
            case LookFor(step_id=step_id):
                self.written(
                    lambda page, plan: page.write(
                        _look(plan, plan.find(step_id)[1], page.now, shown)
                    ),
                    plan_id,
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

    async def claim(self, worker: str, plan_id: str, move: Claim | ClaimUndo) -> Claimed | None:
        """Claim what is still due, as the executor does."""
        async with self.page(worker, plan_id) as page:
            plan = await page.plan(plan_id)
            assert plan is not None
            if settle(plan, self.guarantees, PATIENCE, page.now) != move:
                return None
            claimed = Claimed(plan_id, move.step_id, move.number, isinstance(move, ClaimUndo))
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

    def all_plans(self) -> list[Plan]:
        return [self.plan(plan_id) for plan_id in self.plans]

    def due(self) -> Move:
        plan, now = self.run(self.ledger.plan(self.thread, self.plan_id))
        assert plan is not None
        return settle(plan, self.guarantees, PATIENCE, now)

    def open_plan(self) -> str | None:
        return self.run(self.ledger.open_plan(self.thread))

    def numbers(self) -> list[int]:
        return [entry.seq for entry in self.run(self.ledger.entries(self.thread))]

    async def work_list(self) -> dict[str, tuple[str, datetime | None]]:
        async with self.postgres.pool.connection() as conn:
            cursor = await conn.execute(
                "select op || '/' || gen as step, state, due_at from open_step where thread_id = %s",
                (self.thread,),
            )
            return {r["step"]: (r["state"], r["due_at"]) for r in await cursor.fetchall()}

    def run(self, doing: Awaitable[Any]) -> Any:
        async def done() -> Any:
            return await doing

        return self.runner.run(done())


def _match(step: Step, number: int) -> dict[str, Any]:
    return {"id": f"{step.step_id}/{number}"}


def _look(plan: Plan, step: Step, began_at: datetime, shown: str) -> Entry:
    """Write what a probe showed, as the executor does: beside what the ledger holds by then."""
    detail = {"began_at": began_at.isoformat()}
    if shown in ("absent", "unreachable"):
        return plan.entry(Event(shown), step, detail=detail)
    matches = [_match(step, number) for number in ((1,) if shown == "one" else (1, 2))]
    if step.state in UNDECIDED:
        result, *extras = matches
        payload: dict[str, Any] = {"result": result, "extras": extras}
        return plan.entry(Event.FOUND, step, detail=detail, payload=payload)
    extras = [one for one in matches if one not in [*step.extras, step.result]]
    return plan.entry(Event.VERIFIED, step, detail=detail, payload={"extras": extras})
