"""The judge of purchases at merchants can fail: each thing that is counted is seen."""

from typing import Any

from daybook.testing.processes import Ended
from evals.crash.merchants import LEFT, Cell, judge
from evals.crash.run import Verdict

CALM = Cell("rest", "ignored")
IGNORED = LEFT["ignored"]
KILLED = Cell("rest", "ignored", kills="performed")
WHOLE = ["reserve", "charge", "order"]


def judged(
    effects: list[str],
    orders: list[str],
    *,
    cell: Cell = CALM,
    error: str = "",
    log: str = "",
    **found: Any,
) -> Verdict[Cell]:
    """Judge a record; the shop numbers its orders from 1."""
    numbers = iter(range(1, 9))
    happened = [
        {"effect": one, "detail": {"order_id": str(next(numbers))} if one == "order" else {}}
        for one in effects
    ]
    last = Ended(killed=False, found=ended(orders, error=error, **found), log=log)
    ends = [Ended(killed=True, found=None, log=""), last] if cell.kills else [last]
    return judge(cell, happened, ends)


def ended(orders: list[str], **found: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"error": "", "told": 0, "open": [], "shown": [], "did": []}
    return {**nothing, "orders": orders, **found}


def test_a_whole_purchase_is_right():
    for cell in (CALM, KILLED):
        verdict = judged(WHOLE, ["1"], cell=cell)
        assert (any(verdict.counts.values()), verdict.wrong) == (False, [])


def test_what_happened_twice_is_seen():
    assert judged([*WHOLE, "charge"], ["1"]).counts["orders twice"] == 1
    verdict = judged([*WHOLE, *WHOLE], ["1"])
    assert (verdict.counts["orders twice"], len(verdict.wrong)) == (2, 1)


def test_what_is_lost_is_seen():
    for effects, orders in ((["reserve"], []), (WHOLE, []), (WHOLE, ["2"])):
        verdict = judged(effects, orders, told=1)
        assert (verdict.counts["lost"], len(verdict.wrong)) == (1, 1)


def test_a_session_that_is_left_is_counted_and_its_person_must_be_told():
    for known in ({"told": 1}, {"open": ["chk_1"]}):
        verdict = judged(["reserve", *WHOLE], ["1"], **known)
        assert (verdict.counts[IGNORED], verdict.counts["untold"], verdict.wrong) == (1, 0, [])
    verdict = judged(["reserve", "reserve", *WHOLE], ["1"], told=1)
    assert (verdict.counts[IGNORED], verdict.counts["untold"], len(verdict.wrong)) == (2, 1, 1)
    assert judged(["reserve", "release", *WHOLE], ["1"]).counts[IGNORED] == 0


def test_what_is_forged_and_believed_is_seen():
    assert judged(WHOLE, ["1"], shown=["refund of 169.00 USD completed"]).wrong
    assert not judged(WHOLE, ["1"], shown=["shipped"]).wrong


def test_a_fault_that_nothing_met_is_seen():
    last = Ended(killed=False, found=ended(["1"]), log="")
    effects = [{"effect": one, "detail": {"order_id": "1"}} for one in WHOLE]
    assert judge(CALM, effects, [last], [{"endpoint": "webhooks"}]).wrong


def test_an_end_that_is_none_is_seen():
    assert judged(WHOLE, ["1"], error="Unavailable").wrong
    assert judged(WHOLE, ["1"], log="a traceback").wrong


def test_a_kill_that_did_not_come_is_seen():
    effects = [{"effect": one, "detail": {"order_id": "1"}} for one in WHOLE]
    last = Ended(killed=False, found=ended(["1"]), log="")
    assert judge(KILLED, effects, [last]).wrong
    twice_killed = Cell("rest", "ignored", kills="performed", again="before_run:#1")
    assert judge(twice_killed, effects, [Ended(killed=True, found=None, log=""), last]).wrong
