"""The judge of purchases at merchants can fail: each thing that is counted is seen."""

from typing import Any

from evals.forking import Ended
from evals.merchants.cells import Cell
from evals.merchants.kills import Verdict, verdict_of

CALM = Cell("rest", "ignored")
KILLED = Cell("rest", "ignored", kills="performed")
WHOLE = ["reserve", "charge", "order"]


def judged(
    effects: list[str], orders: list[str], *, cell: Cell = CALM, error: str = "", log: str = ""
) -> Verdict:
    """Judge a record; the shop numbers its orders from 1."""
    numbers = iter(range(1, 9))
    happened = [
        {"effect": one, "detail": {"order_id": str(next(numbers))} if one == "order" else {}}
        for one in effects
    ]
    found: dict[str, Any] = {"orders": orders, "error": error}
    last = Ended(killed=False, found=found, log=log)
    ends = [Ended(killed=True, found=None, log=""), last] if cell.kills else [last]
    return verdict_of(cell, happened, ends, found)


def test_a_whole_purchase_is_right():
    for cell in (CALM, KILLED):
        verdict = judged(WHOLE, ["1"], cell=cell)
        assert (verdict.twice, verdict.lost, verdict.left, verdict.wrong) == (0, 0, 0, ())


def test_what_happened_twice_is_seen():
    assert judged([*WHOLE, "charge"], ["1"]).twice == 1
    verdict = judged([*WHOLE, *WHOLE], ["1"])
    assert (verdict.twice, len(verdict.wrong)) == (2, 1)


def test_what_is_lost_is_seen():
    for effects, orders in ((["reserve"], []), (WHOLE, []), (WHOLE, ["2"])):
        verdict = judged(effects, orders)
        assert (verdict.lost, len(verdict.wrong)) == (1, 1)


def test_a_session_that_is_left_is_counted():
    assert judged(["reserve", *WHOLE], ["1"]).left == 1
    assert judged(["reserve", "release", *WHOLE], ["1"]).left == 0


def test_an_end_that_is_none_is_seen():
    assert judged(WHOLE, ["1"], error="Unavailable").wrong
    assert judged(WHOLE, ["1"], log="a traceback").wrong


def test_a_kill_that_did_not_come_is_seen():
    found = {"orders": ["1"], "error": ""}
    effects = [{"effect": one, "detail": {"order_id": "1"}} for one in WHOLE]
    assert verdict_of(KILLED, effects, [Ended(killed=False, found=found, log="")], found).wrong
