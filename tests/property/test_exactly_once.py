"""The exact promise, by class of tool: a simulated service, crashes, lost and late replies.

Time is simulated, `settle` is real. Assumed, as in docs/protocol.md: D is true, people tell
the truth, and a sender does not send after its deadline.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.effects.guarantees import Guarantees
from daybook.state.ledger.next_action import (
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    LookFor,
    Over,
    Wait,
    Write,
)
from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.parts import CHARGE, CLASSES, NEITHER, ORDER, RETENTION, Part
from tests.unit.paper import PATIENCE, Paper, approved

MOST_MOVES = 120
UNBOUNDED = timedelta(seconds=900)

ARRIVES = st.sampled_from(["at once", "late", "never", "refused before"])
VERDICTS = st.sampled_from(["does it", "does it", "declines"])
HEARS = st.sampled_from(["hears", "hears", "dies", "hears it much later"])
RESTS = st.sampled_from([0, 0, 0, 0, 0, 0, 70, 3600])
"""Seconds for which nobody works on the plan."""


@dataclass
class Request:
    """Hold a request on its way to the other side."""

    key: str
    lands_at: datetime
    verdict: str
    heard: tuple[Event, dict[str, Any]] | None = None


@dataclass
class Service:
    """Do effects as a service of some class does them, and count them."""

    guarantees: Guarantees
    on_their_way: list[Request] = field(default_factory=list)
    effects: dict[str, str] = field(default_factory=dict)
    undone: set[str] = field(default_factory=set)
    _keys: dict[str, tuple[datetime, tuple[Event, dict[str, Any]]]] = field(default_factory=dict)

    def until(self, now: datetime) -> None:
        """Let everything land that lands by now."""
        for request in sorted(self.on_their_way, key=lambda r: r.lands_at):
            if request.lands_at <= now:
                self.on_their_way.remove(request)
                request.heard = self._land(request)

    def _land(self, request: Request) -> tuple[Event, dict[str, Any]]:
        known = self._keys.get(request.key) if self.guarantees.honours_key else None
        if known is not None and request.lands_at < known[0] + self.guarantees.retention:
            return known[1]
        if request.verdict == "declines":
            answer: tuple[Event, dict[str, Any]] = (Event.DECLINED, {"reason": "declined"})
            if self.guarantees.stores_failures:
                self._keys[request.key] = (request.lands_at, answer)
            return answer
        reference = f"effect {len(self.effects) + 1}"
        self.effects[reference] = request.key
        answer = (Event.ACKNOWLEDGED, {"result": {"id": reference}})
        self._keys[request.key] = (request.lands_at, answer)
        return answer

    def standing(self, key: str) -> list[str]:
        """Return the effects under a key that were not undone."""
        return [ref for ref, of in self.effects.items() if of == key and ref not in self.undone]


class World:
    """Carry a plan out, and let everything go wrong that the data say."""

    def __init__(
        self, guarantees: Guarantees, parts: tuple[Part, ...], data: st.DataObject
    ) -> None:
        self.data = data
        self.service = Service(guarantees)
        self.paper: Paper = approved(*parts, guarantees=guarantees)
        self.to_be_heard: list[tuple[str, int, Event, dict[str, Any]]] = []

    def run(self) -> None:
        """Make moves until nothing is left to do and nothing can arrive any more."""
        for _ in range(MOST_MOVES):
            self.paper.later(self._draw(RESTS, 0))
            self.service.until(self.paper.now)
            self._maybe_hear_late()
            move = self.paper.due()
            if isinstance(move, Over) and not self.to_be_heard and not self.service.on_their_way:
                return
            self._make(move)
        raise AssertionError(f"it does not come to an end: {self.paper.due()}")

    def _make(self, move: Any) -> None:
        paper = self.paper
        match move:
            case Write(entries=entries):
                for entry in entries:
                    paper.take(entry)
            case End():
                paper.write(Event.SUCCEEDED if self._succeeds() else Event.ENDED)
            case Wait(until=until):
                assert until > paper.now
                paper.now = until
                paper.later(microseconds=1)
            case Claim(step_id=step_id):
                self._send(paper.plan.find(step_id)[1].name)
            case LookFor(step_id=step_id):
                self._look(paper.plan.find(step_id)[1].name)
            case ClaimUndo(step_id=step_id):
                self._undo(paper.plan.find(step_id)[1].name)
            case AskDoubt(step_id=step_id):
                self._ask(paper.plan.find(step_id)[1].name)
            case Over():
                self._hear_all()

    def _succeeds(self) -> bool:
        return all(action.succeeded for action in self.paper.plan.actions)

    def _send(self, name: str) -> None:
        paper, step = self.paper, self.paper.step(name)
        bounded = self.service.guarantees.settle or UNBOUNDED
        number = paper.claimed(name)
        arrives = self._draw(ARRIVES, "at once")
        if arrives == "refused before":
            paper.answered(name, Event.REFUSED)
            return
        longest = PATIENCE.budget + bounded
        late = longest * self._draw(st.sampled_from([0.1, 0.5, 1.0]), 0.1)
        lands_at = paper.now + (late if arrives == "late" else timedelta(0))
        request = Request(step.step_id, lands_at, self._draw(VERDICTS, "does it"))
        if arrives != "never":
            self.service.on_their_way.append(request)
        deadline = paper.now + PATIENCE.budget
        hears = self._draw(HEARS, "hears")
        if hears == "dies":
            return
        paper.now = min(lands_at, deadline) if arrives != "never" else deadline
        self.service.until(paper.now)
        if request.heard is None:
            paper.answered(name, Event.UNANSWERED)
        elif hears == "hears":
            event, payload = request.heard
            paper.answered(name, event, number, payload=payload)
        else:
            self.to_be_heard.append((name, number, *request.heard))

    def _look(self, name: str) -> None:
        if (
            self._draw(st.sampled_from(["answers", "answers", "unreachable"]), "answers")
            != "answers"
        ):
            self.paper.looked(name, Event.UNREACHABLE)
            return
        found = [{"id": ref} for ref in self.service.standing(self.paper.step(name).step_id)]
        if found:
            (one,) = found
            self.paper.looked(name, Event.FOUND, result=one)
        else:
            self.paper.looked(name, Event.ABSENT)

    def _undo(self, name: str) -> None:
        """Undo by the reference of the effect: again is the same."""
        paper, step = self.paper, self.paper.step(name)
        paper.undo_claimed(name)
        comes = self._draw(st.sampled_from(["done", "done", "unheard", "lost"]), "done")
        if comes != "lost":
            assert step.result is not None
            self.service.undone.add(step.result["id"])
        if comes == "done":
            paper.write(Event.UNDONE, step, attempt=len(step.undos))
        else:
            failed = {"reason": "no answer", "final": False}
            paper.write(Event.UNDO_FAILED, step, attempt=len(step.undos), detail=failed)

    def _ask(self, name: str) -> None:
        """Let a person wait until nothing is on its way, and tell the truth: of a stuck undo, too."""
        paper, step = self.paper, self.paper.step(name)
        paper.now += UNBOUNDED
        self.service.until(paper.now)
        there = self.service.standing(step.step_id)
        if step.state is StepState.STUCK:
            undone = Event.NOT_HAPPENED if there else Event.HAPPENED
            paper.write(undone, step, author="ada")
            return
        if not there:
            paper.write(Event.NOT_HAPPENED, step, author="ada")
            return
        said = {"result": {"id": there[0]}}
        paper.write(Event.HAPPENED, step, author="ada", payload=said)

    def _maybe_hear_late(self) -> None:
        if self.to_be_heard and self._draw(st.booleans(), True):
            self._hear_late()

    def _hear_late(self) -> None:
        name, number, event, payload = self.to_be_heard.pop(0)
        self.paper.answered(name, event, number, payload=payload)

    def _hear_all(self) -> None:
        """Let everything arrive: it may reopen what is over, and else there is no end to wait for."""
        self.paper.now += UNBOUNDED
        self.service.until(self.paper.now)
        if self.to_be_heard:
            self._hear_late()

    def _draw(self, strategy: st.SearchStrategy[Any], usual: Any) -> Any:
        """Draw what happens; in the second half of a run everything goes well."""
        calm = len(self.paper.entries) > MOST_MOVES / 2
        return usual if calm else self.data.draw(strategy)


@given(data=st.data())
@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_every_effect_of_a_plan_stands_once_or_not_at_all(guarantees: Guarantees, data):
    world = World(guarantees, (CHARGE, ORDER), data)
    world.run()
    for step in world.paper.plan.steps:
        standing = world.service.standing(step.step_id)
        if world.paper.plan.succeeded:
            assert step.result is not None
            assert standing == [step.result["id"]]
        else:
            assert standing == []
            assert step.state in (StepState.NEGATIVE, StepState.UNDONE, StepState.VOID)


NEVER_REPEATED = {name: CLASSES[name] for name in ("probe without D", "neither")}


@given(data=st.data())
@pytest.mark.parametrize("guarantees", NEVER_REPEATED.values(), ids=list(NEVER_REPEATED))
def test_what_cannot_be_proved_is_never_sent_again_unless_a_person_says_so(guarantees, data):
    world = World(guarantees, (CHARGE, ORDER), data)
    world.run()
    for step in world.paper.plan.steps:
        between = zip(step.attempts, step.attempts[1:], strict=False)
        settled = (Event.REFUSED, Event.DECLINED, Event.NOT_HAPPENED)
        assert all(one.answer in settled for one, _ in between)


def test_the_simulated_service_forgets_a_key_when_its_retention_is_over():
    """What the properties above stand on."""
    service = Service(CLASSES["stored key"])
    paper = Paper((CHARGE,), guarantees={"charge": NEITHER})
    for after in (timedelta(0), RETENTION / 2, RETENTION):
        service.on_their_way.append(Request("key", paper.now + after, "does it"))
    service.until(paper.now + RETENTION)
    assert len(service.effects) == 2
