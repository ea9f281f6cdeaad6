"""A call is held against what the person asked for: which thing, how many, and whether at all."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from daybook.app.grading.checks import CHECKS
from daybook.app.grading.grading import grade
from daybook.app.grading.steps.trajectory import Kind, Step, Trajectory, Turn
from daybook.app.grading.verdict import Check, Finding

HITS = {
    "hits": [
        {"sku": "BOOT-004", "name": "Alder Ridge Waterproof Boot", "price": 12900},
        {"sku": "BOOT-007", "name": "Fox Hollow Light Boot", "price": 9900},
        {"sku": "SOCK-002", "name": "Kestrel Edge Wool Socks", "price": 1800},
    ]
}
LISTED = """3 products:

1. **Alder Ridge Waterproof Boot** (BOOT-004), 129.00 USD
2. **Fox Hollow Light Boot** (BOOT-007), 99.00 USD
3. **Kestrel Edge Wool Socks** (SOCK-002), 18.00 USD"""


class Put(BaseModel):
    sku: str
    quantity: int = 1


LOOK = Step(
    key="1/0.0",
    seq=2,
    decided=2,
    turn=1,
    tool="find",
    kind="read",
    args={"query": "boots"},
    result=HITS,
    handle=1,
    said=("what boots do you have",),
)


def called(
    said: str, tool: str, kind: Kind, *args: dict[str, Any], shown: str = "", last: str = LISTED
) -> Trajectory:
    """Write a thread: a list was shown, then the person says something and calls follow."""
    steps = tuple(
        Step(
            key=f"2/{at}.0",
            seq=5 + 2 * at,
            decided=5 + 2 * at,
            turn=2,
            ordinal=at,
            tool=tool,
            kind=kind,
            args=given,
            said=(*LOOK.said, said),
            shown=shown,
        )
        for at, given in enumerate(args)
    )
    turns = (
        Turn(number=1, turn_id="a", seq=1, said=LOOK.said[0], answer=last),
        Turn(number=2, turn_id="b", seq=4, said=said, answer="Here you are."),
    )
    return Trajectory("t", turns, (LOOK, *steps), arguments={"put": Put})


def found(trajectory: Trajectory) -> Finding | None:
    return CHECKS[Check.ASKED](trajectory, trajectory.steps[-1])


def sku(name: str, **more: Any) -> dict[str, Any]:
    return {"sku": name, **more}


CART = "# Now\ncart r1 (USD):\n  BOOT-004 x1 @ 129.00 = 129.00 | Alder Ridge Waterproof Boot"


@pytest.mark.parametrize(
    ("said", "trajectory"),
    [
        *(
            (said, called(said, "put", "change", *args))
            for said, *args in (
                ("add the second one", sku("BOOT-004")),
                ("add the 2nd", sku("SOCK-002")),
                ("number 3 please", sku("BOOT-004")),
                ("add #1", sku("BOOT-007")),
                ("add BOOT-004", sku("BOOT-007")),
                ("ADD boot-004", sku("LAMP-009")),
                ("add BOOT-777", sku("BOOT-004")),
                ("add the waterproof boots", sku("BOOT-007")),
                ("the Fox Hollow boot please", sku("BOOT-004")),
                ("add the wool socks", sku("BOOT-004")),
                ("add the first and the second one", sku("BOOT-004"), sku("SOCK-002")),
                ("2nd one pls", sku("BOOT-004")),
                ("second one", sku("BOOT-004")),
                ("add no. 2", sku("BOOT-004")),
                ("put number two in my cart", sku("BOOT-004")),
                ("option two", sku("BOOT-004")),
                ("add the last one", sku("BOOT-004")),
                ("add the first two", sku("SOCK-002")),
                ("add BOOT 004", sku("BOOT-007")),
                ("add the cheapest", sku("BOOT-004")),
                ("add the cheapest boots", sku("BOOT-004")),
                ("add the most expensive one", sku("SOCK-002")),
                ("add the 99 dollar one", sku("BOOT-004")),
                ("add one of them, but not the first", sku("BOOT-004")),
                ("any of these except BOOT-004", sku("BOOT-004")),
                ("anything but BOOT 004", sku("BOOT-004")),
            )
        ),
        ("more of it", called("tell me about the second one", "open", "read", sku("BOOT-004"))),
        ("reviews", called("reviews of BOOT-007", "reviews", "read", sku("SOCK-002"))),
    ],
)
def test_another_thing_than_was_meant_is_wrong(said: str, trajectory: Trajectory):
    finding = found(trajectory)
    assert finding is not None
    assert finding.is_wrong
    assert "meant" in finding.why


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ("add the second one", [sku("BOOT-007")]),
        ("add the first and the third", [sku("BOOT-004"), sku("SOCK-002")]),
        ("add the boots", [sku("BOOT-004")]),
        ("add the boots", [sku("BOOT-007")]),
        ("add it", [sku("SOCK-002")]),
        ("not the first one, the other boots", [sku("BOOT-007")]),
        ("anything but BOOT-004", [sku("BOOT-007")]),
        ("why not the first one?", [sku("BOOT-004")]),
        ("not only the first one, the second too", [sku("BOOT-004")]),
        ("something like the first one", [sku("BOOT-007")]),
        ("socks for the Alder Ridge boots", [sku("SOCK-002")]),
        ("first of all, add the light ones", [sku("BOOT-007")]),
        ("take out the wool socks and add the second one", [sku("SOCK-002")]),
        ("put the boots in, and the third one too", [sku("BOOT-004")]),
        ("add the fifth one", [sku("BOOT-007")]),
        ("add the first two", [sku("BOOT-007")]),
        ("on second thought, add it", [sku("BOOT-004")]),
        ("add the Fox Hollow and the Alder Ridge", [sku("BOOT-004")]),
        ("add SOCK-002 to my cart", [sku("sock-002")]),
        ("second one", [sku("BOOT-007")]),
        ("add the last one", [sku("SOCK-002")]),
        ("add the first two", [sku("BOOT-004")]),
        ("add BOOT 004", [sku("BOOT-004")]),
        ("add the cheapest", [sku("SOCK-002")]),
        ("add the cheapest boots", [sku("BOOT-007")]),
        ("add the cheapest one you have", [sku("BOOT-777")]),
        ("add the most expensive one", [sku("BOOT-004")]),
        ("add the 99 dollar one", [sku("BOOT-007")]),
        ("add the 15 dollar one", [sku("BOOT-007")]),
        ("what did I order the last time, add that", [sku("BOOT-004")]),
    ],
)
def test_what_was_meant_or_may_have_been_is_right(said: str, args: list[dict[str, Any]]):
    assert found(called(said, "put", "change", *args)) is None


def test_the_second_one_may_be_the_second_of_the_cart():
    took = called(
        "remove the second one", "take_out", "change", sku("BOOT-004"), shown=CART, last=""
    )
    assert found(took) is None


def test_what_is_ruled_out_may_be_taken_out():
    said = "the second one, and not the first"
    took = called(said, "take_out", "change", sku("BOOT-004"), shown=CART)
    assert found(took) is None


@pytest.mark.parametrize("said", ["how heavy is it?", "what is its weight?", "thanks"])
def test_what_nobody_asked_to_take_out_is_wrong(said: str):
    finding = found(called(said, "take_out", "change", sku("BOOT-004"), shown=CART))
    assert finding is not None
    assert finding.why.startswith("Nobody asked for it")


@pytest.mark.parametrize(
    "said", ["remove it", "I don't want it any more", "no boots", "out with it"]
)
def test_what_somebody_asked_to_take_out_is_right(said: str):
    assert found(called(said, "take_out", "change", sku("BOOT-004"), shown=CART)) is None


def test_what_an_agent_notes_for_itself_is_no_act():
    noted = {"subject": "boots", "value": "BOOT-004"}
    assert found(called("is it warm?", "remember", "change", noted)) is None


def test_a_look_at_more_than_was_asked_about_is_not_wrong():
    said = "is the second one lighter"
    assert found(called(said, "open", "read", sku("BOOT-007"), sku("BOOT-004"))) is None


@pytest.mark.parametrize(
    ("said", "quantity"),
    [
        ("make it 2", 3),
        ("add two of the first one", 3),
        ("two of the first one please", None),
        ("3 pairs of BOOT-004", 2),
        ("x2 of BOOT-004", 1),
        ("set the quantity to 4", 5),
        ("no wait, just 2", 1),
        ("add the first one", 10),
        ("add BOOT-004", 2),
        ("2", 3),
        ("two please", 1),
        ("4 BOOT-004 please", 1),
    ],
)
def test_another_quantity_than_was_asked_for_is_wrong(said: str, quantity: int | None):
    given = sku("BOOT-004") if quantity is None else sku("BOOT-004", quantity=quantity)
    finding = found(called(said, "put", "change", given))
    assert finding is not None
    assert finding.is_wrong


@pytest.mark.parametrize(
    ("said", "quantity"),
    [
        ("make it 2", 2),
        ("add a couple of the first one", 2),
        ("a dozen of BOOT-004", 12),
        ("add one more", 2),
        ("boots for both of us", 2),
        ("add the first one in size 43", 1),
        ("I want two person tents", 1),
        ("add the first one for under 150", 1),
        ("3 of the first one and the second one", 1),
        ("add them all", 4),
        ("take one away", 1),
        ("add size 43 BOOT-004", 1),
        ("in 43 BOOT-004 please", 1),
    ],
)
def test_a_quantity_that_was_asked_for_or_may_be_is_right(said: str, quantity: int):
    assert found(called(said, "put", "change", sku("BOOT-004", quantity=quantity))) is None


def test_a_quantity_may_be_brought_about_by_several_calls():
    one = sku("BOOT-004", quantity=1)
    assert found(called("add 2 of the first one", "put", "change", one, one)) is None


def test_a_quantity_that_was_done_before_may_be_meant():
    thread = called("add the same again", "put", "change", sku("BOOT-004", quantity=4))
    assert found(thread) is not None
    before = replace(thread.steps[-1], key="1/1.0", turn=1, decided=3, seq=3)
    assert found(thread.with_steps(LOOK, before, thread.steps[-1])) is None


def test_a_quantity_that_was_spoken_of_before_may_be_meant():
    said = called("add the first one", "put", "change", sku("BOOT-004", quantity=3), last="Three?")
    assert found(said) is None


NOBODY = (
    "what is its weight?",
    "What's the weight of it",
    "is it waterproof?",
    "how do I check out?",
    "should I buy these?",
    "which of these has the best reviews",
    "tell me more about the first one",
    "show me hiking boots under 150",
    "do you have trekking poles",
    "thanks",
    "Hello there!",
    "don't order it yet",
    "not yet",
    "Thanks! What colours are there?",
    "I'm just looking",
    "never mind",
    "forget it",
    "let me think about it",
    "I'm not sure yet",
    "maybe tomorrow",
    "stop",
    "can you wait?",
    "its weight?",
    "total?",
    "can it be returned?",
    "would it fit me?",
    "will it be warm enough?",
    "can you tell me its weight?",
    "could you tell me the price?",
    "please show me the socks",
    "give me the details",
    "please don't check out",
    "I don't want to buy anything",
    "remove the second one",
    "empty my cart",
    "add the second one",
    "remember that I wear 43",
    "I hate red",
    "my size is 43",
)


@pytest.mark.parametrize("said", NOBODY)
def test_an_act_that_nobody_asked_for_is_wrong(said: str):
    finding = found(called(said, "checkout", "plan", {}))
    assert finding is not None
    assert finding.is_wrong
    assert finding.why.startswith("Nobody asked for it")


@pytest.mark.parametrize(
    "said",
    [
        "check out",
        "buy it",
        "yes",
        "as it is",
        "could you order that for me?",
        "why don't you just buy it?",
        "how about you order it?",
        "is it waterproof? If so, order it.",
        "show me the total and then pay",
        "I'll take them",
        "the second card",
        "ok thanks, go ahead",
        "find the cheapest and buy it",
        "I need it by Friday, please order",
        "don't wait, order it",
        "ring it up",
        "and now?",
        "",
        "add the second one and check out",
        "can you show me the total and then pay",
        "could you tell me the total and order it?",
        "no",
        "great",
        "stop asking and order it",
        "my card is the second one",
        "I like them, go ahead",
        "remove the socks, then check out",
        "deal?",
        "order?",
    ],
)
def test_an_act_that_may_have_been_asked_for_is_right(said: str):
    assert found(called(said, "checkout", "plan", {})) is None


def test_an_act_that_a_person_approved_was_wanted_after_all():
    thread = called("what is its weight?", "checkout", "plan", {})
    approved = thread.with_step(replace(thread.steps[-1], approval="person", approved=9))
    finding = found(approved)
    assert finding is not None
    assert not finding.is_wrong
    assert grade(approved).of("2/0.0").score == 0


def test_what_an_agent_notes_or_reads_needs_no_asking():
    for kind, args in (("change", {"subject": "size", "value": "43"}), ("read", {"query": "x"})):
        assert found(called("do you have boots in 43?", "note", kind, args)) is None  # type: ignore[arg-type]
    for said in ("I like the second one", "remember BOOT-007", "add BOOT-007"):
        assert found(called(said, "put", "change", sku("BOOT-007", quantity=1))) is None
    put = called("should I buy these?", "put", "change", sku("BOOT-004", quantity=1))
    assert found(put) is not None


def test_words_that_are_erased_ask_for_nothing_that_is_known():
    thread = called("add the second one", "put", "change", sku("BOOT-004"))
    silent = replace(thread, turns=(thread.turns[0], replace(thread.turns[1], said="")))
    assert found(silent) is None
