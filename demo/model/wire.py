"""OpenAI's chat completions on the wire: how requests are parsed and answered."""

import json
import time
import uuid
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

NAME = "daybook-stand-in"

_BYTES_A_TOKEN = 4


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True)


class Part(_Read):
    """A block of a message's content; blocks without text are empty."""

    text: str = ""


class Named(_Read):
    """The function of a call: its name, and its arguments as JSON."""

    name: str
    arguments: str = ""


class Called(_Read):
    """A call that an earlier answer made."""

    id: str
    function: Named

    @property
    def args(self) -> dict[str, Any] | None:
        """Return the arguments; None if they are no JSON object."""
        try:
            args = json.loads(self.function.arguments or "{}")
        except ValueError:
            return None
        return args if isinstance(args, dict) else None


class Message(_Read):
    """One message of the prompt."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | tuple[Part, ...] | None = None
    tool_calls: tuple[Called, ...] | None = None
    tool_call_id: str = ""

    @property
    def text(self) -> str:
        """Return its text, which may stand in blocks."""
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or ())


class Function(_Read):
    """A function that may be called."""

    name: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class Tool(_Read):
    """A tool that is offered; one that is no function is not called."""

    function: Function | None = None


class StreamOptions(_Read):
    """What a stream shall hold beside the answer."""

    include_usage: bool = False


class Request(_Read):
    """A request for a chat completion; the name of the model and what is not here are ignored."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] | None = None
    stream: bool = False
    stream_options: StreamOptions | None = None


Answer = dict[str, Any]
"""A message of the assistant, as JSON."""


def usage_of(asked: bytes, answer: Answer) -> dict[str, int]:
    """Estimate the tokens of a request and its answer: four bytes are one."""
    prompt = len(asked) // _BYTES_A_TOKEN
    completion = len(json.dumps(answer)) // _BYTES_A_TOKEN
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


def whole(answer: Answer, usage: dict[str, int]) -> dict[str, Any]:
    """Write an answer as one object."""
    choice = {"index": 0, "message": answer, "finish_reason": _reason(answer)}
    return {**_about("chat.completion"), "choices": [choice], "usage": usage}


def streamed(answer: Answer, usage: dict[str, int] | None) -> str:
    """Write an answer as a stream of events, with its last word."""
    about = _about("chat.completion.chunk")
    delta = dict(answer)
    if calls := answer.get("tool_calls"):
        delta["tool_calls"] = [{"index": at, **call} for at, call in enumerate(calls)]
    choices = [
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": _reason(answer)},
    ]
    chunks = [{**about, "choices": [choice]} for choice in choices]
    if usage is not None:
        chunks.append({**about, "choices": [], "usage": usage})
    return "".join([*(f"data: {json.dumps(one)}\n\n" for one in chunks), "data: [DONE]\n\n"])


def _reason(answer: Answer) -> str:
    return "tool_calls" if answer.get("tool_calls") else "stop"


def _about(kind: str) -> dict[str, Any]:
    about = {"id": f"chatcmpl-{uuid.uuid4().hex}", "object": kind, "model": NAME}
    return {**about, "created": int(time.time())}
