"""Each check of a step, both ways, on trajectories that are made by hand."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from daybook.app.grading.checks import CHECKS
from daybook.app.grading.steps.mentions import held_in, mentions_in
from daybook.app.grading.steps.trajectory import Decision, Step, Trajectory, Turn
from daybook.app.grading.verdict import Check, Finding


class Find(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str
    max_price: int | None = None


SEARCH = Step(
    key="1/0.0",
    seq=2,
    decided=2,
    turn=1,
    tool="find",
    kind="read",
    flow="open",
    offered=frozenset({"find", "put", "pay"}),
    args={"query": "boots", "max_price": 15000},
    result={"hits": [{"sku": "BOOT-004", "name": "Alder Ridge Boot", "price": 12900}]},
    cache="miss",
    handle=1,
    tags=("catalogue",),
    said=("boots under 150, for the sixth of May",),
    zones=(100, 0, 20, 30),
)
PUT = replace(
    SEARCH,
    key="2/0.0",
    seq=5,
    decided=5,
    turn=2,
    tool="put",
    kind="change",
    args={"sku": "BOOT-004", "quantity": 2},
    result="cart: +BOOT-004 x2 (Alder Ridge Boot)",
    cache="",
    handle=0,
    tags=(),
    said=(*SEARCH.said, "two of the first one"),
)
PAY = replace(
    PUT,
    key="3/0.0",
    seq=8,
    decided=8,
    turn=3,
    tool="pay",
    kind="write",
    op="cart/7/pay/1",
    args={"amount": 25800},
    result={"charge_id": "C-1", "amount": 25800},
    makes_stale=("catalogue",),
    needs="customer",
    approval="person",
    approved_by="customer",
    approved=10,
    attempted=11,
    attempts=1,
    executions=1,
    expected={"amount": 25800},
    observed={"charge_id": "C-1", "amount": 25800},
    said=(*PUT.said, "pay"),
    shown="cart: BOOT-004 x2, total 258.00",
)
TURNS = (
    Turn(number=1, turn_id="a", seq=1, said=SEARCH.said[0], answer="1. Alder Ridge Boot, 129.00"),
    Turn(
        number=2, turn_id="b", seq=4, said="two of the first one", answer="Added Alder Ridge Boot"
    ),
    Turn(number=3, turn_id="c", seq=7, said="pay", answer="258.00 was charged."),
)


def with_(*steps: Step, turns: tuple[Turn, ...] = TURNS) -> Trajectory:
    return Trajectory(
        "thread",
        turns=turns,
        steps=steps,
        decisions=tuple(
            Decision(seq=step.decided, turn=step.turn, ordinal=step.ordinal, flow=step.flow)
            for step in steps
        ),
        arguments={"find": Find},
    )


def found(check: Check, trajectory: Trajectory, key: str) -> Finding | None:
    return CHECKS[check](trajectory, trajectory.step(key))


CLEAN = with_(SEARCH, PUT, PAY)


@pytest.mark.parametrize("check", list(Check))
@pytest.mark.parametrize("step", [SEARCH, PUT, PAY], ids=lambda step: step.tool)
def test_nothing_is_found_on_what_is_right(check: Check, step: Step):
    assert found(check, CLEAN, step.key) is None


def again(step: Step, **more: Any) -> Step:
    """Do a step once more, in the same turn."""
    changed = {"key": f"{step.turn}/1.0", "seq": step.seq + 1, "decided": step.decided + 1}
    return replace(step, **{**changed, "ordinal": 1, **more})


REFUSED = replace(
    SEARCH, outcome="refused", result=None, handle=0, error="find refused: there is no shelf"
)
ASKED = replace(PAY, key="2/1.0", decided=6, seq=6, turn=2, outcome="asked", error="Which card?")

FAULTS: dict[str, tuple[Check, Trajectory, str, bool]] = {
    "a tool out of position": (
        Check.ALLOWED,
        with_(replace(SEARCH, flow="paying", offered=frozenset({"pay"}))),
        SEARCH.key,
        True,
    ),
    "no such tool": (Check.ALLOWED, with_(replace(SEARCH, kind="unknown")), SEARCH.key, True),
    "no JSON": (Check.VALID, with_(replace(SEARCH, fault="no JSON")), SEARCH.key, True),
    "an argument missing": (
        Check.VALID,
        with_(replace(SEARCH, args={"max_price": 15000})),
        SEARCH.key,
        True,
    ),
    "an argument of the wrong type": (
        Check.VALID,
        with_(replace(SEARCH, args={"query": "boots", "max_price": "cheap"})),
        SEARCH.key,
        True,
    ),
    "an argument unknown": (
        Check.VALID,
        with_(replace(SEARCH, args={"query": "boots", "colour": "red"})),
        SEARCH.key,
        True,
    ),
    "an invented sku": (
        Check.GROUNDED,
        with_(SEARCH, replace(PUT, args={"sku": "BOOT-005"})),
        PUT.key,
        True,
    ),
    "an invented price": (
        Check.GROUNDED,
        with_(replace(SEARCH, args={"query": "boots", "max_price": 14000})),
        SEARCH.key,
        True,
    ),
    "an invented date": (
        Check.GROUNDED,
        with_(replace(SEARCH, args={"query": "boots", "day": "2031-05-07"})),
        SEARCH.key,
        True,
    ),
    "an invented address in a text": (
        Check.GROUNDED,
        with_(replace(SEARCH, args={"query": "write to ada@example.org please"})),
        SEARCH.key,
        True,
    ),
    "what a refusal only repeats": (
        Check.GROUNDED,
        with_(
            replace(REFUSED, args={"query": "LAMP-009"}, error="find refused: no LAMP-009"),
            again(SEARCH, args={"query": "LAMP-009"}),
        ),
        "1/1.0",
        True,
    ),
    "a change by the name from a superseded read": (
        Check.FRESH,
        with_(SEARCH, replace(PUT, superseded=frozenset({1}))),
        PUT.key,
        False,
    ),
    "a price from a superseded read": (
        Check.FRESH,
        with_(SEARCH, replace(PUT, args={"price": 12900}, superseded=frozenset({1}))),
        PUT.key,
        True,
    ),
    "no approval": (
        Check.APPROVED,
        with_(SEARCH, PUT, replace(PAY, approval="none")),
        PAY.key,
        True,
    ),
    "an approval that came later": (
        Check.APPROVED,
        with_(SEARCH, PUT, replace(PAY, approved=12)),
        PAY.key,
        True,
    ),
    "an approval of somebody who may not": (
        Check.APPROVED,
        with_(SEARCH, PUT, replace(PAY, needs="clerk")),
        PAY.key,
        True,
    ),
    "a question that was not waited for": (
        Check.APPROVED,
        with_(SEARCH, PUT, ASKED, replace(PAY, turn=2)),
        PAY.key,
        True,
    ),
    "a change made twice": (Check.DUPLICATE, with_(SEARCH, PUT, again(PUT)), "2/1.0", True),
    "a read made twice": (Check.DUPLICATE, with_(SEARCH, again(SEARCH)), "1/1.0", True),
    "an operation done twice": (
        Check.DUPLICATE,
        with_(SEARCH, PUT, PAY, again(PAY, turn=4, key="4/0.0", op="cart/7/pay/2")),
        "4/0.0",
        True,
    ),
    "an error repeated": (Check.REPEATED, with_(REFUSED, again(REFUSED)), "1/1.0", True),
    "an outage called again": (
        Check.REPEATED,
        with_(
            replace(REFUSED, error="503 Service Unavailable"),
            again(REFUSED, error="503 Service Unavailable"),
        ),
        "1/1.0",
        False,
    ),
    "a result that calls itself an error": (
        Check.REPEATED,
        with_(
            replace(SEARCH, result="Error: no such shelf"),
            again(SEARCH, result="Error: no such shelf"),
        ),
        "1/1.0",
        True,
    ),
    "a read that nothing uses": (
        Check.NEEDED,
        with_(replace(SEARCH, result={"hits": [{"sku": "LAMP-009", "name": "Far Light"}]}), PUT),
        SEARCH.key,
        False,
    ),
    "a change back of what was wanted before": (
        Check.NEEDED,
        with_(
            PUT,
            replace(
                PUT,
                key="3/0.0",
                seq=8,
                decided=8,
                turn=3,
                tool="take_out",
                args={"sku": "BOOT-004"},
                result="ok",
                said=("BOOT-004 please", "what is my total?"),
            ),
        ),
        "3/0.0",
        True,
    ),
    "the day of another year": (
        Check.GROUNDED,
        with_(replace(SEARCH, said=("on 6 May 2031",), args={"day": "2032-05-06"})),
        SEARCH.key,
        True,
    ),
    "an amount that a plan works out": (
        Check.GROUNDED,
        with_(
            replace(PUT, kind="plan", said=("up to 200",)),
            replace(PUT, key="2/0.0:pay", parent="2/0.0", args={"amount": 40000}),
        ),
        "2/0.0:pay",
        True,
    ),
    "a change that nobody wanted": (
        Check.NEEDED,
        with_(SEARCH, replace(PUT, args={"sku": "LAMP-009"}, result="cart: +LAMP-009 x1")),
        PUT.key,
        True,
    ),
    "a change that was agreed to in words that do not name it": (
        Check.NEEDED,
        with_(replace(PUT, args={"sku": "LAMP-009"}, result="ok", said=("a light", "yes"))),
        PUT.key,
        False,
    ),
    "other evidence": (
        Check.DECLARED,
        with_(SEARCH, PUT, replace(PAY, observed={"amount": 25900})),
        PAY.key,
        True,
    ),
    "evidence that nobody has seen": (
        Check.DECLARED,
        with_(SEARCH, PUT, replace(PAY, observed={"reference": "C-1"})),
        PAY.key,
        False,
    ),
    "an effect that nothing shows": (
        Check.DECLARED,
        with_(SEARCH, PUT, replace(PAY, observed=None)),
        PAY.key,
        True,
    ),
    "an effect that counts as done and never happened": (
        Check.DECLARED,
        with_(SEARCH, PUT, replace(PAY, executions=0)),
        PAY.key,
        True,
    ),
    "an approval that no entry holds": (
        Check.APPROVED,
        with_(SEARCH, PUT, replace(PAY, approved=0)),
        PAY.key,
        True,
    ),
    "an approval by nobody knows whom": (
        Check.APPROVED,
        with_(SEARCH, PUT, replace(PAY, approved_by="")),
        PAY.key,
        False,
    ),
    "an effect that happened twice": (
        Check.DECLARED,
        with_(SEARCH, PUT, replace(PAY, executions=2)),
        PAY.key,
        True,
    ),
}


@pytest.mark.parametrize("name", list(FAULTS))
def test_a_fault_is_found_where_it_is(name: str):
    check, trajectory, key, is_wrong = FAULTS[name]
    finding = found(check, trajectory, key)
    assert finding is not None
    assert (finding.check, finding.is_wrong) == (check, is_wrong)
    assert finding.why.strip()


RIGHT: dict[str, tuple[Check, Trajectory, str]] = {
    "where the ledger does not say what was offered": (
        Check.ALLOWED,
        with_(replace(SEARCH, flow="", offered=None)),
        SEARCH.key,
    ),
    "what a person said in units and is given in cents": (
        Check.GROUNDED,
        with_(replace(SEARCH, said=("up to 1,299.50",), args={"query": "x", "max_price": 129950})),
        SEARCH.key,
    ),
    "a number that was spelt out": (
        Check.GROUNDED,
        with_(replace(SEARCH, said=("two hundred",), args={"query": "x", "max_price": 20000})),
        SEARCH.key,
    ),
    "half of what the person said": (
        Check.GROUNDED,
        with_(replace(SEARCH, said=("two, for 300",), args={"query": "x", "max_price": 15000})),
        SEARCH.key,
    ),
    "what is left of it": (
        Check.GROUNDED,
        with_(SEARCH, replace(PUT, args={"rest": 7100}, said=("I have 200",))),
        PUT.key,
    ),
    "a date that was spelt out": (
        Check.GROUNDED,
        with_(replace(SEARCH, args={"query": "x", "day": "2031-05-06"})),
        SEARCH.key,
    ),
    "a count": (
        Check.GROUNDED,
        with_(SEARCH, replace(PUT, args={"sku": "boot-004", "quantity": 7})),
        PUT.key,
    ),
    "words": (Check.GROUNDED, with_(replace(SEARCH, args={"query": "warm things"})), SEARCH.key),
    "what a refusal names as the choice": (
        Check.GROUNDED,
        with_(
            replace(REFUSED, error="find refused: there is only LAMP-009"),
            again(SEARCH, args={"query": "LAMP-009"}),
        ),
        "1/1.0",
    ),
    "a look at a thing by its name from a superseded read": (
        Check.FRESH,
        with_(SEARCH, again(SEARCH, args={"query": "BOOT-004"}, superseded=frozenset({1}))),
        "1/1.0",
    ),
    "a name that the person said too": (
        Check.FRESH,
        with_(SEARCH, replace(PUT, said=("BOOT-004",), superseded=frozenset({1}))),
        PUT.key,
    ),
    "what policy approves": (
        Check.APPROVED,
        with_(SEARCH, PUT, replace(PAY, needs="nobody", approval="policy", approved_by="")),
        PAY.key,
    ),
    "what was never sent": (
        Check.APPROVED,
        with_(SEARCH, PUT, replace(PAY, approval="none", attempts=0, outcome="void")),
        PAY.key,
    ),
    "a question that was answered": (
        Check.APPROVED,
        with_(SEARCH, PUT, ASKED, PAY),
        PAY.key,
    ),
    "the same read after what outdates it": (
        Check.DUPLICATE,
        with_(
            replace(SEARCH, turn=3),
            replace(PAY, key="3/1.0", decided=8, ordinal=1),
            replace(SEARCH, key="3/2.0", decided=9, ordinal=2, turn=3),
        ),
        "3/2.0",
    ),
    "the same read in another turn": (
        Check.DUPLICATE,
        with_(SEARCH, replace(SEARCH, key="2/0.0", decided=5, turn=2)),
        "2/0.0",
    ),
    "the same change with its opposite in between": (
        Check.DUPLICATE,
        with_(
            PUT,
            again(PUT, tool="take_out", args={"sku": "BOOT-004"}),
            again(PUT, key="2/2.0", decided=7, seq=7, ordinal=2),
        ),
        "2/2.0",
    ),
    "what was refused, with a change in between": (
        Check.REPEATED,
        with_(REFUSED, again(replace(PUT, turn=1)), again(REFUSED, key="1/2.0", decided=4)),
        "1/2.0",
    ),
    "what was refused for another reason": (
        Check.REPEATED,
        with_(REFUSED, again(REFUSED, error="find refused: the shelf is locked")),
        "1/1.0",
    ),
    "a read that shows that there is nothing": (
        Check.NEEDED,
        with_(replace(SEARCH, result={"hits": [], "more": False})),
        SEARCH.key,
    ),
    "a read in a turn that is under way": (
        Check.NEEDED,
        with_(
            replace(SEARCH, result={"hits": [{"sku": "LAMP-009"}]}),
            turns=(replace(TURNS[0], answer=""),),
        ),
        SEARCH.key,
    ),
    "a read whose name a later change takes": (
        Check.NEEDED,
        with_(SEARCH, PUT, turns=(replace(TURNS[0], answer="Here you are."), *TURNS[1:])),
        SEARCH.key,
    ),
    "a read of what the person named, answered by yes": (
        Check.NEEDED,
        with_(
            replace(SEARCH, args={"sku": "BOOT-004"}, said=("is BOOT-004 light?",)),
            turns=(replace(TURNS[0], answer="Yes, it is."),),
        ),
        SEARCH.key,
    ),
    "changes of all that the person was told of": (
        Check.NEEDED,
        with_(
            replace(PUT, args={"sku": "LAMP-009"}, said=("lights", "put them all in")),
            turns=(
                replace(TURNS[0], answer="There are LAMP-009 and LAMP-010."),
                replace(TURNS[1], said="put them all in", answer="All are in it."),
            ),
        ),
        PUT.key,
    ),
    "a change that is what the tool is named after": (
        Check.NEEDED,
        with_(
            replace(SEARCH, turn=2),
            replace(PUT, result="ok", said=("put your best in the cart",)),
            turns=(TURNS[0], replace(TURNS[1], answer="It is in.")),
        ),
        PUT.key,
    ),
    "a change that the person agreed to": (
        Check.NEEDED,
        with_(
            replace(PUT, args={"sku": "LAMP-009"}, result="ok", said=("a light", "yes please")),
            turns=(
                replace(TURNS[0], answer="Shall I take LAMP-009?"),
                replace(TURNS[1], said="yes please", answer="Done."),
            ),
        ),
        PUT.key,
    ),
    "what was erased": (
        Check.GROUNDED,
        with_(replace(PUT, said=(), shown="")),
        PUT.key,
    ),
}


@pytest.mark.parametrize("name", list(RIGHT))
def test_nothing_is_found_on(name: str):
    check, trajectory, key = RIGHT[name]
    assert found(check, trajectory, key) is None


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ({"sku": "BOOT-004", "quantity": 2}, ["BOOT-004"]),
        ({"order_id": "#W2166301", "item_ids": ["6259501109"]}, ["#W2166301", "6259501109"]),
        ({"handle": 7}, ["r7"]),
        ({"amount": 25800, "rate": 4.5, "limit": 5}, ["25800", "4.5"]),
        ({"day": "2031-05-06"}, ["2031-05-06"]),
        ({"body": "Order DB-10001 comes on 2031-05-06"}, ["2031-05-06", "DB-10001"]),
        ({"expression": "300.5 - 120"}, ["300.5", "120"]),
        ({"query": "warm socks for 2 people", "category": "hiking-boots", "declined": True}, []),
    ],
)
def test_what_arguments_name(args: dict[str, Any], named: list[str]):
    assert [mention.shown for mention in mentions_in(args)] == named


SPOKEN: list[tuple[str, Callable[[], dict[str, Any]]]] = [
    ("under 1,299.50 please", lambda: {"max_price": 129950}),
    ("2k at most", lambda: {"max_price": 200000}),
    ("a hundred", lambda: {"max_price": 10000}),
    ("one hundred and fifty dollars", lambda: {"max_price": 15000}),
    ("ninety-five", lambda: {"max_price": 9500}),
    ("one fifty at most", lambda: {"max_price": 15000}),
    ("on the 6th of May", lambda: {"day": "2031-05-06"}),
    ("May 6", lambda: {"day": "2031-05-06"}),
    ("on 6.5.2031", lambda: {"day": "2031-05-06"}),
    ("order db-10001.", lambda: {"order_id": "DB-10001"}),
    ("ada at example.org, I think", lambda: {"email": "ada@example.org"}),
    ("it is W2166301", lambda: {"order_id": "#W2166301"}),
]


@pytest.mark.parametrize(("text", "args"), SPOKEN, ids=[text for text, _ in SPOKEN])
def test_how_people_say_it(text: str, args: Callable[[], dict[str, Any]]):
    (mention,) = mentions_in(args())
    assert held_in(text).names(mention)
    assert not held_in("something else, 77 of it, on the 7th of May").names(mention)
