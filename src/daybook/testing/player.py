"""Play a cell in its own process: the agent, its user, and the reviewer.

What is killed runs this, and what takes its thread over runs it in another process.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from signal import SIGKILL
from typing import Any

import httpx
import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.types import Command, StateSnapshot
from typing_extensions import TypedDict

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.graph.resume import TAKES_UP, Left, left_in
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import (
    ChainBroken,
    DaybookError,
    EffectNotDone,
    EffectUnsettled,
    ProjectionWrong,
    ThreadBusy,
)
from daybook.state.fault_points import arm
from daybook.state.people.tool_messages import as_said
from daybook.testing.model import ReplayedModel
from daybook.testing.moments import Moment, Passing
from daybook.testing.processes import Order, suspend
from daybook.testing.provider_process import load
from daybook.testing.wrong_answers import STRANGER
from daybook.tools.domain import Domain

_COMES = 200
"""How often a thread is resumed before the run is given up."""

_BETWEEN = 0.05
"""Seconds between two checks whether a thread is free or due."""


@dataclass
class Agent:
    """Hold what is played.

    Attributes:
        inputs: what the graph is given, one turn after the other.
        is_domain: it was built from a domain.
    """

    graph: Any
    postgres: Postgres
    inputs: Sequence[Any]
    is_domain: bool

    async def left(self, state: StateSnapshot) -> Left | None:
        """Tell what is left to do in the thread."""
        if self.is_domain:
            return await left_in(state, self.postgres)
        if state.interrupts:
            return Left.QUESTION
        # `next` is empty where the input is stored and nothing has run on it yet.
        return Left.CUT_OFF if state.tasks else None

    def has_heard(self, state: StateSnapshot, which: int, thread: str) -> bool:
        """Tell whether the thread holds an input."""
        if self.is_domain:
            heard = {message.id for message in state.values.get("messages", [])}
            return f"{thread}-{which}" in heard
        # Inputs of a plain graph bear no name: each turn is a thread of its own.
        return bool(state.metadata)


async def play(order: Order, file: Path) -> dict[str, Any]:
    """Play one cell, from wherever its thread stands; a suspension is told beside a file."""
    logging.basicConfig(level=logging.CRITICAL)
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    os.environ.update(order["environment"])
    strike = partial(suspend, file) if order["stops"] else partial(os.kill, os.getpid(), SIGKILL)
    passing = Passing(Moment.parse(order["at"]) if order["at"] else None, strike)
    async with _opened(order) as agent:
        player = Player(agent, order)
        began = SYSTEM.monotonic()
        arm(passing)
        told: dict[str, Any] = {"error": "", "end": None}
        try:
            if order["takes_up"]:
                await player.take_up()
            await player.play()
            arm(None)
            told["end"] = await player.standing()
        except (DaybookError, psycopg.Error, AssertionError) as raised:
            told["error"] = f"{type(raised).__name__}: {raised}"
        arm(None)
        passed = [str(one) for one in passing.passed]
        told["seconds"] = SYSTEM.monotonic() - began
        return {**told, "did": player.did, "passed": passed}


@asynccontextmanager
async def _opened(order: Order) -> AsyncIterator[Agent]:
    """Open the agent of a subject: a domain, a function with an effect, or what opens a graph."""
    subject, thread = load(order["subject"]), order["thread"]
    patience = Patience(
        budget=timedelta(seconds=order["budget"]),
        backoff=timedelta(seconds=0.02),
        unknown_settle=timedelta(seconds=0.3),
        unproved=timedelta(seconds=5),
    )
    stored = subject.restored_types if isinstance(subject, Domain) else ()
    # One that is suspended is taken over after a second.
    lease: Any = {"lease": timedelta(seconds=1)} if order["stops"] else {}
    async with AsyncExitStack() as stack:
        if isinstance(subject, Domain) and order["resources"]:
            resources = await stack.enter_async_context(load(order["resources"])())
            postgres: Postgres = resources.postgres
        else:
            postgres = await stack.enter_async_context(
                open_postgres(order["database"], tenant_id="default", stored_types=stored, **lease)
            )
        if isinstance(subject, Domain):
            model = ReplayedModel(turns=dict(order["script"]))
            if not order["resources"]:
                services = load(order["services"])(order["url"])
                stack.push_async_callback(services.close)
                resources = Resources(postgres=postgres, model=model, services=services)
            resources = replace(resources, model=model, patience=patience)
            said = [
                {"messages": [{"role": "user", "content": text, "id": f"{thread}-{number}"}]}
                for number, (text, _) in enumerate(order["script"])
            ]
            graph: Any = build(subject, lambda: resources, postgres.saver)
            yield Agent(graph, postgres, said, is_domain=True)
        elif hasattr(subject, "declared"):
            subject.ledger.use(postgres, patience)
            graph = _graph_of(subject, postgres)
            yield Agent(graph, postgres, [{"args": order["script"]}], is_domain=False)
        else:
            graph = await stack.enter_async_context(subject())
            yield Agent(graph, postgres, [order["script"]], is_domain=False)


class _Called(TypedDict, total=False):
    args: dict[str, Any]
    result: Any


def _graph_of(effect: Any, postgres: Postgres) -> Any:
    """Make a graph whose one node calls an effect."""

    async def call(state: _Called) -> _Called:
        return {"result": await effect(**state["args"])}

    graph = StateGraph(_Called).add_node("call", call).add_edge(START, "call")
    return graph.compile(checkpointer=postgres.saver)


class Player:
    """Be the user of one cell, and the reviewer of its doubts.

    Attributes:
        did: what was said, approved, answered and taken up, in order.
    """

    def __init__(self, agent: Agent, order: Order) -> None:
        self._agent, self._thread = agent, order["thread"]
        self._record = _Record(order)
        about = {"thread_id": self._thread, "user_id": order.get("user", self._thread)}
        self._config: RunnableConfig = {"configurable": about}
        self._refused = ""
        self.did: list[dict[str, Any]] = []

    async def play(self) -> None:
        """Say and answer whatever is still to be said and answered, until all is over."""
        for _ in range(_COMES):
            state = await self._state()
            left = None if self._refused else await self._agent.left(state)
            if left is Left.QUESTION:
                await self._answer(state)
            elif left is not None:
                await self._come(left)
            elif (which := self._unsaid(state)) is not None:
                await self.say(which)
            else:
                return
        raise AssertionError(f"{self._thread} never ends: {self.did}")

    async def say(self, which: int) -> None:
        """Give one of the inputs."""
        self.did.append({"what": "say", "which": which})
        await self._run(self._agent.inputs[which])

    async def verdict(self, asked: Mapping[str, Any]) -> str:
        """Answer a question about a doubt, from the provider's own record."""
        return await self._record.verdict(asked)

    async def take_up(self) -> None:
        """Take up the thread of a runner that has died, as a worker does."""
        state = await self._state()
        await self._come(await self._agent.left(state))

    async def standing(self) -> dict[str, Any]:
        """Tell where thread and ledger stand."""
        state = await self._state()
        messages = as_said(state.values.get("messages", []))
        ledger = self._agent.postgres.ledger
        entries = await ledger.entries(self._thread)
        names = dict.fromkeys(one.plan_id for one in entries if one.plan_id)
        plans = [(await ledger.plan(self._thread, name))[0] for name in names]
        steps = [(plan, *located) for plan in plans if plan for located in plan.located]
        broken = ""
        try:
            await ledger.verify(self._thread)
        except (ChainBroken, ProjectionWrong) as error:
            broken = str(error)
        left = None if self._refused else await self._agent.left(state)
        return {
            "answer": messages[-1].text if messages and messages[-1].type == "ai" else "",
            "refused": self._refused,
            "asks": 0 if self._refused else len(state.interrupts),
            "left": left not in (None, Left.QUESTION),
            "broken": broken,
            "succeeded": [action.succeeded for plan in plans if plan for action in plan.actions],
            "steps": [
                {"tool": s.tool, "step": s.step_id, "state": s.state.value} for _, _, s in steps
            ],
            "entries": [
                {"event": one.event.value, "step": one.step_id, "reason": one.reason}
                for one in entries
            ],
        }

    def _unsaid(self, state: StateSnapshot) -> int | None:
        inputs = range(len(self._agent.inputs))
        heard = self._agent.has_heard
        return next((n for n in inputs if not heard(state, n, self._thread)), None)

    async def _come(self, left: Left | None) -> None:
        """Take the thread up; a question that waits is left to the reviewer."""
        self.did.append({"what": "take up", "left": left})
        if left is not None and left in TAKES_UP:
            await self._run(TAKES_UP[left])
        if not self._refused and await self._agent.left(await self._state()) in TAKES_UP:
            # It is not due yet.
            await SYSTEM.sleep(_BETWEEN)

    async def _answer(self, state: StateSnapshot) -> None:
        asked: dict[str, Any] = state.interrupts[0].value
        if "in_doubt" in asked:
            verdict = await self.verdict(asked)
            evidence = asked["action_requests"][0]["args"]
            shown = sorted(name for name in evidence if evidence[name])
            self.did.append({"what": "doubt", "evidence": shown, "verdict": verdict})
            decisions = [{"type": "respond", "message": verdict}]
        else:
            self.did.append({"what": "approve"})
            decisions = [{"type": "approve"} for _ in asked["action_requests"]]
        given = {"decisions": decisions, "approval_id": asked["approval_id"]}
        await self._run(Command(resume=given))

    async def _run(self, given: Any) -> None:
        while True:
            try:
                await self._agent.graph.ainvoke(given, self._config)
            except ThreadBusy:
                # The server has not noticed yet that the runner before is dead.
                await SYSTEM.sleep(_BETWEEN)
            except EffectUnsettled:
                await SYSTEM.sleep(_BETWEEN)
                return
            except EffectNotDone as refused:
                self._refused = refused.code
                return
            else:
                return

    async def _state(self) -> StateSnapshot:
        state: StateSnapshot = await self._agent.graph.aget_state(self._config)
        return state


