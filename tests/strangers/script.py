"""What is played: what a person says, and the model that decides on it from the messages alone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

AMOUNT = 13190
BUY = {"item": "boots", "amount": AMOUNT}
SAYS = ("buy the boots",)


class Buying(BaseChatModel):
    """Buy what is asked for, and say what came of it, however often it is asked."""

    @property
    def _llm_type(self) -> str:
        return "buying"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        last = max(at for at, one in enumerate(messages) if one.type == "human")
        results = [one.text for one in messages[last:] if one.type == "tool"]
        call = {"name": "buy", "args": BUY, "id": f"call_{uuid.uuid4().hex}"}
        said = AIMessage(results[-1]) if results else AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=said)])
