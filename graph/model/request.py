"""The parts of a request beside the conversation: cache breakpoints and API differences.

A breakpoint ends what is cached (CONTEXT: after Z0, after Z1, on the last user or tool block of
Z2); without one a provider caches the changing tail too, which is then never found again. Chat
completions keep a cache for 30 minutes, or for up to 24 hours where that is asked for; responses
for 30 minutes or 12 hours (OpenAI's guide to prompt caching).

Servers of one's own (vLLM, llama.cpp) lack parts of OpenAI's API: `plain_messages` says the same to
the model in the form that every chat template takes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from daybook.nodes.prompt.compiler import BREAKPOINT
from daybook.nodes.running.work import Caching

Json = dict[str, Any]

_HALF_AN_HOUR = 1_800.0
_TWELVE_HOURS = 43_200.0
_DAY = 86_400.0

HINTS = ("prompt_cache_key", "prompt_cache_options", "prompt_cache_retention")
"""What a request says of the cache, beside the breakpoints in its messages."""


def caching_of_responses() -> Caching:
    """Return how the responses API caches."""
    return Caching(_HALF_AN_HOUR, _TWELVE_HOURS, _of_responses)


def caching_of_chat() -> Caching:
    """Return how chat completions cache."""
    return Caching(_HALF_AN_HOUR, _DAY, _of_chat)


def with_breakpoints(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Write the marks of a compiled prompt as OpenAI reads them."""
    return [
        message.model_copy(
            update={
                "content": [
                    {
                        "type": "text",
                        "text": message.text,
                        "prompt_cache_breakpoint": {"mode": "explicit"},
                    }
                ],
                "additional_kwargs": {},
            }
        )
        if message.additional_kwargs.get(BREAKPOINT)
        else message
        for message in messages
    ]


def _of_responses(thread_id: str, lifetime: float) -> dict[str, Any]:
    ttl = "12h" if lifetime > _HALF_AN_HOUR else "30m"
    return {**_key(thread_id), "prompt_cache_options": {"mode": "explicit", "ttl": ttl}}


def _of_chat(thread_id: str, lifetime: float) -> dict[str, Any]:
    longer = {"prompt_cache_retention": "24h"} if lifetime > _HALF_AN_HOUR else {}
    options = {"prompt_cache_options": {"mode": "explicit", "ttl": "30m"}}
    return {**_key(thread_id), **options, **longer}


def _key(thread_id: str) -> dict[str, str]:
    """Name the thread to the provider, which then asks the same machine: not by its own name."""
    return {"prompt_cache_key": hashlib.sha256(thread_id.encode()).hexdigest()[:32]}


_FROM_THE_SYSTEM = "[from the system, not from the user]"


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
