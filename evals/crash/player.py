"""Play a cell in a process of its own: its agent, and the person in front of it.

What is killed runs this, and what takes its thread over runs it in another process.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import signal
import ssl
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import httpx
import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from evals.crash.moments import Moment, Passing
from evals.crash.script import SCRIPTS, Script, said
from evals.forking import Order, serve_forks
from graph.provider import Provider
from graph.resources import open_shop_agent
from graph.serve import Opened
from graph.settings import settings_from
from graph.unfinished import TAKES_UP, Left, left_in
from state.errors import DaybookError, ThreadBusy
from state.fault_points import arm
from state.guarantees import Patience
from tools.mail import message_id

# Imported, and read, before the fork: half a second for each process else. No request here is made
# over TLS.
_ = Provider
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]

_COMES = 20
"""How often somebody comes for a thread before it is given up."""

_BETWEEN = 0.05
"""Seconds between two looks whether a thread is free or has become due."""


class Player:
    """Be the person of one cell, in front of an agent.

    Attributes:
        did: what the person, or whoever takes the thread up, did; in order.
    """

    def __init__(self, agent: Opened, order: Order, passing: Passing) -> None:
        self._agent = agent
        self._cell: str = order["thread"]
        self._script: Script = SCRIPTS[order["script"]]
        self._shop: str = order["shop"]
        self._passing = passing
        self._config: RunnableConfig = {
            "configurable": {"thread_id": order["thread"], "user_id": order["user"]}
        }
        self.did: list[dict[str, Any]] = []

    async def play(self) -> None:
        """Say and answer whatever is still to be said and answered, until all is over."""
        for _ in range(_COMES):
            state = await self._state()
            left = await left_in(state, self._agent.resources.postgres)
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
        messages = state.values.get("messages", [])
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
        return next(
            (n for n in range(len(self._script.says)) if f"{self._cell}-{n}" not in heard), None
        )

    async def _say(self, which: int) -> None:
        text = said(self._script, self._cell, which)
        message = {"role": "user", "content": text, "id": f"{self._cell}-{which}"}
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
            await asyncio.sleep(_BETWEEN)

    async def _answer(self, state: StateSnapshot) -> None:
        (question,) = state.interrupts
        asked: dict[str, Any] = question.value
        if "in_doubt" in asked:
            evidence = asked["action_requests"][0]["args"]
            verdict = await self._truth(asked["in_doubt"])
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
        ledger = self._agent.resources.postgres.ledger
        plan, _ = await ledger.plan(self._cell, state.values["plan_id"])
        assert plan is not None
        if "in_doubt" in asked:
            return bool(plan.find(asked["in_doubt"])[1].question != asked["approval_id"])
        return bool(plan.plan_id != asked["approval_id"] or plan.decided)

    async def _truth(self, step_id: str) -> str:
        """Look into the shop's own record, as a person does."""
        references = {step_id, message_id(step_id)}
        async with httpx.AsyncClient(base_url=self._shop, trust_env=False) as shop:
            effects = (await shop.get("/effects")).raise_for_status().json()
        found = [one["reference"] for one in effects if one["reference"] in references]
        return f"it happened {found[0]}" if found else "it did not happen"

    async def _run(self, given: Any) -> None:
        while True:
            try:
                await self._agent.graph.ainvoke(given, self._config)
                return
            except ThreadBusy:
                # The server has not noticed yet that the runner before is dead.
                await asyncio.sleep(_BETWEEN)

    async def _state(self) -> StateSnapshot:
        return await self._agent.graph.aget_state(self._config)

    async def _left(self) -> Left | None:
        return await left_in(await self._state(), self._agent.resources.postgres)


async def _work(order: Order, begin: Callable[[], None]) -> dict[str, Any]:
    """Play one cell, from wherever its thread stands."""
    settings = settings_from(
        {
            "DATABASE_URL": order["database"],
            "SHOP_URL": order["shop"],
            "SMTP_URL": order["smtp"],
            "OPENAI_BASE_URL": order["model"],
            "DAYBOOK_MODEL": "scripted",
        }
    )
    patience = Patience(
        budget=timedelta(seconds=order["budget"]), backoff=timedelta(seconds=order["backoff"])
    )
    passing = Passing(Moment.read(order["at"]) if order["at"] else None)
    async with open_shop_agent(settings, patience=patience) as agent:
        player = Player(agent, order, passing)
        begin()
        began = time.monotonic()
        arm(passing)
        told: dict[str, Any] = {"error": "", "by_itself": None, "end": None}
        try:
            await player.begin(order["begins"])
            if order["begins"] == "take up":
                told["by_itself"] = await player.standing()
            await player.play()
            told["end"] = await player.standing()
        except (DaybookError, psycopg.Error) as raised:
            told["error"] = f"{type(raised).__name__}: {raised}"
        arm(None)
        passed = [str(one) if one is not None else None for one in passing.passed]
        told["seconds"] = time.monotonic() - began
        return {**told, "did": player.did, "passed": passed}


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    # As `daybook` does: it gives itself a level when it is imported.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    serve_forks(_work)
