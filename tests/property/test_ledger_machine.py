"""The real ledger under two workers, late answers, people and crashes, in any order."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

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

from checkpoints.page import Page
from state.entry import Entry
from state.errors import IllegalTransition, Overtaken, PlanStillOpen
from state.plan import Plan, fold
from state.recovery import TERMINAL, Event, StepState
from state.settle import AskDoubt, Claim, ClaimUndo, Write, settle
from tests.property.ledger_world import NOW, PATIENCE, LedgerWorld, claim_of
from tests.unit.paper import CHARGE, CLASSES, MAIL, ONLY, ORDER, RESERVE, Part, opening

SHAPES = (
    (ONLY,),
    (RESERVE, ORDER),
    (RESERVE, CHARGE, ORDER, MAIL),
    (MAIL, replace(ONLY, undo="undo")),
)
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


class LedgerMachine(LedgerWorld, RuleBasedStateMachine):
    """Let two workers, a person and the other side do anything to one thread."""

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
    @rule(
        older=st.sampled_from([0, 0, 0, 1, 2]),
        answers=st.lists(ANSWERS, min_size=3, max_size=10),
        shown=SHOWN,
        rivals=st.booleans(),
    )
    def a_plan_goes_on(
        self, older: int, answers: list[Event | None], shown: str, rivals: bool
    ) -> None:
        """Make the moves that are due; None is a claim whose worker dies before it hears."""
        plan_id = self.plans[-1 - older % len(self.plans)]
        for answer in answers:
            before = len(self.claims)
            self.make(plan_id, self.due(plan_id), shown, rivals)
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
                page.write(self.attempt(page, plan, claim_of(plan, move)))
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
