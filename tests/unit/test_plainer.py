"""A request in plainer words says the same: messages as every chat template takes them."""

from typing import Any

import pytest

from daybook.graph.model.plainer import Part, mended, named_in, plain_messages, without


def said(role: str, content: Any, *calls: str) -> dict[str, Any]:
    asked = {"tool_calls": [{"id": one, "type": "function"} for one in calls]} if calls else {}
    return {"role": role, "content": content, **asked}


def result(call: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "content": content, "tool_call_id": call}


FROM = "[from the system, not from the person]"


@pytest.mark.parametrize(
    ("messages", "plain"),
    [
        (
            [said("system", "A"), said("system", "B"), said("user", "C")],
            [("system", "A\n\nB"), ("user", "C")],
        ),
        (
            [said("system", "A"), said("user", "B"), said("system", "C")],
            [("system", "A"), ("user", f"B\n\n{FROM}\nC")],
        ),
        (
            [
                said("user", "A"),
                said("assistant", None, "1"),
                result("1", "B"),
                said("system", "C"),
            ],
            [("user", "A"), ("assistant", ""), ("tool", f"B\n\n{FROM}\nC")],
        ),
        # What is asked once more, behind an answer that was not let through.
        (
            [said("user", "A"), said("system", "B"), said("assistant", "C"), said("system", "D")],
            [("user", f"A\n\n{FROM}\nB"), ("assistant", "C"), ("user", f"{FROM}\nD")],
        ),
        (
            [said("user", "A"), said("user", [{"type": "text", "text": "B"}])],
            [("user", "A\n\nB")],
        ),
        (
            [said("assistant", "A", "1", "2"), result("1", "B"), result("2", "C")],
            [("assistant", "A"), ("tool", "B"), ("assistant", ""), ("tool", "C")],
        ),
        # A call whose result is not there keeps its place.
        (
            [said("assistant", None, "1", "2"), result("2", "C")],
            [("assistant", ""), ("assistant", ""), ("tool", "C")],
        ),
        ([], []),
    ],
)
def test_messages_are_written_as_every_template_takes_them(
    messages: list[dict[str, Any]], plain: list[tuple[str, str]]
):
    found = plain_messages(messages)
    assert [(one["role"], one["content"]) for one in found] == plain
    assert plain_messages(found) == found
    assert all(len(one.get("tool_calls", ())) <= 1 for one in found)


def test_each_part_is_left_out_alone():
    payload = {
        "messages": [said("user", [{"type": "text", "text": "A", "prompt_cache_breakpoint": {}}])],
        "tools": [{"type": "function", "function": {"name": "f", "strict": False}}],
        "stream_options": {"include_usage": True},
        "prompt_cache_key": "k",
        "stream": True,
    }
    assert without(payload, ()) == payload
    plainer = without(payload, {Part.HINTS})
    assert plainer["messages"][0]["content"] == [{"type": "text", "text": "A"}]
    assert "prompt_cache_key" not in plainer
    assert without(payload, {Part.USAGE}).keys() == payload.keys() - {"stream_options"}
    assert without(payload, {Part.STRICT})["tools"][0]["function"] == {"name": "f"}
    assert without(payload, {Part.MESSAGES})["messages"] == [said("user", "A")]
    assert payload["tools"][0]["function"]["strict"] is False, "what it was made of stays"


@pytest.mark.parametrize(
    ("refusal", "parts"),
    [
        ("Unrecognized request argument: prompt_cache_options", {Part.HINTS}),
        ("{'loc': ['body', 'stream_options'], 'msg': 'extra fields not permitted'}", {Part.USAGE}),
        ("tools.0.function: unknown field `strict`", {Part.STRICT}),
        ("System message must be at the beginning.", {Part.MESSAGES}),
        ("Conversation roles must alternate user/assistant/user/assistant/...", {Part.MESSAGES}),
        ("After the optional system message, roles must alternate", {Part.MESSAGES}),
        ("System role not supported", {Part.MESSAGES}),
        ("This model only supports single tool-calls at once!", {Part.MESSAGES}),
        ("messages.3.content: Input should be a valid string", {Part.MESSAGES}),
        ("Unsupported param: restricted area", set()),
        ("Bad request", set()),
    ],
)
def test_a_refusal_names_what_it_is_about(refusal: str, parts: set[Part]):
    assert named_in(refusal) == parts


@pytest.mark.parametrize(
    "event", ["[DONE]", '{"tool_calls"', '{"tool_calls": 1}', '["tool_calls"]']
)
def test_an_event_that_is_no_chat_completion_stays_as_it_is(event: str):
    assert mended(event) == event
