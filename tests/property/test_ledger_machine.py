"""The real ledger under two workers, late answers, people and crashes, in any order."""

from dataclasses import replace
from datetime import timedelta

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

from daybook.checkpoints.ledger.page import Page
from daybook.state.errors import IllegalTransition, Overtaken, PlanStillOpen
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_move import AskDoubt, Claim, ClaimUndo, Over, Write
from daybook.state.ledger.plan import Action, Plan, fold
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.ledger.work_list import open_steps
from evals.protocol.entries import cancelled
from tests.property.ledger_world import PATIENCE, D, LedgerWorld, claim_of
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
TIMES = st.sampled_from(
    [PATIENCE.budget, PATIENCE.budget + D, PATIENCE.approval, PATIENCE.question, timedelta(days=1)]
)
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


ASKED = (StepState.IN_DOUBT.value, StepState.STUCK.value)
UNDOING = {StepState.UNDOING, StepState.STUCK, StepState.UNDONE}
# An outcome is never taken back: what was once done is not unknown again. What was answered and no
# look-up ever shows is put to a person.
REACHED = {
    StepState.INTENDED: {StepState.INTENDED, StepState.UNKNOWN, StepState.VOID},
    StepState.UNKNOWN: set(StepState) - {StepState.INTENDED, StepState.VOID},
    StepState.IN_DOUBT: set(StepState) - {StepState.INTENDED, StepState.VOID},
    StepState.NEGATIVE: {StepState.NEGATIVE, StepState.DONE},
    StepState.DONE: {StepState.DONE, StepState.IN_DOUBT, *UNDOING},
    StepState.UNDOING: UNDOING,
    StepState.STUCK: UNDOING,
    StepState.UNDONE: {StepState.UNDONE},
    StepState.VOID: {StepState.VOID},
}


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
        kept = timedelta(hours=1 if keys_are_kept else 0)
        self.guarantees = {
            tool: replace(CLASSES[name], retention=kept, settle=D if CLASSES[name].settle else None)
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
                expires = {"deadline_at": page.now + PATIENCE.question}
                page.write(
                    *(replace(e, gen=gens[e.op]) if e.op else replace(e, **expires) for e in opened)
                )
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

    @precondition(lambda self: len(self.plans) > 1)
    @rule(older=st.integers(1, 3), decision=st.sampled_from(["approved", "rejected"]))
    def an_answer_to_an_older_question_arrives(self, older: int, decision: str) -> None:
        plan_id = self.plans[-1 - older % len(self.plans)]
        if self.plan(plan_id).decided:
            self.answered_too_late(plan_id, decision)

    @rule(gone=TIMES)
    def time_goes_by(self, gone: timedelta) -> None:
        """Let leases, deadlines, approvals and keys run out."""
        self.gone += gone

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
            self.follow(page, plan)

        self.written(mismatch, claimed.plan_id)
        due = self.due(claimed.plan_id)
        if isinstance(due, AskDoubt):
            step = self.plan(claimed.plan_id).find(due.step_id)[1]
            assert step.question is not None
            self.questions.append((claimed.plan_id, due.step_id, step.question))
            self._says(*self.questions[-1], said)

    @precondition(lambda self: self.questions)
    @rule(pick=PICKS, said=st.sampled_from(["happened", "not_happened", "undo"]))
    def an_answer_about_a_doubt_arrives_again(self, pick: int, said: str) -> None:
        self._says(*self.questions[-1 - pick % len(self.questions)], said)

    def _says(self, plan_id: str, step_id: str, question: str, said: str) -> None:
        """Take a person's word while its question waits, as `daybook.nodes.doubt` does."""

        def answer(page: Page, plan: Plan) -> None:
            action, step = plan.find(step_id)
            if step.question != question:
                return
            event = Event.NOT_HAPPENED if said == "not_happened" else Event.HAPPENED
            payload = {"result": {"reference": "r"}, "said": said}
            page.write(plan.entry(event, step, author="ada", payload=payload))
            if said == "undo" and not action.closing:
                reason = {"action": action.position, "reason": "asked to undo it"}
                page.write(plan.entry(Event.CLOSING, detail=reason))
            self.follow(page, plan)

        self.written(answer, plan_id)
        question_now = self.plan(plan_id).find(step_id)[1].question
        assert question_now != question

    @precondition(lambda self: self.plans)
    @rule()
    def a_plan_is_cancelled(self) -> None:
        """Close it from outside, whatever is on its way; not what is behind its pivot."""

        def close(page: Page, plan: Plan) -> None:
            first = plan.actions[0]
            if first.is_approved and not (plan.over or first.closing or first.pivot_done):
                page.write(*cancelled(plan))
                self.follow(page, plan)

        self.written(close)

    # -- what always holds ------------------------------------------------------------------------

    @invariant()
    def what_is_written_holds_together(self) -> None:
        entries, verified, listed, open_plan = self.run(self.everything())
        assert [entry.seq for entry in entries] == list(range(1, verified + 1))
        plans = [plan for name in self.plans if (plan := fold(_of_plan(entries, name)))]
        assert len(plans) == len(self.plans)
        assert [plan.plan_id for plan in plans if not plan.over] == [open_plan] * bool(open_plan)
        rows = [row for plan in plans for row in open_steps(plan).items()]
        assert listed == {name: (row.state, row.due_at) for name, row in rows}

    @invariant()
    def who_is_needed_is_called(self) -> None:
        """Hold what is due against the work list, by which people and workers are called."""
        for plan_id in self.plans:
            rows = list(open_steps(self.plan(plan_id)).values())
            due = self.due(plan_id)
            match due:
                case Over():
                    assert all(row.state in ASKED or row.due_at is None for row in rows)
                case AskDoubt():
                    assert any(row.state in ASKED for row in rows)
                case _:
                    assert any(row.due_at is not None for row in rows), (due, rows)

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
                    self._may_be_sent(plan, action, step, entry)
                else:
                    assert action.closing
                    assert all(one.state is not StepState.UNKNOWN for one in action.steps)
                    later = action.steps[action.steps.index(step) + 1 :]
                    assert all(one.state is not StepState.DONE or not one.undo for one in later)
            before = {step.step_id: step.state for step in plan.steps}
            plan.apply(entry)
            moved = {(before[s.step_id], s.state) for s in plan.steps if s.step_id in before}
            assert all(state in REACHED[was] for was, state in moved), (entry.event, moved)
        assert {plan_id: self.plan(plan_id) for plan_id in plans} == plans

    def _may_be_sent(self, plan: Plan, action: Action, step: Step, entry: Entry) -> None:
        """Hold an attempt against the rules of PROTOCOL.md, in words of its own."""
        assert entry.at is not None
        assert action.decision == "approved"
        assert entry.attempt == len(step.attempts) + 1
        if not step.attempts:
            assert not action.closing
            assert not plan.over
            assert plan.deadline is None or action.pivot_done or entry.at < plan.deadline
            return
        open_ = [attempt for attempt in step.attempts if attempt.is_open]
        promised = self.guarantees[step.tool]
        until = entry.at + PATIENCE.budget + D
        if not open_ or promised.remembers(step.attempts[0].at, until):
            return
        settled = max(attempt.settle_at for attempt in step.attempts)
        assert promised.provable
        assert promised.settle is not None
        assert step.looks[-1].event is Event.ABSENT
        assert settled < step.looks[-1].began_at


def _of_plan(entries: list[Entry], plan_id: str) -> list[Entry]:
    return [entry for entry in entries if entry.plan_id == plan_id]