class _Record:
    """Look into the provider's own record, as a reviewer does who is asked about a doubt.

    Asked again about what did not happen the last time, the reviewer ends it: undoes it by hand, or
    has all of it undone.
    """

    def __init__(self, order: Order) -> None:
        self._url = order["url"]
        self._kinds: Mapping[str, str] = order.get("kinds", {})
        self._undoes: Mapping[str, str] = order.get("undoes", {})
        self._denied: set[str] = set()

    async def verdict(self, asked: Mapping[str, Any]) -> str:
        """Answer a question about a doubt."""
        (request,) = asked["action_requests"]
        is_undo = "the undo of" in request["description"]
        tool = str(request["args"]["tool"])
        kind = self._kinds.get(tool, "")
        if is_undo:
            # The question names the tool that is undone, or the one that undoes.
            kind = self._undoes.get(kind, kind)
        async with httpx.AsyncClient(base_url=self._url, trust_env=False, timeout=30) as http:
            if kind in self._denied and is_undo:
                (await http.post("/by-hand", json={})).raise_for_status()
            effects = (await http.get("/effects")).raise_for_status().json()
        meant = {asked["in_doubt"], tool} if not kind else set()
        found = [one["named"] for one in effects if _is_meant(one, kind, meant)]
        if found:
            return f"it happened {found[0]}"
        word = "undo" if kind in self._denied else "it did not happen"
        self._denied.add(kind)
        return word


def _is_meant(effect: Mapping[str, Any], kind: str, keys: set[str]) -> bool:
    """Tell whether an effect is of a kind; where the kind is not known, whether it has a key."""
    is_named = effect["effect"] == kind or bool({effect["key"], effect["reference"]} & keys)
    return is_named and effect["customer"] != STRANGER
