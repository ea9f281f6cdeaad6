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
