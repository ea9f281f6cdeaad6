"""The true count: messages and tools as they go over the wire, in tokens of o200k_base."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_openai.chat_models.base import _convert_message_to_dict
from rs_bpe.bpe import openai

_AROUND = 4
"""Tokens that the provider puts around a message: its role, its begin and its end."""

_TOKENISER = openai.o200k_base()


def tokens(text: str) -> int:
    """Count the tokens of a text."""
    counted: int = _TOKENISER.count(text)
    return counted


def wire(message: BaseMessage) -> str:
    """Write a message as it goes over the wire; equal texts are equal messages."""
    return json.dumps(_convert_message_to_dict(message), ensure_ascii=False)


def wire_tools(tools: Sequence[Any]) -> str:
    """Write the schemas of tools as they go over the wire."""
    schemas = [convert_to_openai_tool(tool) for tool in tools]
    return json.dumps(schemas, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def tools_tokens(written: str) -> int:
    """Count what written schemas take: the same few, again and again."""
    return tokens(written)


@lru_cache(maxsize=65_536)
def message_tokens(written: str) -> int:
    """Count what a written message takes: its text and its calls, not the JSON around them."""
    message = json.loads(written)
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    return (
        _AROUND
        + tokens(text_of(written))
        + sum(_AROUND + tokens(call["name"]) + tokens(call["arguments"]) for call in calls)
    )


@lru_cache(maxsize=65_536)
def text_of(written: str) -> str:
    """Return the text of a written message."""
    content = json.loads(written).get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content)
