"""Questions, answers and time: what is begun was decided on, in time, by who saw it.

A person may click twice, name the question or not, edit, and be late; the plan may expire or be
overtaken by new input; a worker claims whenever a claim is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from daybook import Guarantees
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import AskApproval, Claim, ClaimUndo, End, Write
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.people.questions.approvals import Answers, answers_for
from evals.protocol.books import NOW, PATIENCE, Books, Rules, Written, ended
from evals.protocol.entries import attempted
from evals.protocol.parts import Part, opening

HOLD_AND_CHARGE = (Part("reserve", undo="release"), Part("charge", pivot=True))
VERSIONS = 2
CLICKS = 2


class Click(NamedTuple):
    """Hold an answer on its way: the version that the person saw, and what they said."""

    saw: int
    named: bool
    type: str


class Room(NamedTuple):
    """Hold one state.

    Attributes:
        book: the plan; once it is edited, its next version.
        version: of the question, from 1.
        clicks: answers that are on their way.
        decided_on: the version that the person who approved had seen; 0 while undecided.
        decided: a claim that a worker has decided to make, where it is not decided again.
    """

    book: int
    version: int = 1
    clicks: tuple[Click, ...] = ()
    decided_on: int = 0
    decided: Claim | None = None


class Asked(NamedTuple):
    """Hold what happened and the state after it."""

    what: tuple[Any, ...]
    world: Room
    written: Written = ()


class Questions:
    """Tell what can happen next while a plan is asked about."""

    def __init__(
        self, rules: Rules | None = None, answers: Callable[[Plan], type[Answers]] = answers_for
    ) -> None:
        self.rules, self.answers = rules or Rules(), answers
        # Effects themselves are no matter here: they are heard at once.
        promised = {part.name: Guarantees() for part in HOLD_AND_CHARGE}
        self.books = Books(promised, self.rules)
        self._fits: dict[tuple[int, Click], bool] = {}

    def first(self) -> Room:
        """Return the state in which the first version has just been asked about."""
        return Room(self._asked(1, "asked"))

    def _asked(self, version: int, approval: str) -> int:
        plan = Plan(f"version {version}", "turn")
        opened, *intents = opening(plan, HOLD_AND_CHARGE, approval=approval)
        intents = [replace(entry, gen=version) for entry in intents]
        return self.books.opened([replace(opened, deadline_at=NOW + PATIENCE.question), *intents])

    def next(self, world: Room) -> Iterator[Asked]:
        """Yield everything that can happen."""
        plan, due = self.books.plans[world.book], self.books.due(world.book)
        yield Asked(("a tick",), world._replace(book=self.books.later(world.book)))
        if not plan.decided and len(world.clicks) < CLICKS:
            for click in self._clicks(world):
                clicks = tuple(sorted((*world.clicks, click)))
                yield Asked(("clicks", *click), world._replace(clicks=clicks))
        for click in world.clicks:
            yield from self._arrives(world, plan, click)
        if not plan.decided:
            yield self._wrote(world, ("new input withdraws it",), _withdrawn)
        match world.decided or due:
            case Claim() as claim if world.decided is None and not self.rules.decides_again:
                yield Asked(("decides", claim.step_id), world._replace(decided=claim))
            case Claim() | ClaimUndo() as claim:
                done = world._replace(decided=None)
                yield self._wrote(
                    done, ("claims", type(claim).__name__, claim.step_id), _done(claim)
                )
        if isinstance(due, Write | End):
            yield self._wrote(world, ("writes what follows",), lambda _: ())

    def _clicks(self, world: Room) -> Iterator[Click]:
        for named in (True, False):
            yield Click(world.version, named, "approve")
            if world.version < VERSIONS:
                yield Click(world.version, named, "edit")

    def _arrives(self, world: Room, plan: Plan, click: Click) -> Iterator[Asked]:
        """Let an answer meet whatever question waits, as `daybook.nodes.approve` takes it."""
        clicks = [*world.clicks]
        clicks.remove(click)
        gone = world._replace(clicks=tuple(clicks))
        if plan.decided or not self._taken(world.book, plan, click):
            yield Asked(("is refused", *click), gone)
            return
        first = self._wrote(gone, ("follow",), lambda _: ())
        if self.books.plans[first.world.book].decided:
            yield first._replace(what=("comes too late", *click))
            return
        decided = self._wrote(first.world, ("decides", *click), _decision(click))
        world = decided.world._replace(decided_on=click.saw)
        if click.type == "edit":
            world = Room(self._asked(VERSIONS, "asked again"), VERSIONS, world.clicks)
        yield Asked(("decides", *click), world, (*first.written, *decided.written))

    def _taken(self, book: int, plan: Plan, click: Click) -> bool:
        if (book, click) not in self._fits:
            one: dict[str, Any] = {"type": click.type}
            if click.type == "edit":
                one["edited_action"] = {"name": "checkout", "args": {}}
            given: dict[str, Any] = {"decisions": [one]}
            if click.named:
                given["approval_id"] = f"version {click.saw}"
            self._fits[book, click] = _is_valid(self.answers(plan), given)
        return self._fits[book, click]

    def _wrote(self, world: Room, what: tuple[Any, ...], make: Any) -> Asked:
        book, written = self.books.page(world.book, what, make)
        return Asked(what, world._replace(book=book), written)

    # -- what must hold ---------------------------------------------------------------------------

    def is_at_rest(self, world: Room) -> bool:
        """Tell whether nothing is left to do and nothing can arrive any more."""
        return self.books.plans[world.book].over and not world.clicks and world.decided is None

    def is_asking(self, world: Room) -> bool:
        """Tell whether a person is asked whether it may be done."""
        return isinstance(self.books.due(world.book), AskApproval)

    def wrong_state(self, world: Room) -> str | None:
        """Say what a state breaks."""
        plan = self.books.plans[world.book]
        if world.decided_on and world.decided_on != world.version:
            return "an answer to one question decided another one"
        unasked = plan.decided and not world.decided_on and plan.touched
        return "it was begun without a decision" if unasked else None

    def wrong_page(self, before: Room, happened: Asked) -> str | None:
        """Say what a page breaks that was written just now."""
        plan = self.books.plans[before.book]
        late = plan.deadline is not None and plan.deadline <= NOW
        voided = any(event is Event.EXPIRED for event, *_ in happened.written)
        begun = [
            step
            for event, place, _ in happened.written
            if event is Event.ATTEMPTED and not (step := plan.steps[place or 0]).attempts
        ]
        if begun and late:
            return "it was begun on a decision whose time was over"
        if begun and voided:
            return "a claim and the expiry both won"
        decided = any(event is Event.DECISION for event, *_ in happened.written)
        if decided and late and happened.world.decided_on:
            return "it was decided on after its time"
        return None


def _withdrawn(plan: Plan) -> Iterator[Entry]:
    yield plan.entry(Event.DECISION, detail={"decisions": ["withdrawn"]})
    for step in plan.steps:
        if step.state is StepState.INTENDED:
            yield plan.entry(Event.WITHDRAWN, step)
    yield ended(plan)


def _decision(click: Click) -> Any:
    def make(plan: Plan) -> Iterator[Entry]:
        approves = click.type == "approve"
        yield plan.entry(
            Event.DECISION,
            author="ada",
            deadline_at=NOW + PATIENCE.approval,
            detail={
                "decisions": ["approved" if approves else "edited"],
                "bound_to": plan.binding_hash,
            },
            payload={} if approves else {"edits": {"0.0": {"tool": "checkout", "args": {}}}},
        )
        if not approves:
            for step in plan.steps:
                yield plan.entry(Event.SUPERSEDED, step)
            yield ended(plan)

    return make


def _done(claim: Claim | ClaimUndo) -> Any:
    """Claim, send and hear at once."""

    def make(plan: Plan) -> Iterator[Entry]:
        _, step = plan.find(claim.step_id)
        forward = isinstance(claim, Claim)
        yield attempted(plan, claim)
        heard = {"payload": {"result": {"id": 1}}} if forward else {}
        event = Event.ACKNOWLEDGED if forward else Event.UNDONE
        yield plan.entry(event, step, attempt=claim.number, **heard)

    return make


def _is_valid(answers: type[Answers], given: dict[str, Any]) -> bool:
    try:
        TypeAdapter(answers).validate_python(given)
    except ValueError:
        return False
    return True
