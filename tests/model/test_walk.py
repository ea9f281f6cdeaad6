"""The walk of a written ledger: it takes all that the model writes, and refuses what is forged."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from daybook.state.effects.guarantees import Guarantees
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from evals.protocol.books import TICK, ended
from evals.protocol.cases import CASES, Case
from evals.protocol.parts import CHARGE, ORDER, RESERVE, STORED_KEY
from evals.protocol.promise import Promise
from evals.protocol.walk import Unlike, Walk
from tests.model.test_books import later
from tests.unit.paper import PATIENCE, Paper

E = Event
WALKS, LENGTH = 8, 30

# Where the other side shows what is not ours, it breaks promises that the walk takes for kept.
KEPT = [case for case in CASES if not case.odd]


@pytest.mark.parametrize("case", KEPT, ids=lambda case: f"{case.name} {case.attempts}")
def test_all_that_the_model_writes_is_taken(case: Case):
    model, rng = Promise(case), random.Random(case.name)
    taken = {one for _ in range(WALKS) for one in _walked(model, rng)}
    assert {event for _, event in taken} >= {E.ATTEMPTED, E.CANCELLED}


def _walked(model: Promise, rng: random.Random) -> set[tuple[object, Event]]:
    """Walk the model at random, by a clock that runs on, and what it writes on the rules."""
    world, gone = model.first(), timedelta(0)
    walk = Walk(model.case.guarantees, model.books.patience)
    for _ in range(LENGTH):
        if len(walk.plans) < len(world.books):
            walk.page([later(entry, gone) for entry in model.approved(len(world.books))])
        happened = rng.choice(list(model.next(world)))
        for page in _pages([line.entry for line in happened.written]):
            walk.page([later(entry, gone) for entry in page])
        gone += TICK if happened.what == ("a tick",) else timedelta(0)
        world = happened.world
    return walk.taken


def _pages(written: list[Entry]) -> Iterator[list[Entry]]:
    """Part what the model writes in one move, where it claims, sends and hears at once."""
    claims = written and written[0].event in (E.ATTEMPTED, E.UNDO_ATTEMPTED)
    yield from (part for part in ((written[:1], written[1:]) if claims else (written,)) if part)


# -- forged ---------------------------------------------------------------------------------------

PARTS = (RESERVE, CHARGE, ORDER)


def bought(guarantees: Guarantees = STORED_KEY) -> Paper:
    """Buy, page by page."""
    paper = started(guarantees)
    for part in PARTS:
        claims(paper, part.name)
        paper.later(1)
        paper.acknowledged(part.name, id=part.name)
    paper.take(ended(paper.plan))
    return paper


def started(guarantees: Guarantees = STORED_KEY) -> Paper:
    paper = Paper(PARTS, guarantees={part.name: guarantees for part in PARTS})
    paper.later(1)
    paper.decided("approved")
    return paper


def claims(paper: Paper, name: str, **more: object) -> None:
    paper.later(1)
    paper.claimed(name, **more)


def declined(guarantees: Guarantees = STORED_KEY) -> Paper:
    """Buy until the charge is declined: the hold is to be given back."""
    paper = started(guarantees)
    claims(paper, "reserve")
    paper.later(1)
    paper.acknowledged("reserve", id=1)
    claims(paper, "charge")
    paper.later(1)
    paper.answered("charge", E.DECLINED)
    paper.follow()
    return paper


def given_back() -> Paper:
    paper = declined()
    paper.later(1)
    paper.undo_claimed("reserve")
    paper.later(1)
    paper.write(E.UNDONE, paper.step("reserve"), attempt=1)
    paper.take(ended(paper.plan))
    return paper


def walked(entries: list[Entry], mistold: int = 0) -> Walk:
    promised = {part.name: STORED_KEY for part in PARTS}
    undos = {part.undo: STORED_KEY for part in PARTS if part.undo}
    walk = Walk({**promised, **undos}, PATIENCE, mistold=mistold)
    walk.all(entries)
    return walk


@pytest.mark.parametrize("honest", [bought, given_back])
def test_an_honest_ledger_is_taken_and_folds_to_the_same(honest: Callable[[], Paper]):
    paper = honest()
    assert walked(paper.entries).plans == {paper.plan.plan_id: paper.plan}


def out_of_order() -> list[Entry]:
    entries = bought().entries
    at = next(n for n, entry in enumerate(entries) if entry.event is E.ACKNOWLEDGED)
    entries[at - 1], entries[at] = entries[at], entries[at - 1]
    return entries


def twice() -> list[Entry]:
    entries = bought().entries
    at = next(n for n, entry in enumerate(entries) if entry.event is E.ATTEMPTED)
    again = replace(entries[at], at=entries[at].at + timedelta(seconds=0.5))
    return [*entries[: at + 1], again, *entries[at + 1 :]]


def unapproved() -> list[Entry]:
    return [entry for entry in bought().entries if entry.event is not E.DECISION]


def bound_to_another() -> list[Entry]:
    changed = {"decisions": ["approved"], "bound_to": "another"}
    return [
        replace(entry, detail=changed) if entry.event is E.DECISION else entry
        for entry in bought().entries
    ]


def after_closing() -> list[Entry]:
    paper = declined()
    before = list(paper.entries)
    other = started()
    claims(other, "order")
    return [*before, replace(other.entries[-1], at=paper.now + timedelta(seconds=1))]


def undone_too_early() -> list[Entry]:
    paper = started()
    claims(paper, "reserve")
    paper.later(1)
    paper.acknowledged("reserve", id=1)
    claims(paper, "charge")
    paper.later(1)
    stop = {"action": 0, "reason": "stopped", "stop": True}
    paper.write(E.CLOSING, author="ada", detail=stop)
    paper.write(E.CANCELLED, paper.step("order"))
    paper.later(1)
    paper.undo_claimed("reserve")
    return paper.entries


def undone_forward() -> list[Entry]:
    paper = started()
    for name in ("reserve", "charge"):
        claims(paper, name)
        paper.later(1)
        paper.acknowledged(name, id=1)
    claims(paper, "order")
    paper.later(1)
    paper.answered("order", E.DECLINED)
    paper.follow()
    paper.later(1)
    paper.undo_claimed("reserve")
    return paper.entries


def not_ended() -> list[Entry]:
    return bought().entries[:-1]


def test_a_claim_may_end_the_page_that_decides_on_its_plan():
    entries = with_its_decision(last=True)
    assert [one.event for one in entries if one.at == entries[-1].at] == [E.DECISION, E.ATTEMPTED]
    walked(entries)


def claimed_before_its_page_ends() -> list[Entry]:
    return with_its_decision(last=False)


def with_its_decision(*, last: bool) -> list[Entry]:
    paper = started()
    paper.claimed("reserve")
    if not last:
        paper.acknowledged("reserve", id="reserve")
    return paper.entries


def begun_with_another() -> list[Entry]:
    entries = bought().entries
    first = [n for n, entry in enumerate(entries) if entry.event is E.ATTEMPTED][1]
    return [replace(one, at=entries[first - 1].at) if n == first else one
            for n, one in enumerate(entries)]  # fmt: skip


def looked_up() -> list[Entry]:
    """Buy by look-ups, of services that have none."""
    return bought(replace(STORED_KEY, provable=True)).entries


def contradicted() -> list[Entry]:
    """Buy, and hear once more of the reservation: as another one than it was."""
    paper = bought()
    paper.later(1)
    word = paper.plan.entry(E.CONTRADICTED, paper.step("reserve"), detail={"promise": "own_answer"})
    return [*paper.entries, replace(word, seq=99, at=paper.now)]


def said_unasked() -> list[Entry]:
    paper = bought()
    paper.later(1)
    word = paper.plan.entry(E.HAPPENED, paper.step("charge"), author="ada")
    return [*paper.entries, replace(word, seq=99, at=paper.now)]


def next_generation() -> list[Entry]:
    paper = bought()
    second = Paper(PARTS, plan_id="second")
    later = paper.now + timedelta(seconds=1)
    return [*paper.entries, *(replace(one, gen=one.gen and 2, at=later) for one in second.entries)]


FORGED = {
    out_of_order: "nobody has claimed that attempt",
    twice: "is due",
    unapproved: "nobody has approved it",
    bound_to_another: "bound to something else",
    after_closing: "its action was closed",
    undone_too_early: "what is unknown is settled",
    undone_forward: "what was done later is undone first",
    not_ended: "must be of the same page",
    begun_with_another: "a page of its own",
    claimed_before_its_page_ends: "a page of its own",
    looked_up: "it cannot be looked up",
    contradicted: "the service keeps its promises",
    said_unasked: "nobody was asked",
    next_generation: "the generation before it is done",
}


@pytest.mark.parametrize("forged", FORGED, ids=lambda forged: forged.__name__)
def test_a_forged_ledger_is_refused(forged: Callable[[], list[Entry]]):
    with pytest.raises(Unlike, match=FORGED[forged]):
        walked(forged())


def test_an_answer_is_contradicted_as_often_as_the_service_told_it_wrong():
    entries = contradicted()
    walked(entries, mistold=1)
    again = replace(entries[-1], seq=100, at=entries[-1].at + TICK)
    with pytest.raises(Unlike, match="the service keeps its promises"):
        walked([*entries, again], mistold=1)
