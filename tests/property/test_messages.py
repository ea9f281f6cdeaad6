"""The reducer of what people read: append-only by id."""

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.state.agent import append_messages

IDS = st.sampled_from(["1", "2", "3", "4", "5"])
TEXTS = st.text("ab", max_size=2)
MESSAGES = st.one_of(
    st.builds(HumanMessage, content=TEXTS, id=IDS),
    st.builds(AIMessage, content=TEXTS, id=IDS),
    st.builds(SystemMessage, content=TEXTS, id=IDS),
    st.builds(ToolMessage, content=TEXTS, id=IDS, tool_call_id=st.just("c")),
    st.builds(lambda text, id_: {"role": "user", "content": text, "id": id_}, TEXTS, IDS),
)
BATCHES = st.lists(st.lists(MESSAGES, max_size=4), max_size=5)


def reduced(batches) -> list:
    kept = []
    for batch in batches:
        kept = append_messages(kept, batch)
    return kept


@given(BATCHES, st.lists(MESSAGES, max_size=4))
def test_what_was_said_stays_as_it_was(batches, more):
    before = reduced(batches)
    assert append_messages(before, more)[: len(before)] == before


@given(BATCHES)
def test_the_same_again_changes_nothing(batches):
    once = reduced(batches)
    assert reduced([once, *batches]) == once


@given(BATCHES)
def test_an_id_is_there_once(batches):
    ids = [message.id for message in reduced(batches)]
    assert len(ids) == len(set(ids))


@given(BATCHES)
def test_only_people_and_the_assistant_are_kept(batches):
    assert {message.type for message in reduced(batches)} <= {"human", "ai"}


@given(BATCHES)
def test_nothing_that_people_said_is_lost(batches):
    given_ids = {
        message["id"] if isinstance(message, dict) else message.id
        for batch in batches
        for message in batch
        if isinstance(message, dict | HumanMessage | AIMessage)
    }
    assert {message.id for message in reduced(batches)} == given_ids
