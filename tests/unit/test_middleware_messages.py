"""Where a conversation stands, and where answers belong in it."""

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from daybook.graph.middleware.decisions import next_place, places
from daybook.graph.middleware.telling import mended, never, untold


def call(id_: str, name: str = "charge") -> dict[str, object]:
    return {"name": name, "args": {"n": 1}, "id": id_, "type": "tool_call"}


def ai(id_: str, *ids: str) -> AIMessage:
    return AIMessage("", id=id_, tool_calls=[call(one) for one in ids])


ADA, BOB = HumanMessage("charge", id="h1"), HumanMessage("again", id="h2")


def test_a_decision_is_named_by_the_persons_message_and_its_number_since():
    said = [ADA, ai("a1", "x"), ToolMessage("1", tool_call_id="x"), ai("a2", "x"), BOB, ai("a3")]
    found = [(message.id, place.turn_id, place.ordinal) for message, place in places(said)]
    assert found == [("a1", "h1", 0), ("a2", "h1", 1), ("a3", "h2", 0)]
    place = next_place(said[:3])
    assert place is not None
    assert (place.turn_id, place.ordinal) == ("h1", 1)


def test_before_anybody_has_spoken_nothing_is_decided():
    assert next_place([]) is None
    assert next_place([AIMessage("hello")]) is None


def test_what_was_said_before_is_the_same_whatever_ids_it_has():
    one, other = ai("a1", "x"), ai("a9", "y")
    first = next_place([ADA, one, ToolMessage("1", tool_call_id="x", id="t1")])
    second = next_place([ADA, other, ToolMessage("1", tool_call_id="y", id="t9")])
    assert first == second
    third = next_place([ADA, one, ToolMessage("2", tool_call_id="x")])
    assert first != third


def test_an_answer_that_is_written_again_leaves_the_place_as_it_is():
    asked = ai("a1", "x")
    answer = never(asked, asked.tool_calls[0])
    later = answer.model_copy(update={"content": "done"})
    assert next_place([ADA, asked, answer]) == next_place([ADA, asked, later])


def test_calls_without_an_answer_are_found_though_ids_come_again():
    old, new = ai("a1", "x", "y"), ai("a2", "x")
    said = [ADA, old, ToolMessage("1", tool_call_id="x"), BOB, new, BOB]
    found = [(message.id, [one["id"] for one in calls]) for message, calls in untold(said)]
    assert found == [("a1", ["y"]), ("a2", ["x"])]


def test_answers_are_put_behind_the_calls_that_they_answer():
    asked = ai("a1", "x", "y")
    answers = [never(asked, one) for one in asked.tool_calls]
    whole = mended([ADA, asked, BOB], answers)
    assert [message.type for message in whole] == ["human", "ai", "tool", "tool", "human"]
    again = mended(whole, answers)
    assert [message.id for message in again] == [message.id for message in whole]
