"""Each check of a step, both ways, on trajectories that are made by hand."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from daybook.tools.said.mentions import held_in, mentions_in
from pydantic import BaseModel, ConfigDict

from daybook.app.grading.checks import CHECKS
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
search, put, pay = (partial(replace, step) for step in (SEARCH, PUT, PAY))


def test_nothing_is_found_on_what_is_right():
    for step in (SEARCH, PUT, PAY):
        assert {check: found(check, CLEAN, step.key) for check in Check} == dict.fromkeys(Check)


def again(step: Step, **more: Any) -> Step:
    """Do a step once more, in the same turn."""
    changed = {"key": f"{step.turn}/1.0", "seq": step.seq + 1, "decided": step.decided + 1}
    return replace(step, **{**changed, "ordinal": 1, **more})


REFUSED = replace(
    SEARCH, outcome="refused", result=None, handle=0, error="find refused: there is no shelf"
)
ASKED = pay(key="2/1.0", decided=6, seq=6, turn=2, outcome="asked", error="Which card?")

# The steps of a thread, the last of which is looked at; or the thread and the key.
Rows = dict[Check, dict[str, list[Any]]]


def named(rows: Rows) -> list[Any]:
    """Return a check and what it is about for each row, under its name."""
    return [
        pytest.param(check, about, id=name)
        for check, of_check in rows.items()
        for name, about in of_check.items()
    ]


def looked(check: Check, about: list[Any]) -> Finding | None:
    """Look at the step that a row is about."""
    if not isinstance(about[0], Trajectory):
        about = [with_(*about)]
    return found(check, about[0], about[1] if about[1:] else about[0].steps[-1].key)


WRONG: Rows = {
    Check.ALLOWED: {
        "a tool out of position": [search(flow="paying", offered=frozenset({"pay"}))],
        "no such tool": [search(kind="unknown")],
        "a purchase of nothing": [pay(outcome="open", barred="The cart is empty.")],
    },
    Check.VALID: {
        "no JSON": [search(fault="no JSON")],
        "an argument missing": [search(args={"max_price": 15000})],
        "an argument of the wrong type": [search(args={"query": "boots", "max_price": "cheap"})],
        "an argument unknown": [search(args={"query": "boots", "colour": "red"})],
    },
    Check.GROUNDED: {
        "an invented sku": [SEARCH, put(args={"sku": "BOOT-005"})],
        "an invented price": [search(args={"query": "boots", "max_price": 14000})],
        "an invented date": [search(args={"query": "boots", "day": "2031-05-07"})],
        "an invented address in a text": [
            search(args={"query": "write to ada@example.org please"})
        ],
        "what a refusal only repeats": [
            replace(REFUSED, args={"query": "LAMP-009"}, error="find refused: no LAMP-009"),
            again(SEARCH, args={"query": "LAMP-009"}),
        ],
        "the day of another year": [search(said=("on 6 May 2031",), args={"day": "2032-05-06"})],
        "an amount that a plan works out": [
            put(kind="plan", said=("up to 200",)),
            put(key="2/0.0:pay", parent="2/0.0", args={"amount": 40000}),
        ],
    },
    Check.FRESH: {
        "a price from a superseded read": [
            SEARCH,
            put(args={"price": 12900}, superseded=frozenset({1})),
        ],
    },
    Check.APPROVED: {
        "no approval": [SEARCH, PUT, pay(approval="none")],
        "an approval that came later": [SEARCH, PUT, pay(approved=12)],
        "an approval of somebody who may not": [SEARCH, PUT, pay(needs="clerk")],
        "a question that was not waited for": [SEARCH, PUT, ASKED, pay(turn=2)],
        "an approval that no entry holds": [SEARCH, PUT, pay(approved=0)],
    },
    Check.DUPLICATE: {
        "a change made twice": [SEARCH, PUT, again(PUT)],
        "a read made twice": [SEARCH, again(SEARCH)],
        "an operation done twice": [
            SEARCH,
            PUT,
            PAY,
            again(PAY, turn=4, key="4/0.0", op="cart/7/pay/2"),
        ],
    },
    Check.REPEATED: {
        "an error repeated": [REFUSED, again(REFUSED)],
        "a result that calls itself an error": [
            search(result="Error: no such shelf"),
            again(SEARCH, result="Error: no such shelf"),
        ],
    },
    Check.NEEDED: {
        "a change back of what was wanted before": [
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
        ],
        "a change that nobody wanted": [
            SEARCH,
            put(args={"sku": "LAMP-009"}, result="cart: +LAMP-009 x1"),
        ],
    },
    Check.DECLARED: {
        "other evidence": [SEARCH, PUT, pay(observed={"amount": 25900})],
        "an effect that nothing shows": [SEARCH, PUT, pay(observed=None)],
        "an effect that counts as done and never happened": [SEARCH, PUT, pay(executions=0)],
        "an effect that happened twice": [SEARCH, PUT, pay(executions=2)],
    },
}

SUSPECT: Rows = {
    Check.ALLOWED: {
        "a purchase of nothing that was refused": [
            pay(outcome="refused", barred="The cart is empty.")
        ],
    },
    Check.FRESH: {
        "a change by the name from a superseded read": [SEARCH, put(superseded=frozenset({1}))],
    },
    Check.REPEATED: {
        "an outage called again": [
            replace(REFUSED, error="503 Service Unavailable"),
            again(REFUSED, error="503 Service Unavailable"),
        ],
    },
    Check.NEEDED: {
        "a read that nothing uses": [
            with_(search(result={"hits": [{"sku": "LAMP-009", "name": "Far Light"}]}), PUT),
            SEARCH.key,
        ],
        "a change that was agreed to in words that do not name it": [
            put(args={"sku": "LAMP-009"}, result="ok", said=("a light", "yes"))
        ],
    },
    Check.DECLARED: {
        "evidence that nobody has seen": [SEARCH, PUT, pay(observed={"reference": "C-1"})],
    },
    Check.APPROVED: {
        "an approval by nobody knows whom": [SEARCH, PUT, pay(approved_by="")],
    },
}


@pytest.mark.parametrize(
    ("check", "about", "is_wrong"),
    [
        pytest.param(*row.values, is_wrong, id=row.id)
        for rows, is_wrong in ((WRONG, True), (SUSPECT, False))
        for row in named(rows)
    ],
)
def test_a_fault_is_found_where_it_is(check: Check, about: list[Any], is_wrong: bool):
    finding = looked(check, about)
    assert finding is not None
    assert (finding.check, finding.is_wrong) == (check, is_wrong)
    assert finding.why.strip()


RIGHT: Rows = {
    Check.ALLOWED: {
        "where the ledger does not say what was offered": [search(flow="", offered=None)],
    },
    Check.GROUNDED: {
        "what a person said in units and is given in cents": [
            search(said=("up to 1,299.50",), args={"query": "x", "max_price": 129950})
        ],
        "a number that was spelt out": [
            search(said=("two hundred",), args={"query": "x", "max_price": 20000})
        ],
        "half of what the person said": [
            search(said=("two, for 300",), args={"query": "x", "max_price": 15000})
        ],
        "what is left of it": [SEARCH, put(args={"rest": 7100}, said=("I have 200",))],
        "a date that was spelt out": [search(args={"query": "x", "day": "2031-05-06"})],
        "a count": [SEARCH, put(args={"sku": "boot-004", "quantity": 7})],
        "words": [search(args={"query": "warm things"})],
        "what a refusal names as the choice": [
            replace(REFUSED, error="find refused: there is only LAMP-009"),
            again(SEARCH, args={"query": "LAMP-009"}),
        ],
        "what was erased": [put(said=(), shown="")],
    },
    Check.FRESH: {
        "a look at a thing by its name from a superseded read": [
            SEARCH,
            again(SEARCH, args={"query": "BOOT-004"}, superseded=frozenset({1})),
        ],
        "a name that the person said too": [
            SEARCH,
            put(said=("BOOT-004",), superseded=frozenset({1})),
        ],
    },
    Check.APPROVED: {
        "what policy approves": [
            SEARCH,
            PUT,
            pay(needs="nobody", approval="policy", approved_by=""),
        ],
        "what was never sent": [SEARCH, PUT, pay(approval="none", attempts=0, outcome="void")],
        "a question that was answered": [SEARCH, PUT, ASKED, PAY],
    },
    Check.DUPLICATE: {
        "the same read after what outdates it": [
            search(turn=3),
            pay(key="3/1.0", decided=8, ordinal=1),
            search(key="3/2.0", decided=9, ordinal=2, turn=3),
        ],
        "the same read in another turn": [SEARCH, search(key="2/0.0", decided=5, turn=2)],
        "the same change with its opposite in between": [
            PUT,
            again(PUT, tool="take_out", args={"sku": "BOOT-004"}),
            again(PUT, key="2/2.0", decided=7, seq=7, ordinal=2),
        ],
    },
    Check.REPEATED: {
        "what was refused, with a change in between": [
            REFUSED,
            again(put(turn=1)),
            again(REFUSED, key="1/2.0", decided=4),
        ],
        "what was refused for another reason": [
            REFUSED,
            again(REFUSED, error="find refused: the shelf is locked"),
        ],
    },
    Check.NEEDED: {
        "a read that shows that there is nothing": [search(result={"hits": [], "more": False})],
        "a read in a turn that is under way": [
            with_(
                search(result={"hits": [{"sku": "LAMP-009"}]}),
                turns=(replace(TURNS[0], answer=""),),
            )
        ],
        "a read whose name a later change takes": [
            with_(SEARCH, PUT, turns=(replace(TURNS[0], answer="Here you are."), *TURNS[1:])),
            SEARCH.key,
        ],
        "a read of what the person named, answered by yes": [
            with_(
                search(args={"sku": "BOOT-004"}, said=("is BOOT-004 light?",)),
                turns=(replace(TURNS[0], answer="Yes, it is."),),
            )
        ],
        "changes of all that the person was told of": [
            with_(
                put(args={"sku": "LAMP-009"}, said=("lights", "put them all in")),
                turns=(
                    replace(TURNS[0], answer="There are LAMP-009 and LAMP-010."),
                    replace(TURNS[1], said="put them all in", answer="All are in it."),
                ),
            )
        ],
        "a change that is what the tool is named after": [
            with_(
                search(turn=2),
                put(result="ok", said=("put your best in the cart",)),
                turns=(TURNS[0], replace(TURNS[1], answer="It is in.")),
            )
        ],
        "a change that the person agreed to": [
            with_(
                put(args={"sku": "LAMP-009"}, result="ok", said=("a light", "yes please")),
                turns=(
                    replace(TURNS[0], answer="Shall I take LAMP-009?"),
                    replace(TURNS[1], said="yes please", answer="Done."),
                ),
            )
        ],
    },
}


@pytest.mark.parametrize(("check", "about"), named(RIGHT))
def test_nothing_is_found_on(check: Check, about: list[Any]):
    assert looked(check, about) is None


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
