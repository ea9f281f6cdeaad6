"""A person in front of an agent, and whoever takes its thread up: what every matrix plays."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from daybook.checkpoints.postgres import Postgres
from daybook.graph.guarded import GuardedGraph
from daybook.graph.unfinished import TAKES_UP, Left, left_in
from daybook.state.clock import SYSTEM
from daybook.state.errors import ThreadBusy
from daybook.state.people.called import as_said
from evals.crash.moments import Passing

_COMES = 20
"""How often somebody comes for a thread before it is given up."""

_BETWEEN = 0.05
"""Seconds between two looks whether a thread is free or has become due."""

Truth: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[str]]
"""Answers the question about a doubt, from the record of the other side."""


class Person:
    """Be the person of one cell, in front of an agent.

    Args:
        thread: also names the cell.
        says: what the person says, one thing after the other.
        truth: looks into the other side's own record, as a person does who is asked about a doubt.

    Attributes:
        did: what the person, or whoever takes the thread up, did; in order.
    """

    def __init__(
        self,
        graph: GuardedGraph,
        postgres: Postgres,
        *,
        thread: str,
        user: str,
        says: Sequence[str],
        truth: Truth,
        passing: Passing,
    ) -> None:
        self._graph, self._postgres = graph, postgres
        self._cell, self._says, self._truth, self._passing = thread, says, truth, passing
        self._config: RunnableConfig = {"configurable": {"thread_id": thread, "user_id": user}}
        self.did: list[dict[str, Any]] = []

    async def play(self) -> None:
        """Say and answer whatever is still to be said and answered, until all is over."""
        for _ in range(_COMES):
            state = await self._state()
            left = await left_in(state, self._postgres)
            if left is Left.QUESTION:
                await self._answer(state)
            elif left is not None:
                await self._come(left)
            elif (which := self._unsaid(state)) is not None:
                await self._say(which)
            else:
                return
        raise AssertionError(f"{self._cell} never ends: {self.did}")

    async def begin(self, begins: str) -> None:
        """Do something before the person goes on.

        Args:
            begins: "take up", as the worker does about a thread whose runner has died; "say 1",
                as a person does who does not wait for that; "ask", to stand still once a question
                waits; "" for nothing.
        """
        match begins:
            case "take up":
                await self._come(await self._left())
            case "say 1":
                await self._say(1)
            case "ask":
                await self._say(0)
                os.kill(os.getpid(), signal.SIGSTOP)

    async def standing(self) -> dict[str, Any]:
        """Tell where the thread stands; what waits for a person is not left to anybody else."""
        state = await self._state()
        messages = as_said(state.values.get("messages", []))
        return {
            "answer": messages[-1].text if messages and messages[-1].type == "ai" else "",
            "flow": state.values.get("flow", ""),
            "asks": [
                "doubt" if "in_doubt" in one.value else "approval" for one in state.interrupts
            ],
            "left": await self._left() not in (None, Left.QUESTION),
        }

    def _unsaid(self, state: StateSnapshot) -> int | None:
        heard = {message.id for message in state.values.get("messages", [])}
        return next((n for n in range(len(self._says)) if f"{self._cell}-{n}" not in heard), None)

    async def _say(self, which: int) -> None:
        message = {"role": "user", "content": self._says[which], "id": f"{self._cell}-{which}"}
        self._passing.passed.append(None)
        self.did.append({"what": "say", "which": which})
        await self._run({"messages": [message]})

    async def _come(self, left: Left | None) -> None:
        """Take the thread up; a question that waits is left to the person."""
        self.did.append({"what": "take up", "left": left})
        if left is not None and left in TAKES_UP:
            await self._run(TAKES_UP[left])
        if await self._left() in TAKES_UP:
            # It is not due yet.
            await SYSTEM.sleep(_BETWEEN)

    async def _answer(self, state: StateSnapshot) -> None:
        (question,) = state.interrupts
        asked: dict[str, Any] = question.value
        if "in_doubt" in asked:
            evidence = asked["action_requests"][0]["args"]
            verdict = await self._truth(asked)
            shown = sorted(name for name in evidence if evidence[name])
            doubt = {"what": "doubt", "evidence": shown, "verdict": verdict}
            self.did.append({**doubt, "kept": await self._is_told(asked)})
            decisions = [{"type": "respond", "message": verdict}]
        else:
            self.did.append({"what": "approve", "kept": await self._is_told(asked)})
            decisions = [{"type": "approve"} for _ in asked["action_requests"]]
        given = {"decisions": decisions, "approval_id": asked["approval_id"]}
        await self._run(Command(resume=given))

    async def _is_told(self, asked: Mapping[str, Any]) -> bool:
        """Tell whether the ledger holds an answer to a question already."""
        state = await self._state()
        ledger = self._postgres.ledger
        plan, _ = await ledger.plan(self._cell, state.values["plan_id"])
        assert plan is not None
        if "in_doubt" in asked:
            return bool(plan.find(asked["in_doubt"])[1].question != asked["approval_id"])
        return bool(plan.plan_id != asked["approval_id"] or plan.decided)

    async def _run(self, given: Any) -> None:
        while True:
            try:
                await self._graph.ainvoke(given, self._config)
                return
            except ThreadBusy:
                # The server has not noticed yet that the runner before is dead.
                await SYSTEM.sleep(_BETWEEN)

    async def _state(self) -> StateSnapshot:
        return await self._graph.aget_state(self._config)

    async def _left(self) -> Left | None:
        return await left_in(await self._state(), self._postgres)
