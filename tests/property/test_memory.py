"""What is remembered of a person, whatever is said, in whatever order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.errors import ToolRefused
from daybook.state.people.facts import (
    Fact,
    fact_from,
    forgotten,
    line_of,
    memory_changed,
    remembered,
    subject_of,
)
from tests.unit.test_facts import a_fact

SUBJECTS = st.sampled_from(
    ["shoe size", "My shoe-size", "colour", "the Budget", "diet", "Müller's budget"]
)
SAID = st.lists(
    st.tuples(SUBJECTS, st.sampled_from(["43", "green", "no nuts"]), st.sampled_from(["t1", "t2"])),
    max_size=12,
)


@given(st.text())
def test_the_normal_form_of_a_subject_is_its_own(text: str):
    assert subject_of(subject_of(text)) == subject_of(text)


@given(SAID)
def test_facts_of_two_threads_are_each_readable_and_forgetting_is_final(said):
    facts: tuple[Fact, ...] = ()
    newest: dict[str, tuple[str, str]] = {}
    for minute, (subject, value, source) in enumerate(said):
        facts = remembered(facts, a_fact(subject, value, minute, source=source))
        newest[subject_of(subject)] = (value, source)
    assert {fact.subject: (fact.value, fact.source) for fact in facts} == newest
    assert [fact.at for fact in facts] == sorted(fact.at for fact in facts)
    for subject in newest:
        facts = forgotten(facts, f"my {subject}")
        assert subject not in {fact.subject for fact in facts}
        with pytest.raises(ToolRefused):
            forgotten(facts, subject)
    assert facts == ()


@given(SAID)
def test_what_comes_by_events_in_any_order_is_what_was_said_last(said):
    events = [
        {"type": "remember", **a_fact(subject, value, minute).model_dump(mode="json")}
        for minute, (subject, value, _) in enumerate(said)
    ]
    facts: tuple[Fact, ...] = ()
    for event in events:
        facts, told = memory_changed(facts, event)
        assert told == f"memory: {line_of(fact_from(event))}"
    for event in events:
        # Applied once more, after a crash, it comes to the same.
        left, told = memory_changed(facts, {"type": "forget", "subject": event["subject"]})
        assert memory_changed(left, {"type": "forget", "subject": event["subject"]})[0] == left
        facts = left
    assert facts == ()
