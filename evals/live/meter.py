"""Seconds and tokens of a model's calls, whichever node makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from daybook.state.clock import SYSTEM


@dataclass(frozen=True)
class Call:
    """One call of a model.

    Attributes:
        tokens: input, output, and input read from a cache; None where the provider counted none.
    """

    seconds: float
    tokens: tuple[int, int, int] | None


class Meter(BaseCallbackHandler):
    """Records each call of one model; a failed one has no tokens."""

    def __init__(self) -> None:
        self._started: dict[UUID, float] = {}
        self.calls: list[Call] = []

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        **more: Any,
    ) -> None:
        """Record the start of a call."""
        self._started[run_id] = SYSTEM.monotonic()

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **more: Any) -> None:
        """Record the end of a call."""
        (generation, *_), *_ = response.generations
        message = generation.message if isinstance(generation, ChatGeneration) else None
        usage = message.usage_metadata if isinstance(message, AIMessage) else None
        tokens = None
        if usage is not None:
            cached = usage.get("input_token_details", {}).get("cache_read", 0)
            tokens = (usage["input_tokens"], usage["output_tokens"], cached)
        self._record(run_id, tokens)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        """Record a failed call."""
        self._record(run_id, None)

    def _record(self, run_id: UUID, tokens: tuple[int, int, int] | None) -> None:
        self.calls.append(Call(SYSTEM.monotonic() - self._started.pop(run_id), tokens))
