"""The models of the bench, which decide by a script."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from daybook.state.clock import SYSTEM


@dataclass(frozen=True)
class Asked:
    """Note one call of the model.

    Attributes:
        at: seconds, of a clock's `monotonic`.
        super_step: number of LangGraph's super-step in the thread.
    """

    at: float
    super_step: int


class ScriptedModel(BaseChatModel):
    """Say what a script decides, whatever the prompt says."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Take any tools: the script knows which one it calls."""
        return self

    def decide(self, super_step: int) -> AIMessage:
        """Decide on the next message.

        Args:
            super_step: number of LangGraph's super-step in the thread.
        """
        raise NotImplementedError

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError("the bench is asynchronous")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        assert run_manager is not None
        message = self.decide(run_manager.metadata["langgraph_step"])
        return ChatResult(generations=[ChatGeneration(message=message)])


class PacedModel(ScriptedModel):
    """Call one tool `steps` times in each turn and then answer.

    Attributes:
        tool: called with `number`, which counts the steps of the thread from 1, so that no two
            calls are the same.
        steps: of one turn.
        asked: its calls so far.
    """

    tool: str
    steps: int
    asked: list[Asked] = Field(default_factory=list)

    def decide(self, super_step: int) -> AIMessage:
        """Note the call, and decide on a tool call or the answer of a turn."""
        self.asked.append(Asked(SYSTEM.monotonic(), super_step))
        turn, position = divmod(len(self.asked) - 1, self.steps + 1)
        if position == self.steps:
            return AIMessage("Done.")
        number = turn * self.steps + position + 1
        call = {"name": self.tool, "args": {"number": number}, "id": str(uuid.uuid4())}
        return AIMessage("", tool_calls=[call])
