"""Make a provider's prompt cache really used: where it may end, by which key, and for how long.

A breakpoint ends what is cached (CONTEXT: after Z0, after Z1, on the last user or tool block of
Z2); without one a provider caches the changing tail too, which is then never found again. Chat
completions keep a cache for 30 minutes, or for up to 24 hours where that is asked for; responses
for 30 minutes or 12 hours (OpenAI's guide to prompt caching).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from daybook.nodes.prompt.compiler import BREAKPOINT
from daybook.nodes.running.work import Caching

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
