"""A stand-in for a model's provider: OpenAI's chat completions, and two phrases that it knows.

It is asked where no OPENAI_API_KEY is set. It reads the last thing that a person said for a call,
and repeats what a call came to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_HIRE = re.compile(r"hire (?:the )?(?P<bike>\w+)(?: bike)? on (?P<day>\d{4}-\d\d-\d\d)", re.I)
_FIND = re.compile(r"bikes.* on (?P<day>\d{4}-\d\d-\d\d)", re.I)

_HELP = 'I am a stand-in for a model. Say "bikes on 2031-05-06" or "hire red on 2031-05-06".'


def stream(asked: dict[str, Any]) -> bytes:
    """Answer a request for a chat completion as a stream of events."""
    about = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "stand-in"}
    events = [{**about, "choices": [{"index": 0, **choice}]} for choice in _choices(asked)]
    return "".join(f"data: {event}\n\n" for event in [*map(json.dumps, events), "[DONE]"]).encode()


def _choices(asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    messages = asked["messages"]
    last = max(place for place, one in enumerate(messages) if one["role"] == "user")
    results = [_text(one) for one in messages[last:] if one["role"] == "tool"]
    call = None if results else _call(_text(messages[last]))
    if call is None:
        said = {"role": "assistant", "content": results[-1] if results else _HELP}
        yield {"delta": said, "finish_reason": None}
        yield {"delta": {}, "finish_reason": "stop"}
    else:
        calls = [{"index": 0, "id": f"call-{last}", "type": "function", "function": call}]
        yield {"delta": {"role": "assistant", "tool_calls": calls}, "finish_reason": None}
        yield {"delta": {}, "finish_reason": "tool_calls"}


def _call(said: str) -> dict[str, str] | None:
    if hire := _HIRE.search(said):
        bike, day = hire["bike"].lower(), hire["day"]
        return {"name": "hire_bike", "arguments": json.dumps({"bike": bike, "day": day})}
    if find := _FIND.search(said):
        return {"name": "find_bikes", "arguments": json.dumps({"day": find["day"]})}
    return None


def _text(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)
