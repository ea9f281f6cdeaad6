"""Each check of a step, both ways, on trajectories that are made by hand."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from daybook.app.grading.grade import Check, Finding, Step, Trajectory, grade
from daybook.tools.signature import passed_through


class Find(BaseModel):
    model_config = ConfigDict(extra="forbid")

    query: str
    max_price: int | None = None


# An MCP server's tool: it takes whatever is given, and shows a schema.
BOOK = passed_through(
    "book",
    {
        "type": "object",
        "properties": {"room": {"type": "string", "enum": ["Barn"]}, "people": {"type": "integer"}},
        "required": ["room"],
    },
)

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
    handle=1,
    said=("boots under 150, for the sixth of May",),
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
    handle=0,
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
    needs="customer",
    approved_by="customer",
    approved=10,
    attempted=11,
    said=(*PUT.said, "pay"),
    shown="cart: BOOT-004 x2, total 258.00",
)
ANSWER = Step(
    key="3/1",
    seq=14,
    decided=14,
    turn=3,
    tool="answer",
    kind="answer",
    args={"text": "258.00 was charged for C-2."},
)
CHECKS = ("arguments", "invented", "stale", "approval", "repeated", "claim")


def with_(*steps: Step) -> Trajectory:
    return Trajectory("thread", steps, schemas={"find": Find, "book": BOOK})


def found(check: Check, trajectory: Trajectory, key: str) -> Finding | None:
    verdict = next(one for one in grade(trajectory).verdicts if one.step.key == key)
    return next((one for one in verdict.findings if one.check == check), None)


CLEAN = with_(SEARCH, PUT, PAY, ANSWER)
search, put, pay = (partial(replace, step) for step in (SEARCH, PUT, PAY))
book = partial(replace, PUT, tool="book", offered=frozenset({"book"}), said=("the Barn for 8",))


def test_nothing_is_found_on_what_is_right():
    for step in (SEARCH, PUT, PAY, ANSWER):
        assert {check: found(check, CLEAN, step.key) for check in CHECKS} == dict.fromkeys(CHECKS)


def again(step: Step, **more: Any) -> Step:
    """Do a step once more, in the same turn."""
    changed = {"key": f"{step.turn}/1.0", "seq": step.seq + 1, "decided": step.decided + 1}
    return replace(step, **{**changed, **more})


REFUSED = replace(
    SEARCH, outcome="refused", result=None, handle=0, error="find refused: there is no shelf"
)
ASKED = pay(key="2/1.0", decided=6, seq=6, turn=2, outcome="asked", error="Which card?")
PLAN = put(kind="plan", tool="buy", args={})
EFFECT = put(
    key="2/0.0:pay",
    parent=PLAN.key,
    kind="write",
    tool="pay",
    op="cart/7/pay/1",
    shown="2 x BOOT-004\n258.00 USD",
)

# The steps of a thread, the last of which is looked at.
Rows = dict[Check, dict[str, list[Step]]]


def named(rows: Rows) -> list[Any]:
    """Return a check and what it is about for each row, under its name."""
    return [
        pytest.param(check, about, id=name)
        for check, of_check in rows.items()
        for name, about in of_check.items()
    ]


def looked(check: Check, about: list[Step]) -> Finding | None:
    """Look at the last step of a row."""
    return found(check, with_(*about), about[-1].key)


WRONG: Rows = {
    "arguments": {
        "a tool out of position": [search(flow="paying", offered=frozenset({"pay"}))],
        "an argument unknown": [search(args={"query": "boots", "colour": "red"})],
        "of a tool that takes anything: one missing": [book(args={"people": 8})],
    },
    "invented": {
        "an identifier": [SEARCH, put(args={"sku": "BOOT-005"})],
        "a handle of no read": [SEARCH, again(SEARCH, args={"handle": 7})],
        "an amount that is sent": [SEARCH, PUT, pay(args={"amount": 25900})],
        "an amount of an effect that its plan does not show": [
            PLAN,
            replace(EFFECT, args={"amount": 40000}),
        ],
    },
    "stale": {
        "a price from a superseded read": [
            SEARCH,
            put(args={"price": 12900}, superseded=frozenset({1})),
        ],
    },
    "approval": {
        "no approval": [SEARCH, PUT, pay(approved=0)],
        "an approval that came later": [SEARCH, PUT, pay(approved=12)],
        "an approval of somebody who may not": [SEARCH, PUT, pay(needs="clerk")],
    },
    "repeated": {
        "a change made twice": [SEARCH, PUT, again(PUT)],
        "a read made twice": [SEARCH, again(SEARCH)],
        "a read with a default that is left out once": [
            search(args={"query": "boots"}),
            again(SEARCH, args={"query": " boots ", "max_price": None}),
        ],
        "an operation done twice": [
            SEARCH,
            PUT,
            PAY,
            again(PAY, turn=4, key="4/0.0", op="cart/7/pay/2"),
        ],
    },
    "claim": {
        "a claim without effect": [
            SEARCH,
            PUT,
            PAY,
            replace(ANSWER, claims=("“I sent a mail.”: No mail was sent.",)),
        ],
    },
}

DOUBTFUL: Rows = {
    "invented": {
        "a limit of a search": [search(args={"query": "boots", "max_price": 14000})],
    },
    "approval": {
        "an approval by an unknown role": [SEARCH, PUT, pay(approved_by="")],
    },
    "repeated": {
        "a call that was refused as a repetition": [PUT, again(PUT, outcome="refused")],
    },
}


@pytest.mark.parametrize(
    ("check", "about", "is_wrong"),
    [
        pytest.param(*row.values, is_wrong, id=row.id)
        for rows, is_wrong in ((WRONG, True), (DOUBTFUL, False))
        for row in named(rows)
    ],
)
def test_a_fault_is_found_where_it_is(check: Check, about: list[Step], is_wrong: bool):
    finding = looked(check, about)
    assert finding is not None
    assert (finding.check, finding.is_wrong) == (check, is_wrong)
    assert finding.why.strip()


RIGHT: Rows = {
    "invented": {
        "a handle of a read": [SEARCH, again(SEARCH, args={"handle": 1})],
        "what a refusal names as the choice": [
            replace(REFUSED, error="find refused: there is only LAMP-009"),
            again(SEARCH, args={"query": "LAMP-009"}),
        ],
        "what happened outside the chat": [
            put(said=("x",), shown="cart: BOOT-004"),
        ],
        "what an earlier effect of the plan returned": [
            PLAN,
            replace(EFFECT, args={"amount": 25800}, result={"charge_id": "C-1"}),
            replace(EFFECT, key="2/0.0:order", args={"charge_id": "C-1"}),
        ],
    },
    "approval": {
        "what policy approves": [
            SEARCH,
            PUT,
            pay(needs="nobody", approved=0, approved_by=""),
        ],
    },
    "repeated": {
        "the same read after an effect": [
            search(turn=3),
            pay(key="3/1.0", decided=8),
            search(key="3/2.0", decided=9, turn=3),
        ],
        "the same call in another turn": [SEARCH, search(key="2/0.0", decided=5, turn=2)],
    },
    "claim": {"an answer without findings": [SEARCH, PUT, PAY, ANSWER]},
}


@pytest.mark.parametrize(("check", "about"), named(RIGHT))
def test_nothing_is_found_on(check: Check, about: list[Step]):
    assert looked(check, about) is None


# -- verdicts

WRONG_SEARCH = replace(SEARCH, offered=frozenset[str]())


def test_what_is_right_is_right_and_what_is_not_over_is_said():
    graded = grade(CLEAN)
    assert [verdict.score for verdict in graded.verdicts] == [1, 1, 1, 1]
    assert (graded.first_wrong, graded.wasted_tokens, graded.notes) == (None, 0, [])
    early = grade(with_(SEARCH, replace(PUT, outcome="open"), replace(PAY, outcome="in_doubt")))
    assert len(early.notes) == 1
    assert "2" in early.notes[0]


def test_tokens_are_wasted_where_nothing_of_a_decision_is_right():
    beside = replace(SEARCH, key="1/0.1", args={"query": "tents"}, handle=2)
    whole = replace(with_(WRONG_SEARCH, beside), tokens={2: 150})
    assert (grade(whole).wasted_tokens, grade(whole).tokens) == (0, 150)
    alone = replace(with_(WRONG_SEARCH), tokens={2: 150})
    assert grade(alone).wasted_tokens == 150


def test_what_was_for_nothing_is_neither_right_nor_wrong():
    for outcome in ("refused", "void", "in_doubt", "open", "erased"):
        step = replace(PAY, outcome=outcome)
        verdict = grade(with_(SEARCH, PUT, step)).verdicts[-1]
        assert (verdict.score, verdict.findings) == (0, ())
        assert verdict.why
