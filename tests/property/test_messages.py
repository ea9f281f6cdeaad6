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
def test_all_that_people_and_the_assistant_said_is_kept_once_and_nothing_else(batches):
    once = reduced(batches)
    assert {message.type for message in once} <= {"human", "ai"}
    given_ids = {
        message["id"] if isinstance(message, dict) else message.id
        for batch in batches
        for message in batch
        if isinstance(message, dict | HumanMessage | AIMessage)
    }
    assert sorted(message.id for message in once) == sorted(given_ids)
    assert reduced([once, *batches]) == once, "the same again changes nothing"
