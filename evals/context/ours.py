"""Daybook over the same shop: the real graph and database, with the model of the script."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.prompt.compiler import BREAKPOINT
from daybook.nodes.running.work import Resources
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import ShopServices
from evals.context.figures import Replay
from evals.context.model import Clock, Decided, Player, ScriptModel
from evals.context.script import Call, Turn

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
