"""Play conversations on the real graph: a real Postgres, a shop process for each lane, a model."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from rich.console import Console

from daybook.app.grading.grade import Trajectory, grade
from daybook.app.grading.history import read_trajectory
from daybook.domain import GuardedGraph, Settings
from daybook.graph.database import open_database
from daybook.graph.shop.resources import open_shop_agent
from daybook.tools.shop.domain import SHOP
from evals.live.judging import (
    Conversation,
    Fault,
    Judge,
    Line,
    faults_of_answers,
    faults_of_effects,
    faults_of_steps,
)
from evals.report import table
from evals.servers import LAG, Shop, open_server, open_shop
from evals.tau_retail.judge import pass_k

_LANES = 2
"""Concurrent conversations; each has a shop of its own."""

_QUESTIONS = 12
"""The most questions that the user answers for one line."""

_WAIT = "wait"


class GaveUp(Exception):
    """Raised when the user is asked too many questions."""


async def hold(graph: GuardedGraph, shop: Shop, thread_id: str, one: Conversation) -> None:
    """Hold a conversation to its end.

    Raises:
        GaveUp: it does not end.
        ModelUnavailable: the model gave no answer.
    """
    config: RunnableConfig = {
        "configurable": {"thread_id": thread_id, "user_id": one.user, "role": "customer"}
    }
    for line in one.lines:
        for method, path, body in line.shop:
            await shop.ask(method, path, **body)
        answers = iter(line.answers)
        if await _send(graph, config, line, line.said, answers) and line.again:
            await _send(graph, config, line, line.again, answers)


async def _send(
    graph: GuardedGraph, config: RunnableConfig, line: Line, text: str, answers: Iterator[str]
) -> bool:
    """Send a message and answer the questions; return whether the model only asked back.

    Raises:
        GaveUp: the questions do not end.
    """
    said = {"role": "user", "content": text, "id": str(uuid.uuid4())}
    result = await graph.ainvoke({"messages": [said]}, config)
    began_nothing = not result.get("__interrupt__", ())
    for _ in range(_QUESTIONS):
        asks = result.get("__interrupt__", ())
        if not asks:
            return began_nothing and str(result["messages"][-1].text).rstrip().endswith("?")
        question: dict[str, Any] = asks[0].value
        decisions = []
        for request in question["action_requests"]:
            if request["name"] == "in_doubt":
                decisions.append({"type": "respond", "message": line.doubt})
                continue
            answer = next(answers, "approve")
            if answer == _WAIT:
                return False
            decisions.append({"type": answer})
        resumed = {"decisions": decisions, "approval_id": question["approval_id"]}
        result = await graph.ainvoke(Command(resume=resumed), config)
    raise GaveUp(f"the user was asked more than {_QUESTIONS} times for “{text}”")


@dataclass(frozen=True)
class Played:
    """One trial of a conversation.

    Attributes:
        trial: its number, from 1.
        faults: of all judges.
    """

    name: str
    trial: int
    faults: Sequence[Fault]
    trajectory: Trajectory

    @property
    def is_passed(self) -> bool:
        """Tell whether no judge found anything."""
        return not self.faults


Tell = Callable[[Played], None]


async def play_all(
    wanted: Sequence[Conversation], trials: int, settings: Settings, folder: Path, tell: Tell
) -> None:
    """Hold each conversation so many times, and report each trial.

    Args:
        folder: data of everything that is started; it is stopped before the return.
    """
    left = deque((one, trial + 1) for trial in range(trials) for one in wanted)
    async with open_server(folder) as server:
        settings = replace(settings, database_url=await server.new_database("live"))
        # Migrate once, before several lanes open it.
        async with open_database(settings):
            pass
        async with asyncio.TaskGroup() as playing:
            for number in range(min(_LANES, len(left))):
                playing.create_task(_lane(folder / f"shop-{number}", settings, left, tell))


async def _lane(
    folder: Path, settings: Settings, left: deque[tuple[Conversation, int]], tell: Tell
) -> None:
    async with open_shop(folder) as shop:
        settings = replace(settings, shop_url=shop.url, smtp_url=shop.smtp_url)
        while left:
            tell(await _play_one(*left.popleft(), shop, settings))


async def _play_one(one: Conversation, trial: int, shop: Shop, settings: Settings) -> Played:
    """Hold a conversation at a shop with its seed data, and ask the judges."""
    await shop.ask("POST", "/admin/reset")
    await shop.ask("PUT", "/admin/settings", settle_seconds=LAG)
    # User memory belongs to a tenant: no conversation knows of another.
    settings = replace(settings, tenant=f"live-{uuid.uuid4().hex}")
    thread_id, faults = str(uuid.uuid4()), list[Fault]()
    async with open_shop_agent(settings) as agent:
        try:
            await hold(agent.graph, shop, thread_id, one)
        except Exception as error:
            # A conversation that fails is a line of the table; the others go on.
            faults.append(Fault(Judge.END, f"{type(error).__name__}: {error}"))
        happened = await shop.effects()
        trajectory = await read_trajectory(agent.resources.postgres, SHOP, thread_id)
        state = await agent.graph.aget_state({"configurable": {"thread_id": thread_id}})
    claims = [claim for step in trajectory.steps for claim in step.claims]
    faults += _stopped_turns(trajectory, settings.decisions)
    faults += faults_of_effects(one, happened)
    faults += faults_of_steps(grade(trajectory))
    faults += faults_of_answers(one, claims, _last(state.values), happened)
    return Played(one.name, trial, faults, trajectory)


def _last(state: Mapping[str, Any]) -> str:
    """Return what the user read in the last turn: the answer, with its receipts."""
    messages = [*state.get("messages", ())]
    turn = takewhile(lambda one: one.type != "human", reversed(messages))
    return "\n".join(one.text for one in reversed([*turn]) if one.type == "ai")


def _stopped_turns(trajectory: Trajectory, most: int) -> list[Fault]:
    """Find the turns that were stopped at the limit of decisions."""
    decided = Counter(turn for turn, _ in {(one.turn, one.decided) for one in trajectory.steps})
    why = f"a turn was stopped after {most} decisions (DAYBOOK_DECISIONS)"
    return [Fault(Judge.END, why) for count in decided.values() if count >= most]


def show(played: Sequence[Played], trials: int, console: Console) -> None:
    """Print each conversation, the faults of those that failed, and the totals."""
    titles = ("conversations", "passed", *Judge)
    console.print(table(titles, _conversations(played)))
    for one in played:
        for fault in one.faults:
            told = f"{one.name}, trial {one.trial}: {fault.judge}: {fault.why}"
            console.print(told, markup=False, soft_wrap=True)
    console.print(table(("total", ""), _sums(played, trials)))


def passes(played: Sequence[Played], k: int) -> float:
    """Return pass^k of the conversations that have as many trials; 0 where none has."""
    by_name: dict[str, list[bool]] = defaultdict(list)
    for one in played:
        by_name[one.name].append(one.is_passed)
    whole = [some for some in by_name.values() if len(some) >= k]
    return pass_k(whole, k) if whole else 0.0


def _conversations(played: Sequence[Played]) -> Iterator[tuple[object, ...]]:
    by_name: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        by_name[one.name].append(one)
    for name, some in by_name.items():
        found = (sum(any(f.judge is judge for f in one.faults) for one in some) for judge in Judge)
        passed = f"{sum(one.is_passed for one in some)}/{len(some)}"
        yield (name, passed, *(count or "" for count in found))


def _sums(played: Sequence[Played], trials: int) -> Iterator[tuple[str, object]]:
    for k in range(1, trials + 1):
        yield f"pass^{k}", f"{passes(played, k):.3f}"
    for judge in Judge:
        failed = sum(any(fault.judge is judge for fault in one.faults) for one in played)
        yield f"trials that fail by {judge}", f"{failed} of {len(played)}"
