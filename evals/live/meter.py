"""What a model's calls took: seconds and tokens, whoever asks it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from daybook.nodes.running.usage import usage_of
from daybook.state.clock import SYSTEM


@dataclass(frozen=True)
class Asked:
    """One call of a model.

    Attributes:
        tokens: read, written, and read from a cache (among those read); None where the provider
            counted none.
    """

    seconds: float
    tokens: tuple[int, int, int] | None


class Meter(BaseCallbackHandler):
    """Note each call of one model; one that failed has no tokens."""

    def __init__(self) -> None:
        self._begun: dict[UUID, float] = {}
        self._asked: list[Asked] = []

    def taken(self) -> list[Asked]:
        """Return the calls since this was asked last."""
        taken, self._asked = self._asked, []
        return taken

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        **more: Any,
    ) -> None:
        """Note when a call begins."""
        self._begun[run_id] = SYSTEM.monotonic()

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **more: Any) -> None:
        """Note what it took."""
        (of_it, *_), *_ = response.generations
        message = of_it.message if isinstance(of_it, ChatGeneration) else None
        counted = usage_of(message) if isinstance(message, AIMessage) else {}
        tokens = None
        if counted:
            tokens = (counted["tokens_in"], counted["tokens_out"], counted.get("tokens_cached", 0))
        self._note(run_id, tokens)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **more: Any) -> None:
        """Note a call that came to nothing."""
        self._note(run_id, None)

    def _note(self, run_id: UUID, tokens: tuple[int, int, int] | None) -> None:
        self._asked.append(Asked(SYSTEM.monotonic() - self._begun.pop(run_id), tokens))


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost; None where nobody said.

    Attributes:
        cached: of those read from a cache; as those that are read where it is None.
    """

    read: float | None = None
    written: float | None = None
    cached: float | None = None

    def cost(self, asked: Sequence[Asked]) -> float | None:
        """Return what calls cost, in the prices' currency; None where it cannot be known."""
        counted = [one.tokens for one in asked if one.tokens is not None]
        if self.read is None or self.written is None or not counted:
            return None
        cached = self.read if self.cached is None else self.cached
        return (
            sum(
                (read - kept) * self.read + kept * cached + written * self.written
                for read, written, kept in counted
            )
            / 1_000_000
        )


def percentile(seconds: Sequence[float], part: float) -> float:
    """Return the least value that a part of the values (0 to 1) do not exceed; there is one."""
    ordered = sorted(seconds)
    return ordered[max(math.ceil(part * len(ordered)), 1) - 1]
