"""Daybook over the same shop; and every contender's model, which plays the script and notes it.

Time is the script's: a clock that the replay moves, so that days pass in a second.
"""

from __future__ import annotations

import re
import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from daybook import build, open_postgres
from daybook.domain import GuardedGraph, Resources
from daybook.nodes.prompt.compiler import BREAKPOINT
from daybook.state.clock import Clock as SystemClock
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import ShopServices
from evals.context.figures import Asked, Replay, message_tokens, tools_tokens, wire, wire_tools
from evals.context.script import Call, Turn

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


_CART = re.compile(r"^cart r(\d+) \(", re.MULTILINE)
_APPROVED = {"decisions": [{"type": "approve"}]}


class Daybook:
    """Play the script with the shop's graph."""

    def __init__(self, name: str, graph: GuardedGraph, player: Player, budget: int) -> None:
        self.name, self.budget = name, budget
        self._graph, self._player = graph, player
        self._config: RunnableConfig = {
            "configurable": {
                "thread_id": str(uuid.uuid4()),
                "user_id": "ada",
                "role": "customer",
            }
        }

    async def play(self, turn: Turn) -> None:
        """Play one turn; a purchase is approved.

        Raises:
            RuntimeError: the graph asks something that the script does not know.
        """
        self._player.clock.pass_(turn.minutes)
        for event in turn.outside:
            await self._run({"events": [{"id": str(uuid.uuid4()), **event}]})
        self._player.begin(turn.number, decisions(turn))
        said = {"role": "user", "content": turn.said, "id": str(uuid.uuid4())}
        asks = await self._run({"messages": [said]})
        while asks:
            (question,) = asks
            if "action_requests" not in question.value:
                raise RuntimeError(
                    f"turn {turn.number}: nobody knows an answer to {question.value}"
                )
            asks = await self._run(Command(resume=_APPROVED))

    async def _run(self, given: Any) -> Sequence[Any]:
        result = await self._graph.ainvoke(given, self._config)
        asks: Sequence[Any] = result.get("__interrupt__", ())
        return asks

    def replay(self) -> Replay:
        """Return what its model was asked."""
        return Replay(self.name, self.budget, self._player.asked)


def decisions(turn: Turn) -> list[Decided]:
    """Return what the model decides: as the script says, and facts are remembered first.

    A fact is remembered beside the first calls of a turn; where there are none, by a call of its
    own.
    """
    rounds: list[Decided] = list(turn.rounds)
    if turn.fact is not None:
        fact = turn.fact
        args = {"subject": fact.subject, "value": fact.value, "kind": fact.kind}
        first = list(turn.rounds[0]) if turn.rounds else []
        rounds[:1] = [[Call("remember", args), *first]]
    return [*rounds, turn.answer]


@asynccontextmanager
async def open_daybook(url: str, services: ShopServices, budget: int) -> AsyncIterator[Daybook]:
    """Open Daybook on an empty database.

    Args:
        url: a libpq URL, as the owner of the database.
        budget: tokens that a prompt may take.
    """
    clock = Clock()
    player = Player(clock, revision_in, _breakpoints)
    async with open_postgres(
        url, tenant_id="default", stored_types=SHOP.restored_types, clock=clock
    ) as postgres:
        resources = Resources(
            postgres=postgres,
            model=ScriptModel(player=player),
            services=services,
            promises=services.guarantees,
            world=services.shop_id,
            budget=budget,
        )
        graph = build(SHOP, lambda: resources, postgres.saver)
        yield Daybook(f"Daybook, {budget // 1000}k", graph, player, budget)


def revision_in(messages: Sequence[BaseMessage]) -> int:
    """Return the revision that the tail names; a sub-agent's prompt has none.

    A note may stand behind the tail, where an answer is asked for once more.
    """
    named = (_CART.findall(message.text) for message in reversed(messages))
    return next((int(found[-1]) for found in named if found), 0)


def _breakpoints(messages: Sequence[BaseMessage]) -> list[int]:
    marked = (message.additional_kwargs.get(BREAKPOINT) for message in messages)
    return [count for count, mark in enumerate(marked, 1) if mark]
