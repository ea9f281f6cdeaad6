"""Runners: processes that run a thread, started at the same instant, killed or stopped at a moment.

Each is a process of `daybook.testing.processes`.
"""

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Literal

from langgraph.types import Command

from daybook.checkpoints.postgres import open_postgres
from daybook.state.errors import DaybookError
from daybook.state.fault_points import Armed, FaultPoint, arm
from daybook.state.people.tool_messages import as_said
from daybook.testing.model import Prompt, Turn
from daybook.testing.processes import Order, Process, Processes, begin, open_processes, suspend
from daybook.tools.shop.domain import SHOP
from tests.conftest import Shop, shop_agent
from tests.conversation import Conversation, turn_receipt_text
from tests.purchases import LONG, rebuilt

Talk = Mapping[str, Turn]
"""What the model decides on what a person said; once there are results, it says the last one."""

BUYING: Talk = {
    "add BOOT-001": [("add_to_cart", {"sku": "BOOT-001"})],
    "check out": [("checkout", {})],
}


@dataclass(frozen=True)
class Errand:
    """Say what a runner is to do.

    Attributes:
        given: what the run is given: input, `{"resume": ...}`, or None to go on.
        at: the fault point at which it gets `signal`, as `POINT:ABOUT` or `POINT`.
        budget: seconds that an attempt may take.
        lease: seconds of silence after which a runner may be taken over.
    """

    thread_id: str
    given: Any = None
    user: str = "ada"
    role: str = "customer"
    talk: Talk = field(default_factory=lambda: BUYING)
    at: str = ""
    signal: Literal["SIGKILL", "SIGSTOP"] = "SIGKILL"
    budget: float = LONG
    lease: float = 10

    def dies(self, at: str) -> "Errand":
        """Let the runner be killed at a fault point."""
        return replace(self, at=at, signal="SIGKILL")

    def stops(self, at: str) -> "Errand":
        """Let the runner be suspended at a fault point."""
        return replace(self, at=at, signal="SIGSTOP")


def says(thread_id: str, text: str, message_id: str, **more: Any) -> Errand:
    """Make the errand of saying something."""
    said = {"role": "user", "content": text, "id": message_id}
    return Errand(thread_id, {"messages": [said]}, **more)


def answers(thread_id: str, *decisions: dict[str, Any], **more: Any) -> Errand:
    """Make the errand of answering the question that waits."""
    return Errand(thread_id, {"resume": {"decisions": list(decisions)}}, **more)


@dataclass(frozen=True)
class Outcome:
    """Hold what became of a runner.

    Attributes:
        killed: by a signal, at its fault point.
        error: the class of the error that it ended with, or "".
        words: what the error says.
        answer: what the thread says last.
        receipts: the texts of the receipts that follow the user's last message.
        questions: what the thread asks.
        asked: how often the model was asked.
        log: what it wrote to standard error; a traceback is a fault.
    """

    killed: bool
    error: str = ""
    words: str = ""
    answer: str = ""
    receipts: str = ""
    questions: Sequence[Mapping[str, Any]] = ()
    flow: str = ""
    asked: int = 0
    log: str = ""


class Runner:
    """Follow one process."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def stopped(self) -> None:
        """Wait until it is suspended, at its fault point."""
        await self._process.stopped()

    def wake(self) -> None:
        """Let it go on after it was suspended."""
        self._process.wake()

    def kill(self) -> None:
        """Kill it, wherever it stands."""
        self._process.kill()

    async def outcome(self) -> Outcome:
        """Wait until it has ended.

        Raises:
            AssertionError: it ended with an error that is none of ours.
        """
        ended = await self._process.ended()
        return Outcome(killed=ended.killed, log=ended.log, **(ended.found or {}))


class Runners:
    """Start runners on one database and one shop."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._world: dict[str, str] = {}

    def use(self, postgres_url: str, shop: Shop) -> None:
        """Say on what the runners run from now on."""
        self._world = {"postgres": postgres_url, "shop": shop.url, "smtp": shop.smtp_url}

    async def at_once(self, *errands: Errand) -> list[Outcome]:
        """Let runners begin at the same instant; return what became of each."""
        runners = await self.start(*errands)
        return [await runner.outcome() for runner in runners]

    async def run(self, errand: Errand) -> Outcome:
        """Let one runner do its errand."""
        (outcome,) = await self.at_once(errand)
        return outcome

    async def start(self, *errands: Errand) -> list[Runner]:
        """Let runners begin at the same instant, once all of them are ready."""
        orders = [{**self._world, **asdict(errand)} for errand in errands]
        return [Runner(one) for one in await self._processes.start_together(*orders)]


@contextmanager
def open_runners() -> Iterator[Runners]:
    """Start runners; none of them outlives the block."""
    with open_processes(f"{__name__}:run") as processes:
        yield Runners(processes)


async def run(order: Order, file: Path) -> dict[str, Any]:
    """Do one errand, and say what came of it."""
    shop = Shop(order["shop"], order["smtp"], None)  # type: ignore[arg-type]
    async with (
        open_postgres(
            order["postgres"],
            tenant_id="default",
            stored_types=SHOP.restored_types,
            lease=timedelta(seconds=order["lease"]),
        ) as postgres,
        shop_agent(postgres, shop) as built,
    ):
        budget = timedelta(seconds=order["budget"])
        agent = rebuilt(built, patience=replace(built.resources.patience, budget=budget))
        agent.model.script[:] = [_decides(order["talk"])] * 100
        talk = Conversation(agent.graph, order["user"], order["thread_id"])
        talk.config["configurable"]["role"] = order["role"]
        given = order["given"]
        if isinstance(given, dict) and "resume" in given:
            given = Command(resume=given["resume"])
        if order["at"]:
            stops, kills = partial(suspend, file), partial(os.kill, os.getpid(), signal.SIGKILL)
            arm(_strikes(order["at"], stops if order["signal"] == "SIGSTOP" else kills))
        begin(order, file)
        said = {"error": "", "words": ""}
        try:
            await talk.graph.ainvoke(given, talk.config)
        except DaybookError as error:
            said = {"error": type(error).__name__, "words": str(error)}
        arm(None)
        state = await talk.state()
        messages = as_said(state.values.get("messages", []))
        return {
            **said,
            "answer": messages[-1].text if messages and messages[-1].type == "ai" else "",
            "receipts": turn_receipt_text(state) if messages else "",
            "questions": [asked.value for asked in state.interrupts],
            "flow": state.values.get("flow", ""),
            "asked": agent.model.asked,
        }


def _strikes(at: str, act: Callable[[], object]) -> Armed:
    """Make what acts when this process reaches a moment for the first time."""
    point, _, wanted = at.partition(":")
    wanted_point = FaultPoint(point)

    def strike(reached: FaultPoint, about: str) -> None:
        if reached is wanted_point and wanted in ("", about):
            arm(None)
            act()

    return strike


def _decides(talk: Talk):  # type: ignore[no-untyped-def]
    """Make the model's decisions of what was said last and what came of it."""

    def decides(prompt: Prompt) -> Turn:
        latest = max(index for index, message in enumerate(prompt) if message.type == "human")
        results = [message.text for message in prompt[latest:] if message.type == "tool"]
        if results:
            return results[-1]
        turn = talk.get(prompt[latest].text, "I see.")
        return turn if isinstance(turn, str) else [(name, args) for name, args in turn]

    return decides
