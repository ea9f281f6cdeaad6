"""Models that decide by a function: in this process, and behind OpenAI's API."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from daybook.state.effects.keys import digest
from daybook.testing import Answer, Request, as_json
from daybook.testing.http import serve

Message = dict[str, Any]

Model = Callable[[Mapping[str, Any]], Message]


def calls_of(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> Message:
    """Write a message that calls tools; ids are new each time, as they are with every provider."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{uuid.uuid4().hex}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(args)},
            }
            for name, args in calls
        ],
    }


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text of a message, which may come in parts."""
    content = message.get("content") or ""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return str(content)


class Deciding(BaseChatModel):
    """Decide by a function of the prompt and of the tools that were bound."""

    decide: Callable[[list[BaseMessage], Sequence[Any]], AIMessage]
    tools: Sequence[Any] = ()

    @property
    def _llm_type(self) -> str:
        return "deciding"

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        """Take the tools that go over the wire with the prompt."""
        return self.model_copy(update={"tools": tools})

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        decided = self.decide(messages, self.tools)
        return ChatResult(generations=[ChatGeneration(message=decided)])

    async def _agenerate(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> ChatResult:
        return self._generate(messages)


class Unanswerable(Exception):
    """Raised by a model that has no answer to a request: who asks is told so, and not to retry."""


class Counted:
    """One model that is served (a `Service` of `daybook.testing`).

    Attributes:
        url: the base URL of its provider.
        asked: the digest of each prompt that it was asked, in order.
    """

    def __init__(self, model: Model) -> None:
        self.url = ""
        self.asked: list[str] = []
        self._model = model

    @property
    def calls(self) -> int:
        """Count how often it was asked."""
        return len(self.asked)

    @property
    def repeated(self) -> int:
        """Count how often it was asked what it had been asked before."""
        return len(self.asked) - len(set(self.asked))

    def handle(self, request: Request) -> Answer:
        """Answer one request."""
        if (request.method, request.path) != ("POST", "/v1/chat/completions"):
            return Answer(404)
        asked = request.json()
        self.asked.append(digest(asked["messages"]))
        try:
            message = self._model(asked)
        except Unanswerable as why:
            return as_json(400, {"error": {"message": str(why)}})
        return _streamed(message) if asked.get("stream") else _whole(message)


@contextmanager
def serving(models: Mapping[str, Model]) -> Iterator[dict[str, Counted]]:
    """Serve models, each under its name, on a free port of the loopback address."""
    served = {name: Counted(model) for name, model in models.items()}
    with serve(served) as url:
        for name, one in served.items():
            one.url = f"{url}/{name}/v1"
        yield served


def _whole(message: Message) -> Answer:
    choice = {"index": 0, "message": message, "finish_reason": _reason(message)}
    return as_json(200, {**_ABOUT, "object": "chat.completion", "choices": [choice]})


def _streamed(message: Message) -> Answer:
    calls: Sequence[Message] = message.get("tool_calls", ())
    delta = {**message, "tool_calls": [{"index": i, **call} for i, call in enumerate(calls)]}
    events = [
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": _reason(message)},
    ]
    chunks = [{**_ABOUT, "object": "chat.completion.chunk", "choices": [e]} for e in events]
    lines = [*(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks), "data: [DONE]\n\n"]
    return Answer(200, "".join(lines).encode(), {"content-type": "text/event-stream"})


def _reason(message: Message) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


_ABOUT: Message = {"id": "chatcmpl-served", "created": 0, "model": "served"}
