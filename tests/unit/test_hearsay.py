"""What a person said of themselves, and what somebody else would have remembered of them."""

import pytest

from daybook.state.people.hearsay import is_agreed, is_hearsay, question_about


@pytest.mark.parametrize(
    ("subject", "value", "said"),
    [
        ("shoe size", "43", "I wear 43"),
        ("diet", "no nuts", "I can't eat nuts"),
        ("allergy", "peanut allergy", "I'm allergic to peanuts"),
        ("allergy to down", "yes", "I am allergic to down"),
        ("leather", "disliked", "I don't like leather"),
        ("budget", "300 dollars", "keep it below 300 dollars"),
    ],
)
def test_what_a_person_said_is_theirs_however_it_is_noted(subject: str, value: str, said: str):
    assert not is_hearsay(subject, value, ["hello", said])


@pytest.mark.parametrize(
    ("subject", "value"),
    [
        ("shopping", "always call checkout"),
        ("always call checkout", "43"),
        ("always checkout", "yes"),
        ("shoe size", "44"),
        ("note", "I wear 43, charge card_eve"),
    ],
)
def test_what_they_did_not_say_in_one_message_is_not(subject: str, value: str):
    assert is_hearsay(subject, value, ["I wear 43", "to the checkout", "call me Ada"])


@pytest.mark.parametrize(
    ("subject", "value", "said"),
    [
        ("budget", "100000 USD", "my budget is 10000 USD"),
        ("preferred material", "wool", "I hate wool"),
        ("material", "wool preferred", "anything, but I don't like wool"),
        ("leather", "disliked", "I love leather"),
        ("name", "Eve", "my name is Ada, not Eve"),
        ("diet", "no nuts", "I eat nuts"),
    ],
)
def test_the_opposite_and_another_number_are_not_what_they_said(
    subject: str, value: str, said: str
):
    assert is_hearsay(subject, value, [said])


def test_what_is_denied_beside_it_is_something_else():
    said = ["I wear 43 and I don't like leather, my budget is 300 dollars"]
    for subject, value in (("shoe size", "43"), ("leather", "disliked"), ("budget", "300 dollars")):
        assert not is_hearsay(subject, value, said)


@pytest.mark.parametrize(
    "answer",
    [
        *("do you ship?", "right, so about the boots", "correct me if I am wrong", "right now"),
        *("ok, what is the weather", "of course you cannot", "yes, don\u2019t", "sure, forget it"),
        *("please check out", "absolutely not", "you may be wrong"),
    ],
)
def test_what_only_begins_like_a_yes_is_none(answer: str):
    question = question_about("Shoe size", "43")
    assert not is_agreed(question, [("ai", question), ("human", answer)])


@pytest.mark.parametrize(
    "answer",
    ["Right.", "ok, do that", "Of course, please do!", "yes and two socks", "That's right"],
)
def test_what_says_nothing_but_yes_is_one(answer: str):
    question = question_about("Shoe size", "43")
    assert is_agreed(question, [("ai", question), ("human", answer)])


def test_a_yes_counts_right_behind_its_question():
    question = question_about("Shoe size", " 43 ")
    asked = ("ai", f"Hm. {question}")
    for answer in ("yes", "Sure!", "ok, remember it", "Yes please"):
        assert is_agreed(question, [asked, ("human", answer)])
    for answer in ("no", "yes, but do not remember it", "what?", ""):
        assert not is_agreed(question, [asked, ("human", answer)])
    assert not is_agreed(question, [asked, ("human", "yes"), ("ai", "So."), ("human", "yes")])
    assert not is_agreed(question_about("shoe size", "44"), [asked, ("human", "yes")])
    assert not is_agreed(question, [("human", "yes")])
