"""The model of the replay: it plays the script, whatever the prompt says, and notes what it read.

Time is the script's: a clock that the replay moves, so that days pass in a second.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from daybook.state.clock import Clock as SystemClock
from evals.context.figures import Asked, message_tokens, tools_tokens, wire, wire_tools
from evals.context.script import Call

Decided = str | Sequence[Call]
"""An answer, or calls."""

Ends = Callable[[Sequence[BaseMessage]], Sequence[int] | None]
"""Tells where a prompt has explicit breakpoints: how many messages stand before each."""

_THINKING = timedelta(seconds=4)
"""How long a model takes for a decision."""


def implicit(messages: Sequence[BaseMessage]) -> None:
    """Tell that a prompt has no breakpoints: the provider caches what it sees."""


@dataclass
class Clock(SystemClock):
    """Tell the script's time, which only the replay moves."""

    _now: datetime = datetime(2031, 2, 3, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """Return the time, UTC."""
        return self._now

    def pass_(self, minutes: float) -> None:
        """Let time pass."""
        self._now += timedelta(minutes=minutes)


@dataclass(repr=False)  # langchain writes a model's fields down at every call
class Player:
    """What the model decides next, and what it was asked so far.

    Attributes:
        revision: tells the cart's, as the agent has it.
        decisions: of the turn under way.
        calls: decided so far.
    """

    clock: Clock
    revision: Callable[[Sequence[BaseMessage]], int]
    ends: Ends = implicit
    turn: int = 0
    decisions: deque[Decided] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
    calls: int = 0
    _written: dict[tuple[str, str], str] = field(default_factory=dict)

    def begin(self, turn: int, decisions: Sequence[Decided]) -> None:
        """Take the decisions of the next turn.

        Raises:
            RuntimeError: the model was not asked for all of those of the last one.
        """
        if self.decisions:
            raise RuntimeError(f"turn {self.turn} ended with {len(self.decisions)} decisions left")
        self.turn = turn
        self.decisions.extend(decisions)

    def decide(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> AIMessage:
        """Note what was asked, and return the next decision."""
        written = [self._wire(message) for message in messages]
        schemas = wire_tools(tools)
        self.asked.append(
            Asked(
                turn=self.turn,
                at=self.clock.now(),
                tools=schemas,
                messages=written,
                sizes=[tools_tokens(schemas), *map(message_tokens, written)],
                ends=self.ends(messages),
                revision=self.revision(messages),
            )
        )
        self.clock.pass_(_THINKING.total_seconds() / 60)
        if not self.decisions:
            raise RuntimeError(f"turn {self.turn} asked the model once more than it is written")
        decided = self.decisions.popleft()
        if isinstance(decided, str):
            return AIMessage(decided)
        calls = [{"name": c.tool, "args": dict(c.args), "id": self._next_id()} for c in decided]
        return AIMessage("", tool_calls=calls)

    def _next_id(self) -> str:
        """Name a call, in each run alike: langchain's summaries count these names too."""
        self.calls += 1
        return str(uuid.UUID(int=self.calls))

    def _wire(self, message: BaseMessage) -> str:
        """Write a message, once where it has an id: long chats are written many times."""
        if message.id is None:
            return wire(message)
        known = (message.id, message.text)
        if known not in self._written:
            self._written[known] = wire(message)
        return self._written[known]


class ScriptModel(BaseChatModel):
    """Let a player decide."""

    player: Player
    tools: Sequence[Any] = ()

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        """Take the tools that go over the wire with the prompt."""
        return self.model_copy(update={"tools": tools})

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError("the replay is asynchronous")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        message = self.player.decide(messages, self.tools)
        return ChatResult(generations=[ChatGeneration(message=message)])
