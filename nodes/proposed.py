"""What a model's answer proposes: its calls and its text, as they may be stored. Pure."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage

from state.keys import storable, unkept
from state.privacy import redacted
from tools.registry import Registry


def proposed_in(answer: AIMessage, registry: Registry) -> dict[str, Any]:
    """Return an answer's `calls` and `text`; a call that cannot be read or kept says its fault."""
    calls = [_proposed(call["name"], call["args"], registry) for call in answer.tool_calls]
    calls += [
        {
            "name": call["name"] or "unknown",
            "args": {},
            "fault": "The arguments are not valid JSON. Write them as a JSON object.",
        }
        for call in answer.invalid_tool_calls
    ]
    # A model repeats what it reads, and may read it where nobody could take it out.
    proposed: dict[str, Any] = storable(redacted({"calls": calls, "text": answer.text}))
    return proposed


def _proposed(name: str, args: dict[str, Any], registry: Registry) -> dict[str, Any]:
    """Propose a call; without its arguments where no checkpoint could hold them."""
    if why := unkept(args):
        return {"name": name, "args": {}, "fault": f"The arguments cannot be taken: {why}."}
    order = registry.order_of_unnamed(name, args)
    return {"name": name, "args": args, **({"order": order} if order else {})}
