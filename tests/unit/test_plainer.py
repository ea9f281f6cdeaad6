"""A request in plainer words says the same: messages as every chat template takes them."""

from typing import Any

import pytest

from daybook.graph.model.request import plain_messages


def said(role: str, content: Any, *calls: str) -> dict[str, Any]:
    asked = {"tool_calls": [{"id": one, "type": "function"} for one in calls]} if calls else {}
    return {"role": role, "content": content, **asked}


def result(call: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "content": content, "tool_call_id": call}


FROM = "[from the system, not from the user]"


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
