"""A model that does what it is told: each thing that a person says names the calls it means."""

from __future__ import annotations

import json
import uuid
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

Calls = list[tuple[str, dict[str, Any]]]

_MARK = "DO "


def said(calls: Calls) -> str:
    """Say what a person wants, in words that the model understands."""
    return _MARK + json.dumps(calls)


class Obedient(BaseChatModel):
    """Call what the last thing that was said names, once; then answer with a word."""

    @property
    def _llm_type(self) -> str:
        return "obedient"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Need no list of tools."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=_decided(messages))])

    async def _agenerate(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> ChatResult:
        return self._generate(messages)


def _decided(messages: list[BaseMessage]) -> AIMessage:
    for message in reversed(messages):
        if message.type in ("tool", "ai"):
            break
        if message.type == "human" and (text := message.text).find(_MARK) >= 0:
            wanted = json.JSONDecoder().raw_decode(text[text.index(_MARK) + len(_MARK) :])[0]
            calls = [{"name": n, "args": a, "id": str(uuid.uuid4())} for n, a in wanted]
            return AIMessage("", tool_calls=calls)
    return AIMessage("It is done.")
