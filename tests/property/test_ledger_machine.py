"""The real ledger under two workers, late answers, people and crashes, in any order."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from checkpoints.ledger import Ledger
from checkpoints.page import Page
from checkpoints.postgres import Postgres, open_postgres
from state.entry import Entry
from state.errors import IllegalTransition, OperationReused, Overtaken, PlanStillOpen
from state.guarantees import Guarantees, Patience
from state.plan import Plan, fold, generation_may_follow
from state.recovery import TERMINAL, Event, StepState
from state.session import Session
from state.settle import AskDoubt, Claim, ClaimUndo, End, LookFor, Move, UndoExtra, Write, settle
from state.step import Step
from tests.integration.databases import database
from tests.unit.paper import CHARGE, CLASSES, MAIL, ONLY, ORDER, RESERVE, Part, intent, opening

# Nothing is waited for: an attempt has settled by the next look at the clock.
NOW = timedelta(0)
PATIENCE = Patience(budget=NOW, attempts=3, backoff=NOW, backoff_limit=NOW, unknown_settle=NOW)
SHAPES = (
    (ONLY,),
    (RESERVE, ORDER),
    (RESERVE, CHARGE, ORDER, MAIL),
    (MAIL, replace(ONLY, undo="undo")),
)
UNDECIDED = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)
LOOKED_AFTER = (Event.ACKNOWLEDGED, Event.UNANSWERED)
PICKS = st.integers(0, 7)
DECISIONS = st.sampled_from(["approved"] * 6 + ["rejected", None])
SHOWN = st.sampled_from(["absent", "unreachable", "one", "two"])
ANSWERS = st.sampled_from(
    [Event.ACKNOWLEDGED, Event.ACKNOWLEDGED, Event.UNANSWERED, Event.REFUSED, Event.DECLINED, None]
)
# A late answer, and what the look-up after it shows.
LATE = st.sampled_from(
    [
        *((answer, shown) for answer in LOOKED_AFTER for shown in (None, "absent", "one", "two")),
        (Event.REFUSED, None),
        (Event.DECLINED, None),
    ]
)


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
        # Shrinking a failure takes minutes: add Phase.shrink when there is one to look into.
        settings=settings(
            max_examples=30,
            stateful_step_count=15,
            deadline=None,
            phases=[Phase.reuse, Phase.generate],
        ),
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

    @initialize(
        classes=st.lists(st.sampled_from(list(CLASSES)), min_size=5, max_size=5),
        keys_are_kept=st.booleans(),
    )
    def begin(self, classes: list[str], keys_are_kept: bool) -> None:
        tools = ("reserve", "charge", "order", "mail", "only")
        kept = timedelta(hours=1) if keys_are_kept else NOW
        self.guarantees = {
            tool: replace(
                CLASSES[name], retention=kept, settle=NOW if CLASSES[name].settle else None
            )
            for tool, name in zip(tools, classes, strict=True)
        }

    # -- plans ------------------------------------------------------------------------------------

    @rule(shape=st.sampled_from(SHAPES), op=st.integers(0, 1), decision=DECISIONS)
    def a_plan_is_opened(self, shape: tuple[Part, ...], op: int, decision: str | None) -> None:
        """Intend operations that may have been intended before, as the next generation."""
        plan_id = f"{self.thread}/{len(self.plans)}"
        opened = opening(Plan(plan_id, "turn"), shape, op=f"{self.thread}/{op}")

        async def write() -> bool:
            async with self.page("w1") as page:
                gens = {e.op: await self.generation(page, e.op) for e in opened if e.op}
                if None in gens.values():
                    return False
                page.write(*(replace(e, gen=gens[e.op]) if e.op else e for e in opened))
                return True

        if self.open_plan() is not None:
            self.refused(PlanStillOpen, lambda page, _: page.write(*opened))
        elif self.run(write()):
            self.plans.append(plan_id)
            self.a_copied_thread_meets_the_record()
            if decision is not None:
                self.decided(decision)

    @precondition(lambda self: self.plans and not self.plan().decided)
    @rule(decision=DECISIONS)
    def a_person_decides_or_says_something_else(self, decision: str | None) -> None:
        """Take the decision once; None is new input, which withdraws the plan."""
        if decision is not None:
            self.decided(decision)
            return

        def withdraw(page: Page, plan: Plan) -> None:
            said = {"decisions": ["withdrawn"], "bound_to": plan.binding_hash}
            page.write(plan.entry(Event.DECISION, detail=said))
            page.write(*(plan.entry(Event.WITHDRAWN, step) for step in plan.steps))
            page.write(plan.entry(Event.ENDED))

        self.written(withdraw)

    # -- workers ----------------------------------------------------------------------------------

    @precondition(lambda self: self.plans)
    @rule(answers=st.lists(ANSWERS, min_size=3, max_size=10), shown=SHOWN, rivals=st.booleans())
    def the_plan_goes_on(self, answers: list[Event | None], shown: str, rivals: bool) -> None:
        """Make the moves that are due; None is a claim whose worker dies before it hears."""
        for answer in answers:
            before = len(self.claims)
            self.make(self.plan_id, self.due(), shown, rivals)
            if len(self.claims) > before and answer is not None:
                self.answered(self.claims[-1], answer, None)

    @precondition(lambda self: self.plans)
    @rule(between=ANSWERS.filter(bool), shown=SHOWN)
    def a_stalled_worker_makes_a_move_that_was_due(self, between: Event, shown: str) -> None:
        """Decide, let an answer arrive meanwhile, and only then act."""
        plan_id, move = self.plan_id, self.due()
        if self.claims:
            self.answered(self.claims[-1], between, None)
        self.make(plan_id, move, shown, rivals=False)

    @precondition(lambda self: self.claims)
    @rule(pick=PICKS)
    def a_worker_without_manners_claims_an_attempt_again(self, pick: int) -> None:
        claimed = self.picked(pick)

        def again(page: Page, plan: Plan | None) -> None:
            assert plan is not None
            page.write(self.attempt(page, plan, claimed))

        self.refused((Overtaken, IllegalTransition), again, claimed.plan_id)

    @precondition(lambda self: self.plans)
    @rule()
    def a_worker_dies_within_a_page(self) -> None:
        move = self.due()

        def dies(page: Page, plan: Plan | None) -> None:
            assert plan is not None
            if isinstance(move, Claim | ClaimUndo):
                page.write(self.attempt(page, plan, _claimed(plan, move)))
            elif isinstance(move, Write):
                page.write(*move.entries)
            page.write(Entry(Event.RECEIVED, turn_id="lost"))
            raise Crash

        self.refused(Crash, dies)

    # -- the other side ---------------------------------------------------------------------------

    @precondition(lambda self: self.claims)
    @rule(pick=PICKS, late=LATE)
    def an_answer_arrives_however_late(self, pick: int, late: tuple[Event, str | None]) -> None:
        self.answered(self.picked(pick), *late)

    @precondition(lambda self: self.claims)
    @rule(late=LATE)
    def every_answer_arrives_at_once(self, late: tuple[Event, str | None]) -> None:
        """Let all that was ever sent be answered in a row, as after a break of the network."""
        for claimed in self.claims:
            self.answered(claimed, *late)

    # -- a person ---------------------------------------------------------------------------------

    @precondition(lambda self: self.claims)
    @rule(pick=PICKS, said=st.sampled_from(["happened", "not_happened", "undo"]))
    def a_person_is_asked_and_answers(self, pick: int, said: str) -> None:
        """Let an answer not show what was expected, and put that to a person."""
        claimed = self.picked(pick)

        def mismatch(page: Page, plan: Plan) -> None:
            step = plan.find(claimed.step_id)[1]
            if step.state is StepState.UNKNOWN:
                shown = {"reason": "expected 5, shows 7", "shown": {"id": "other"}}
                page.write(plan.entry(Event.IN_DOUBT, step, payload=shown))

        def answer(page: Page, plan: Plan) -> None:
            due = settle(plan, self.guarantees, PATIENCE, page.now)
            if not isinstance(due, AskDoubt):
                return
            action, step = plan.find(due.step_id)
            event = Event.NOT_HAPPENED if said == "not_happened" else Event.HAPPENED
            payload = {"result": {"reference": "r"}, "said": said}
            page.write(plan.entry(event, step, author="ada", payload=payload))
            if said == "undo" and not action.closing:
                reason = {"action": action.position, "reason": "asked to undo it"}
                page.write(plan.entry(Event.CLOSING, detail=reason))

        self.written(mismatch, claimed.plan_id)
        self.written(answer, claimed.plan_id)

    # -- what always holds ------------------------------------------------------------------------

    @invariant()
    def what_is_written_holds_together(self) -> None:
        entries, verified, listed, open_plan = self.run(self.everything())
        assert [entry.seq for entry in entries] == list(range(1, verified + 1))
        plans = [plan for name in self.plans if (plan := fold(_of_plan(entries, name)))]
        assert len(plans) == len(self.plans)
        assert [plan.plan_id for plan in plans if not plan.over] == [open_plan] * bool(open_plan)
        assert listed == {name: about for plan in plans for name, about in _to_do(plan)}

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
            claimed = _claimed(plan, move)
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

    def due(self) -> Move:
        plan, now = self.run(self.ledger.plan(self.thread, self.plan_id))
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


def _of_plan(entries: list[Entry], plan_id: str) -> list[Entry]:
    return [entry for entry in entries if entry.plan_id == plan_id]


def _to_do(plan: Plan) -> Iterator[tuple[str, tuple[str, datetime | None]]]:
    """Say which steps of a plan somebody must come for: state, and when it is due."""
    for action in plan.actions:
        for step in action.steps:
            to_undo = step.undo is not None and bool(step.extras or action.closing)
            if step.state in TERMINAL or (
                step.state is StepState.DONE and plan.over and not to_undo
            ):
                continue
            pending = [one.settle_at for one in (*step.attempts, *step.undos) if one.is_open]
            yield step.step_id, (step.state.value, max(pending, default=None))


def _match(step: Step, number: int) -> dict[str, Any]:
    return {"id": f"{step.step_id}/{number}"}


def _claimed(plan: Plan, move: Claim | ClaimUndo) -> Claimed:
    return Claimed(plan.plan_id, move.step_id, move.number, isinstance(move, ClaimUndo))


def _look(plan: Plan, step_id: str, page: Page, shown: str) -> Entry:
    """Write what a probe showed, as the executor does: beside what the ledger holds by then."""
    step = plan.find(step_id)[1]
    detail = {"began_at": page.now.isoformat()}
    if shown in ("absent", "unreachable"):
        return plan.entry(Event(shown), step, detail=detail)
    matches = [_match(step, number) for number in ((1,) if shown == "one" else (1, 2))]
    if step.state in UNDECIDED:
        result, *extras = matches
        payload: dict[str, Any] = {"result": result, "extras": extras}
        return plan.entry(Event.FOUND, step, detail=detail, payload=payload)
    extras = [one for one in matches if one not in [*step.extras, step.result]]
    return plan.entry(Event.VERIFIED, step, detail=detail, payload={"extras": extras})
