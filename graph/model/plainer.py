"""What a request can do without, at servers that lack parts of OpenAI's API: vLLM, llama.cpp.

Pure: the body of a chat completion in, a plainer one out. It says the same to the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Part(StrEnum):
    """A part of a request that a server may not know."""

    HINTS = "what is said of the prompt's cache"
    USAGE = "the wish that tokens be counted"
    STRICT = "whether a function's schema is strict"
    LIMIT = "the older name of the limit of tokens"
    MESSAGES = "system messages anywhere, several calls in one message, text in blocks or null"


_NAMED = {
    Part.HINTS: re.compile(r"prompt_cache"),
    Part.USAGE: re.compile(r"stream_options|include_usage"),
    Part.STRICT: re.compile(r"\bstrict\b"),
    # "Use 'max_completion_tokens' instead": OpenAI's own models behind another address.
    Part.LIMIT: re.compile(r"max_completion_tokens\W{0,2} instead"),
    # The words of chat templates, and of those who read a request before the template does.
    Part.MESSAGES: re.compile(
        r"system (?:message|role|prompt)|\broles?\b.{0,40}alternat|single tool-call|jinja|"
        r"chat.?template|content.{0,60}\b(?:null|none|string|str)\b|\bnull\b.{0,30}content",
        re.IGNORECASE,
    ),
}

NO_TOOLS = re.compile(r"--enable-auto-tool-choice|--tool-call-parser|--jinja", re.IGNORECASE)
"""Named by a server that was not told at its start to let models call tools."""

_FROM_THE_SYSTEM = "[from the system, not from the person]"


def named_in(refusal: str) -> frozenset[Part]:
    """Return the parts that a server names in its refusal."""
    return frozenset(part for part, pattern in _NAMED.items() if pattern.search(refusal))


def without(payload: Mapping[str, Any], parts: Iterable[Part]) -> Json:
    """Return the body of a chat completion without some parts."""
    plainer = dict(payload)
    for part in parts:
        match part:
            case Part.HINTS:
                plainer = {n: v for n, v in plainer.items() if not n.startswith("prompt_cache")}
                plainer["messages"] = [_unmarked(one) for one in plainer["messages"]]
            case Part.USAGE:
                plainer.pop("stream_options", None)
            case Part.STRICT:
                if "tools" in plainer:
                    plainer["tools"] = [_unstrict(tool) for tool in plainer["tools"]]
            case Part.LIMIT:
                if "max_tokens" in plainer:
                    plainer["max_completion_tokens"] = plainer.pop("max_tokens")
            case Part.MESSAGES:
                plainer["messages"] = plain_messages(plainer["messages"])
    return plainer


def plain_messages(messages: Iterable[Mapping[str, Any]]) -> list[Json]:
    """Write messages as every chat template takes them.

    One system message, and it is the first; each text is a string; one call a message, its result
    behind it; nobody speaks twice in a row. What the system says later stands at the end of what
    the model reads last, under a line that says whose it is.
    """
    plain: list[Json] = []
    for message in _one_call_each(list(messages)):
        role, text = message["role"], _text(message)
        last = plain[-1] if plain else None
        if role in ("system", "developer"):
            if last is None or (last["role"] == "system" and len(plain) == 1):
                role = "system"
            else:
                text = f"{_FROM_THE_SYSTEM}\n{text}"
                role = last["role"] if last["role"] in ("user", "tool") else "user"
                if last["role"] == "tool":
                    last["content"] = _joined(last["content"], text)
                    continue
        if last is not None and last["role"] == role and role in ("system", "user"):
            last["content"] = _joined(last["content"], text)
        else:
            plain.append({**message, "role": role, "content": text})
    return plain


def _one_call_each(messages: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield messages so that each has one call at most, with its result behind it."""
    results = {m["tool_call_id"]: m for m in messages if m["role"] == "tool"}
    taken = set[str]()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in taken:
                yield message
            continue
        calls = message.get("tool_calls") or ()
        if len(calls) < 2:
            yield message
            continue
        for at, call in enumerate(calls):
            yield {**message, "content": message["content"] if not at else "", "tool_calls": [call]}
            if call["id"] in results:
                taken.add(call["id"])
                yield results[call["id"]]


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _joined(before: str, behind: str) -> str:
    return f"{before}\n\n{behind}" if before else behind


def _unmarked(message: Mapping[str, Any]) -> Json:
    content = message.get("content")
    if not isinstance(content, list):
        return dict(message)
    return {**message, "content": [_without_mark(part) for part in content]}


def _without_mark(part: Mapping[str, Any]) -> Json:
    return {name: value for name, value in part.items() if name != "prompt_cache_breakpoint"}


def _unstrict(tool: Mapping[str, Any]) -> Json:
    function = {name: value for name, value in tool["function"].items() if name != "strict"}
    return {**tool, "function": function}


def mended(event: str) -> str:
    """Return an event of a stream with its calls as OpenAI writes them.

    Some servers give arguments as an object, or do not number the calls of one answer.
    """
    if '"tool_calls"' not in event:
        return event
    try:
        read = json.loads(event)
        calls = [
            (at, call)
            for choice in read["choices"]
            for at, call in enumerate(choice["delta"].get("tool_calls") or ())
        ]
        is_odd = False
        for at, call in calls:
            function = call["function"]
            if not isinstance(function.get("arguments", ""), str | None):
                function["arguments"] = json.dumps(function["arguments"])
                is_odd = True
            if call.get("index") is None:
                call["index"] = at
                is_odd = True
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        # No event of a chat completion: whoever reads it says so.
        return event
    return json.dumps(read) if is_odd else event
