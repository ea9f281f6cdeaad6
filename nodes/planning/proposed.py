"""What a model's answer proposes: its calls and its text, as they may be stored. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage

from daybook.state.effects.exact import unsendable
from daybook.state.effects.keys import storable
from daybook.state.effects.written import kept
from daybook.state.people.privacy import redacted


def proposed_in(answer: AIMessage) -> dict[str, Any]:
    """Return an answer's calls, text and message id; a call that cannot be read says its fault.

    The text is what was streamed, but for card numbers and secrets, which no message may hold, and
    what Postgres cannot store.
    """
    calls = [_proposed(call["name"], call["args"]) for call in answer.tool_calls]
    calls += [
        {
            "name": storable(redacted(call["name"] or "unknown")),
            "args": {},
            "fault": "The arguments are not valid JSON. Write them as a JSON object.",
        }
        for call in answer.invalid_tool_calls
    ]
    proposed = {"calls": calls, "text": storable(redacted(answer.text))}
    return {**proposed, **({"message_id": answer.id} if answer.id else {})}


def _proposed(name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """Propose a call; without its arguments where they could not be kept and sent as they are."""
    named = storable(redacted(name))
    if why := unsendable(args):
        return {"name": named, "args": {}, "fault": f"The arguments cannot be taken: {why}."}
    return {"name": named, **kept(redacted(args))}
