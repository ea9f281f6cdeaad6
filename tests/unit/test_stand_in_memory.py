"""The stand-in on what is known of a person: noted, used, told and forgotten."""

from typing import Any

import pytest

from tests.unit.shop_talk import ShopTalk

DIGEST = """\
# Progress

## Facts
- shoe size: 43
- feet: wide

## Preferences
- red jackets: liked

## Constraints
- budget: 130 dollars"""


@pytest.fixture
def talk() -> ShopTalk:
    return ShopTalk()


@pytest.fixture
def known() -> ShopTalk:
    return ShopTalk(digest=DIGEST)


@pytest.mark.parametrize(
    ("text", "subject", "value", "kind"),
    [
        ("my shoe size is 43", "shoe size", "43", "fact"),
        ("I prefer wool", "wool", "preferred", "preference"),
        ("I am allergic to down", "allergy to down", "yes", "constraint"),
        ("keep it below 300 dollars in all", "budget", "300 dollars", "constraint"),
    ],
)
def test_what_a_person_states_is_noted_and_said_shortly(
    talk: ShopTalk, text: str, subject: str, value: str, kind: str
):
    answer = talk.say(text)
    assert talk.calls == [("remember", {"subject": subject, "value": value, "kind": kind})]
    assert answer.startswith(f"Noted: {subject}")


def test_a_fact_and_a_wish_in_one_text_are_both_followed(talk: ShopTalk):
    answer = talk.say("my shoe size is 43, show me boots")
    assert [name for name, _ in talk.calls] == ["remember", "search_products"]
    assert talk.model_calls == 2
    assert "Noted: shoe size: 43." in answer
    assert "BOOT-001" in answer


def test_two_allergies_do_not_take_each_others_place(talk: ShopTalk):
    talk.say("I am allergic to down")
    talk.say("I am allergic to wool")
    answer = talk.say("what am I allergic to")
    assert "allergy to down" in answer
    assert "allergy to wool" in answer


@pytest.mark.parametrize(
    "text",
    [
        "remember that my card number is 4111",
        "remember that my password is hunter2",
        "remember that my address is 1 Main Street",
        "remember my password is hunter2",
        "my passcode is 4711",
    ],
)
def test_what_is_secret_is_not_proposed(talk: ShopTalk, text: str):
    assert "I do not note cards, passwords or addresses" in talk.say(text)
    assert talk.calls == []


def test_a_refusal_of_the_memory_is_passed_on(talk: ShopTalk):
    talk.answers["remember"] = lambda args: "remember refused: 100 facts are remembered already."
    assert "100 facts are remembered already." in talk.say("my feet are wide")
    assert "I know nothing" in talk.say("what do you know about me")


def test_what_is_known_is_told_from_the_digest_the_tail_and_since(known: ShopTalk):
    known.since = "shoe size: 44; occasion: Iceland; it is cold"
    known.say("I hate synthetic socks")
    answer = known.say("what do you know about me")
    assert known.calls == []
    assert "- shoe size: 44" in answer
    assert "43" not in answer
    assert "- occasion: Iceland; it is cold" in answer
    assert "- budget: 130 dollars (limit)" in answer
    assert "- synthetic socks: disliked (preference)" in answer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what is my shoe size", "You told me: shoe size: 43."),
        ("what's my budget", "You told me: budget: 130 dollars (limit)."),
        ("what did I tell you about jackets", "You told me: red jackets: liked (preference)."),
        ("what do I like", "- red jackets: liked (preference)"),
        ("what did I tell you about kayaks", "You have told me nothing about “kayaks”."),
    ],
)
def test_a_question_about_what_is_known_needs_no_tool(known: ShopTalk, text: str, told: str):
    assert told in known.say(text)
    assert known.calls == []


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("forget my shoe size", ["shoe size"]),
        ("forget that I like red jackets", ["red jackets"]),
        ("forget what I said about jackets", ["red jackets"]),
        ("forget my shoe size and my budget", ["shoe size", "budget"]),
        ("forget everything you know about me", ["shoe size", "feet", "red jackets", "budget"]),
    ],
)
def test_forgetting_names_each_subject_that_is_known(
    known: ShopTalk, text: str, subjects: list[str]
):
    known.answers["forget"] = lambda args: f"memory: forgot {args['subject']}"
    known.say(text)
    assert known.calls == [("forget", {"subject": subject}) for subject in subjects]


def test_what_is_forgotten_is_told_no_more(talk: ShopTalk):
    talk.say("my shoe size is 43")
    assert talk.say("forget my shoe size") == "Forgotten: shoe size."
    assert "I know nothing about you" in talk.say("what is my shoe size")


def test_what_was_never_said_is_left_to_the_machine_to_refuse(talk: ShopTalk):
    talk.say("my shoe size is 43")
    answer = talk.say("forget my hat size")
    assert talk.calls == [("forget", {"subject": "hat size"})]
    assert "known: shoe size" in answer


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("show me boots in my size", {"query": "boots size 43"}),
        ("boots within my budget", {"query": "boots", "max_price": 13000}),
        (
            "show me boots in my size within my budget",
            {"query": "boots size 43", "max_price": 13000},
        ),
        ("show me boots", {"query": "boots"}),
        ("size 43 boots", {"query": "size 43 boots"}),
    ],
)
def test_what_is_known_goes_into_a_search_only_where_it_is_named(
    known: ShopTalk, text: str, args: dict[str, Any]
):
    known.say(text)
    assert known.calls == [("search_products", args)]


def test_a_size_or_budget_that_is_not_known_is_asked_for(talk: ShopTalk):
    assert "I do not know your size" in talk.say("show me boots in my size")
    assert "I do not know your budget" in talk.say("boots within my budget")
    assert talk.calls == []


def test_the_last_search_is_narrowed_to_ones_size(known: ShopTalk):
    known.say("boots")
    known.say("do you have anything in my size")
    assert known.calls == [("search_products", {"query": "boots size 43"})]


def test_two_statements_are_two_facts(talk: ShopTalk):
    answer = talk.say("my shoe size is 44 and I live in Oslo")
    assert [args["value"] for _, args in talk.calls] == ["44", "Oslo"]
    assert "Noted: shoe size: 44." in answer
    assert "Noted: home: Oslo." in answer


def test_the_size_that_one_wears_is_told(known: ShopTalk):
    assert known.say("what size do I wear?") == "You told me: shoe size: 43."


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("the cart", ["remove_from_cart"]),
        ("what you know about me", ["forget"] * 4),
        ("forget everything you know about me", ["forget"] * 4),
        ("both", ["forget"] * 4 + ["remove_from_cart"]),
        ("no", []),
    ],
)
def test_forget_everything_asks_what_is_meant(known: ShopTalk, text: str, tools: list[str]):
    known.cart = {"BOOT-004": 1}
    known.answers["forget"] = lambda args: f"memory: forgot {args['subject']}"
    answer = known.say("forget everything")
    assert known.calls == []
    assert answer.endswith("Shall I forget what I know about you, or empty your cart?")
    known.say(text)
    assert [name for name, _ in known.calls] == tools


@pytest.mark.parametrize("text", ["what you know about me", "both"])
def test_what_is_forgotten_is_said_where_the_question_went_with_it(known: ShopTalk, text: str):
    def forget(args: dict[str, Any]) -> str:
        said = [m.type for m in known.history]
        del known.history[: len(said) - 1 - said[::-1].index("human")]
        return f"memory: forgot {args['subject']}"

    known.answers["forget"] = forget
    known.say("forget everything")
    assert "Forgotten: shoe size." in known.say(text)
