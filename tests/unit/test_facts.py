"""What is known of a person: how a subject is named, what is kept and what is refused."""

from datetime import UTC, datetime, timedelta

import pytest

from daybook.state.errors import ToolRefused
from daybook.state.people.facts import (
    MOST_FACTS,
    Fact,
    fact_of,
    memory_changed,
    refuse_one_more,
    subject_of,
)

NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)


def a_fact(subject: str = "shoe size", value: str = "43", minutes: int = 0, **more: str) -> Fact:
    kind, source = more.get("kind", "fact"), more.get("source", "thread-1")
    return fact_of(subject, value, kind, source, NOON + timedelta(minutes=minutes))


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("My shoe-size", "shoe size"),
        ("the SHOE_size:", "shoe size"),
        ("  my   own\tshoe size ", "own shoe size"),
        ("user's shoe size", "shoe size"),
        ("Schuhgröße", "schuhgrösse"),
        ("कपड़े का आकार", "कपड़े का आकार"),
        ("my", ""),
        ("!?", ""),
    ],
)
def test_a_subject_is_found_in_whatever_form_it_is_said(said: str, subject: str):
    assert subject_of(said) == subject_of(subject) == subject_of(subject_of(said))


@pytest.mark.parametrize(
    ("subject", "value"),
    [
        ("card", "4111 1111 1111 1111"),
        ("card", "[card ending 1111]"),
        ("code", "my cvc is 123"),
        ("token", "sk-proj-abcdefghijklmnopqrst"),
        ("mail", "write to ada@example.com"),
        ("ada@example.com", "my mail"),
        # Neither half says what it is.
        ("cvv", "123"),
        ("security code", "1234"),
        ("card 4111 1111", "1111 1111"),
        ("my password", "correct horse"),
        ("home address", "17 Quince Lane"),
    ],
)
def test_a_secret_is_not_remembered(subject: str, value: str):
    with pytest.raises(ToolRefused, match="are not remembered") as refused:
        a_fact(subject, value)
    assert "4111" not in str(refused.value)
    assert "ada@" not in str(refused.value)


@pytest.mark.parametrize(
    ("subject", "value"),
    [("my", "43"), ("x" * 61, "43"), ("size", ""), ("size", "x" * 201), ("size", "a\x1b[31m")],
)
def test_what_does_not_fit_is_refused_in_a_sentence(subject: str, value: str):
    with pytest.raises(ToolRefused, match="Nothing was remembered"):
        a_fact(subject, value)


def test_there_is_an_end_to_what_is_remembered_of_one_person():
    facts = tuple(a_fact(f"subject {number}") for number in range(MOST_FACTS))
    with pytest.raises(ToolRefused, match="forget one first"):
        refuse_one_more(facts, a_fact())
    refuse_one_more(facts, a_fact("subject 7", "another word"))


EVENTS = [
    {"type": "forget"},
    {"type": "forget", "subject": ["shoe size"]},
    {"type": "forget", "subject": "my"},
    {"type": "remember", "value": 43},
    {"type": "remember", "kind": "order"},
    {"type": "remember", "at": None},
    {"type": "remember", "at": "2031-05-06T12:00:00"},
    {"type": "remember", "at": "0001-01-01T00:00:00+14:00"},
    {"type": "remember", "at": "9999-12-31T23:59:59-14:00"},
    {"type": "remember", "source": ""},
    {"type": "remember", "source": "x" * 201},
    {"type": "remember", "source": "a\n# Now"},
]
"""What clients may send beside a subject, a value, and the rest of it."""


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_of_a_client_that_is_none_is_refused_and_meets_no_later_prompt(event):
    whole = a_fact().model_dump(mode="json")
    given = {**whole, **event} if event["type"] == "remember" else event
    with pytest.raises(ToolRefused, match="Nothing was"):
        memory_changed((), given)
