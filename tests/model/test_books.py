"""The model itself: what it leaves out of a plan makes no difference to the real decision."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import next_action
from daybook.state.ledger.plan import Plan, fold
from evals.protocol.books import NOW, TICK, said
from evals.protocol.cases import CASES, Case
from evals.protocol.promise import Promise

WALKS = 40
LENGTH = 30


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name} {case.attempts}")
def test_a_plan_of_the_model_is_settled_as_the_whole_ledger_is(case: Case):
    """Walk at random, and settle both: the model's plan, and all entries with a clock that runs."""
    model, rng = Promise(case), random.Random(case.name)
    settled = [both for _ in range(WALKS) for both in _walk(model, rng)]
    assert all(modelled == exact for modelled, exact in settled)
    assert len({modelled[0] for modelled, _ in settled}) > 4


def _walk(model: Promise, rng: random.Random) -> Iterator[tuple[tuple[object, ...], ...]]:
    world, gone = model.first(), timedelta(0)
    ledgers: list[list[Entry]] = []
    for _ in range(LENGTH):
        while len(ledgers) < len(world.books):
            ledgers.append([later(entry, gone) for entry in model.approved(len(ledgers) + 1)])
        happened = rng.choice(list(model.next(world)))
        ledgers[happened.book] += [later(line.entry, gone) for line in happened.written]
        gone += TICK if happened.what == ("a tick",) else timedelta(0)
        world = happened.world
        for book, ledger in zip(world.books, ledgers, strict=False):
            exact = next_action(
                _folded(ledger), model.case.guarantees, model.books.patience, NOW + gone
            )
            yield _bare(said(model.books.due(book))), _bare(said(exact))


def _folded(ledger: list[Entry]) -> Plan:
    plan = fold([replace(entry, seq=seq) for seq, entry in enumerate(ledger, 1)])
    assert plan is not None
    return plan


def later(entry: Entry, gone: timedelta) -> Entry:
    """Date an entry of the model by a clock that has run on."""
    detail = dict(entry.detail)
    if "began_at" in detail:
        detail["began_at"] = (datetime.fromisoformat(detail["began_at"]) + gone).isoformat()
    dates = ("at", "deadline_at", "settle_at")
    dated = {n: at + gone for n in dates if (at := getattr(entry, n)) is not None}
    return replace(entry, seq=1, detail=detail, **{"at": NOW + gone, **dated})


def _bare(move: tuple[object, ...]) -> tuple[object, ...]:
    """Leave out until when is waited: it is another date in a ledger whose clock has run on."""
    return move[:1] if move[0] == "Wait" else move
