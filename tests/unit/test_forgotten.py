"""What was to be forgotten: taken out of what was said up to then, and of nothing later."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from daybook.state.people.called import calling
from daybook.state.people.facts import Fact
from daybook.state.people.forgotten import (
    FORGOTTEN,
    MOST_KEPT,
    forgetting,
    is_told_no_more,
    spoken,
    turns_before,
)


def a_state(*said: str, **facts: str) -> dict[str, Any]:
    """Make the state of a thread in which people take turns, with what is known."""
    kinds = (HumanMessage, AIMessage)
    at = datetime(2031, 5, 6, tzinfo=UTC)
    return {
        "messages": [kinds[n % 2](text, id=f"m{n}") for n, text in enumerate(said)],
        "facts": tuple(
            Fact(subject=subject.replace("_", " "), value=value, source="t", at=at)
            for subject, value in facts.items()
        ),
        "salt": "pepper",
    }


def texts(state: dict[str, Any]) -> list[str]:
    return [text for _, _, text in spoken(state)]


def test_its_words_are_taken_out_of_what_was_said_up_to_then():
    state = a_state(
        "My shoe size is EU 47. Boots for 147 dollars?",
        "Boots in EU 47, 47.00 each.",
        "Forget my shoe size 47 and show me socks.",
        shoe_size="EU 47",
    )
    assert texts(state) == [m.text for m in state["messages"]]
    state["forgotten"] = forgetting(state, "my shoe size")
    state["messages"] += [AIMessage("Forgotten: 47.", id="m3"), HumanMessage("47 socks", id="m4")]
    assert texts(state) == [
        f"My shoe size is {FORGOTTEN}. Boots for 147 dollars?",
        f"Boots in {FORGOTTEN}, 47.00 each.",
        f"Forget my shoe size {FORGOTTEN} and show me socks.",
        f"Forgotten: {FORGOTTEN}.",
        "47 socks",
    ]
    assert turns_before(state) == {"m0", "m2"}
    assert is_told_no_more(state, 'r1 search "boots size 47"')
    assert not is_told_no_more(state, 'r1 search "boots under 147"')


def test_state_does_not_hold_what_it_is_to_forget():
    state = a_state("I am allergic to goose down.", allergy="goose down")
    (one,) = forgetting(state, "allergy")
    assert "goose" not in one.model_dump_json()
    assert forgetting({**state, "salt": "salt"}, "allergy")[0].marks != one.marks


def test_a_number_that_nobody_remembered_is_forgotten_with_the_sentence_that_names_it():
    state = a_state("My waist is 92. I walk 30 days.", "Noted.", "forget my waist")
    state["forgotten"] = forgetting(state, "waist")
    assert texts(state)[0] == f"My waist is {FORGOTTEN}. I walk 30 days."


def test_wishes_are_bounded_and_the_same_one_stands_once():
    state = a_state("hm", **{f"thing_{chr(97 + n)}": f"value {n}" for n in range(26)})
    for fact in state["facts"]:
        state["forgotten"] = forgetting(state, fact.subject)
    assert len(state["forgotten"]) == MOST_KEPT
    assert forgetting(state, "thing z") == state["forgotten"]


@pytest.mark.parametrize(
    "wish",
    [
        "please forget that I wear 47, and show me boots for 147.00",
        "Delete the 47 from what you know! Boots for 147.00?",
        "don't remember 47 any more. Boots for 147.00?",
    ],
)
def test_a_number_that_the_wish_itself_names_is_forgotten_with_it(wish: str):
    state = a_state("I wear a 47.", "Noted.", "boots in 47s, EU47, size-47?", "Yes.", wish)
    state["forgotten"] = forgetting(state, "shoe size")
    told = " ".join(texts(state))
    assert not re.search(r"(?<!1)47", told)
    assert "147.00" in told


def test_another_spelling_of_a_number_that_is_forgotten_is_forgotten_too():
    state = a_state("My shoe size is 47.", "Noted: EU47.", "size-47 or 47s?", shoe_size="47")
    state["forgotten"] = forgetting(state, "shoe size")
    assert not any("47" in text for text in texts(state))


def test_the_answer_to_the_wish_is_meant_where_its_calls_are_shown_before_it():
    state = a_state("My shoe size is 47.", "Noted.", "Forget my shoe size.", shoe_size="47")
    state["forgotten"] = forgetting(state, "shoe size")
    shown = calling("m2", "0", [("forget", {"subject": "shoe size"}, "forgot shoe size")])
    state["messages"] += [*shown, AIMessage("Size 47 is forgotten.", id="m3")]
    state["messages"] += [AIMessage("No 47 any more.", id="m3/answer/1")]
    state["messages"] += [HumanMessage("47 socks", id="m4")]
    assert [text for text in texts(state) if "47" in text] == ["47 socks"]


@pytest.mark.parametrize("said", ["47", "forty-seven", "forty seven", "Forty-Seven"])
@pytest.mark.parametrize("told", ["47", "forty-seven", "FORTY SEVEN", "EU47"])
def test_a_number_is_forgotten_in_digits_and_in_words(said: str, told: str):
    state = a_state(f"My shoe size is {said}.", f"Boots in {told}?", "forget my shoe size")
    state["forgotten"] = forgetting(state, "shoe size")
    assert texts(state)[:2] == [f"My shoe size is {FORGOTTEN}.", f"Boots in {FORGOTTEN}?"]


def test_how_many_of_something_is_said_by_words_that_are_no_size():
    state = a_state("My glove size is 2.", "Two pairs?", "forget my glove size", glove_size="2")
    state["forgotten"] = forgetting(state, "glove size")
    assert texts(state)[:2] == [f"My glove size is {FORGOTTEN}.", "Two pairs?"]
