"""The model of the replay: it plays the script, whatever the prompt says, and notes what it read.

Time is the script's: a clock that the replay moves, so that days pass in a second.
"""

from __future__ import annotations

import re
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
from pydantic import Field

from evals.context.cost import Asked
from evals.context.counting import message_tokens, tokens, wire, wire_tools
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
class Clock:
    """Tell the script's time, which only the replay moves."""

    now: datetime = datetime(2031, 2, 3, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the time, UTC."""
        return self.now

    def pass_(self, minutes: float) -> None:
        """Let time pass."""
        self.now += timedelta(minutes=minutes)


@dataclass(repr=False)  # langchain writes a model's fields down at every call
class Player:
    """Hold what the model decides next, and what it was asked so far.

    Attributes:
        revision: tells the cart's, as the agent has it.
        decisions: of the turn under way.
    """

    clock: Clock
    revision: Callable[[Sequence[BaseMessage]], int]
    ends: Ends = implicit
    turn: int = 0
    decisions: deque[Decided] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
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
                at=self.clock(),
                tools=schemas,
                messages=written,
                sizes=[_tool_tokens(schemas), *map(message_tokens, written)],
                ends=self.ends(messages),
                revision=self.revision(messages),
            )
        )
        self.clock.now += _THINKING
        if not self.decisions:
            raise RuntimeError(f"turn {self.turn} asked the model once more than it is written")
        decided = self.decisions.popleft()
        if isinstance(decided, str):
            return AIMessage(decided)
        calls = [{"name": c.tool, "args": dict(c.args), "id": str(uuid.uuid4())} for c in decided]
        return AIMessage("", tool_calls=calls)

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


class Extract(BaseChatModel):
    """Summarise without a model: what people said comes first, the newest before the oldest.

    It keeps the summary that it finds, and of each human message the first sentence; where that is
    more than the limit, the oldest go. It never tells what it was not given.

    Attributes:
        limit: tokens of a summary.
        read: tokens of the prompts that it was given so far.
    """

    limit: int = 400
    read: list[int] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "extract"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        (prompt,) = (message.text for message in messages)
        self.read.append(tokens(prompt))
        message = AIMessage(_extract(prompt, self.limit))
        return ChatResult(generations=[ChatGeneration(message=message)])


_HUMAN = re.compile(r'<message type="human">(.*?)</message>', re.DOTALL)
_SUMMARY = "Here is a summary of the conversation to date:"


def _extract(prompt: str, limit: int) -> str:
    sentences: list[str] = []
    for said in _HUMAN.findall(prompt):
        before, is_summary, summary = said.partition(_SUMMARY)
        if is_summary:
            sentences += [line[2:] for line in summary.strip().splitlines() if line[:2] == "- "]
        else:
            sentences.append(re.split(r"(?<=[.?!])\s", before.strip(), maxsplit=1)[0])
    kept: list[str] = []
    for sentence in reversed(sentences):
        line = f"- {sentence}"
        if tokens("\n".join([line, *kept])) > limit:
            break
        kept.insert(0, line)
    return "\n".join(kept) or "- nothing was said"


_COUNTED: dict[str, int] = {}


def _tool_tokens(schemas: str) -> int:
    """Count the tokens of schemas; an agent's stay the same."""
    if schemas not in _COUNTED:
        _COUNTED[schemas] = tokens(schemas)
    return _COUNTED[schemas]
