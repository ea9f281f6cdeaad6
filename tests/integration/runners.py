"""Runners: processes that run a thread, started at the same instant, killed or stopped at a moment.

They are forked from one process that has imported everything (a start costs milliseconds then, and
pytest's loop and pools are not forked). That process is this module, run by itself: it is told in
lines of JSON what to start, and tells what became of whom.
"""

import asyncio
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, NoReturn

from langgraph.types import Command

from checkpoints.postgres import open_postgres
from state.errors import DaybookError
from state.fault_points import Armed, FaultPoint, arm
from tests.conftest import Shop, shop_agent
from tests.conversation import Conversation
from tests.purchases import LONG, PATIENCE, rebuilt
from tests.scripted import Prompt, Turn
from tools.shop.domain import SHOP

ROOT = Path(__file__).parents[2]

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
        questions: what the thread asks.
        asked: how often the model was asked.
        log: what it wrote to standard error; a traceback is a fault.
    """

    killed: bool
    error: str = ""
    words: str = ""
    answer: str = ""
    questions: Sequence[Mapping[str, Any]] = ()
    flow: str = ""
    asked: int = 0
    log: str = ""


class Runner:
    """Follow one process."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name, self._folder = name, folder
        self.pid = 0
        self._status = 0
        self._ready, self._stopped, self._ended = (asyncio.Event() for _ in range(3))

    async def ready(self) -> None:
        """Wait until it has opened everything and stands at the start."""
        await self._wait(self._ready, "is ready")

    async def stopped(self) -> None:
        """Wait until it is suspended, at its fault point."""
        await self._wait(self._stopped, "is suspended")

    def wake(self) -> None:
        """Let it go on after it was suspended."""
        self._stopped.clear()
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, wherever it stands."""
        os.kill(self.pid, signal.SIGKILL)

    async def outcome(self) -> Outcome:
        """Wait until it has ended.

        Raises:
            AssertionError: it ended with an error that is none of ours.
        """
        await self._wait(self._ended, "has ended")
        log = (self._folder / f"{self._name}.log").read_text()
        if os.WIFSIGNALED(self._status):
            return Outcome(killed=True, log=log)
        assert os.WEXITSTATUS(self._status) == 0, f"the runner failed: {log}"
        found = json.loads((self._folder / f"{self._name}.json").read_text())
        return Outcome(killed=False, log=log, **found)

    def tell(self, event: str, told: int) -> None:
        """Take what its parent tells of it."""
        match event:
            case "started":
                self.pid = told
            case "ready":
                self._ready.set()
            case "stopped":
                self._stopped.set()
            case "ended":
                self._status = told
                for happened in (self._ready, self._stopped, self._ended):
                    happened.set()

    async def _wait(self, happened: asyncio.Event, what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await happened.wait()
        except TimeoutError:
            raise AssertionError(f"the runner {self._name} never {what}") from None


class Runners:
    """Start runners on one database and one shop."""

    def __init__(self, parent: asyncio.subprocess.Process, folder: Path) -> None:
        self._parent, self._folder = parent, folder
        self._runners: dict[str, Runner] = {}
        self._world: dict[str, str] = {}
        self._starts = 0

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
        self._starts += 1
        runners = []
        for number, errand in enumerate(errands):
            name = f"{self._starts}-{number}"
            runner = self._runners[name] = Runner(name, self._folder)
            runners.append(runner)
            await self._tell({"name": name, **self._world, **asdict(errand)})
        for runner in runners:
            await runner.ready()
        await self._tell("go")
        return runners

    async def follow(self) -> None:
        """Hand on what the parent tells, until it ends."""
        assert self._parent.stdout is not None
        while line := await self._parent.stdout.readline():
            name, event, told = json.loads(line)
            self._runners[name].tell(event, told)

    async def _tell(self, order: Any) -> None:
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps(order).encode() + b"\n")
        await self._parent.stdin.drain()


@asynccontextmanager
async def open_runners() -> AsyncIterator[Runners]:
    """Start the process that runners are forked from; none of them outlives the block."""
    with tempfile.TemporaryDirectory(prefix="daybook-runners-") as folder:
        parent = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.integration.runners", folder),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        runners = Runners(parent, Path(folder))
        following = asyncio.create_task(runners.follow())
        try:
            yield runners
        finally:
            assert parent.stdin is not None
            parent.stdin.close()
            await following
            await parent.wait()


# -- the process that runners are forked from -------------------------------------------------------


def _fork_runners(folder: Path) -> None:
    """Fork what standard input asks for, and tell of each what becomes of it."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    names: dict[int, str] = {}
    gate = os.pipe()
    orders = selectors.DefaultSelector()
    orders.register(0, selectors.EVENT_READ)
    orders.register(woken, selectors.EVENT_READ)
    unread = b""
    while True:
        ready = {key.fd for key, _ in orders.select()}
        if woken in ready:
            os.read(woken, 4096)
            _tell_of_children(names)
        if 0 not in ready:
            continue
        read = os.read(0, 1 << 16)
        if not read:
            break
        *lines, unread = (unread + read).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if order == "go":
                # Whoever waits at the gate reads its end now: all at the same instant.
                os.close(gate[0])
                os.close(gate[1])
                gate = os.pipe()
                continue
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for inherited in (0, woken, wakes, gate[1]):
                    os.close(inherited)
                _be_a_runner(order, gate[0], folder)
            names[pid] = order["name"]
            _tell(order["name"], "started", pid)
    for pid in names:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _tell_of_children(names: dict[int, str]) -> None:
    while names:
        pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
        if pid == 0:
            return
        if os.WIFSTOPPED(status):
            _tell(names[pid], "stopped", 0)
        else:
            _tell(names.pop(pid), "ended", status)


def _tell(name: str, event: str, told: int = 0) -> None:
    # Short enough to be written in one piece, whoever else writes.
    os.write(1, json.dumps([name, event, told]).encode() + b"\n")


def _be_a_runner(order: dict[str, Any], gate: int, folder: Path) -> NoReturn:
    name = order["name"]
    log = os.open(folder / f"{name}.log", os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 2)
    status = 1
    try:
        outcome = asyncio.run(_run(order, gate))
        (folder / f"{name}.json").write_text(json.dumps(outcome))
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    finally:
        sys.stderr.flush()
        os._exit(status)


async def _run(order: dict[str, Any], gate: int) -> dict[str, Any]:
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
            arm(_strikes(order["at"], signal.Signals[order["signal"]]))
        _tell(order["name"], "ready")
        os.read(gate, 1)
        said = {"error": "", "words": ""}
        try:
            await talk.graph.ainvoke(given, talk.config)
        except DaybookError as error:
            said = {"error": type(error).__name__, "words": str(error)}
        arm(None)
        state = await talk.state()
        messages = state.values.get("messages", [])
        return {
            **said,
            "answer": messages[-1].text if messages and messages[-1].type == "ai" else "",
            "questions": [asked.value for asked in state.interrupts],
            "flow": state.values.get("flow", ""),
            "asked": agent.model.asked,
        }


def _strikes(at: str, signal_: signal.Signals) -> Armed:
    """Make what sends this process a signal when it reaches a moment for the first time."""
    point, _, wanted = at.partition(":")
    wanted_point = FaultPoint(point)

    def strike(reached: FaultPoint, about: str) -> None:
        if reached is wanted_point and wanted in ("", about):
            arm(None)
            os.kill(os.getpid(), signal_)

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


if __name__ == "__main__":
    _fork_runners(Path(sys.argv[1]))
