"""Play recorded runs, each in a process of its own, left alone or under SIGKILL."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from daybook.checkpoints.migrate import migrate
from daybook.testing.processes import Ended, Processes, open_processes
from evals.model_server import Unanswerable, calls_of, serving, text_of
from evals.tau_retail.data import MODEL, Script, TauRetail, Turn
from evals.tau_retail.judge import Evidence, Outcome, judge, shares_of
from evals.tau_retail.outside import Retailer, open_ground

CLOSING = "Thank you for your patience. I have nothing to add."
"""Said where the record ends with a call: whoever runs the loop asks once more."""

Fault = Callable[[bool], None]
"""Arms (True) or disarms the fault of a world's reads."""


@dataclass
class Session:
    """Follow one run as it is replayed.

    Attributes:
        asked: how often the model was asked, by the point of the run.
        results: tool messages of the last prompt that came over the wire, in order.
        wrong: what was asked that the record does not know.
    """

    script: Script
    fault: Fault
    asked: dict[int, int] = field(default_factory=dict)
    results: Sequence[str] = ()
    wrong: list[str] = field(default_factory=list)
    _is_armed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def decided(self, messages: Sequence[Mapping[str, Any]]) -> Turn:
        """Return the decision at the point where the messages end.

        Raises:
            Unanswerable: the record does not come so far.
        """
        at = sum(message["role"] == "assistant" for message in messages)
        if [message["role"] for message in messages[-2:]] == ["assistant", "system"]:
            # The check of receipts found a fault in the answer, and asks for it once more: what was
            # recorded is all that this model has to say.
            return self._at(at - 1)
        with self._lock:
            self.asked[at] = self.asked.get(at, 0) + 1
            self.results = [text_of(one) for one in messages if one["role"] == "tool"]
            decided = self._at(at)
            if decided.is_fault != self._is_armed:
                # Before the answer: the read that is decided here must meet it.
                self.fault(decided.is_fault)
                self._is_armed = decided.is_fault
            return decided

    def _at(self, at: int) -> Turn:
        decides = self.script.decides
        if at < len(decides):
            return decides[at]
        if at == len(decides) and decides and decides[-1].calls:
            return Turn(text=CLOSING)
        why = (
            f"{self.script.run_id} has {len(decides)} assistant messages and was asked for one "
            f"more after {at}"
        )
        self.wrong.append(why)
        raise Unanswerable(why)


class Endpoint:
    """Answer the requests of all sessions (a model of `evals.model_server`)."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._astray: list[str] = []

    def open(self, name: str, script: Script, fault: Fault) -> Session:
        """Begin a session under a name of its own.

        Args:
            fault: arms and disarms the fault of its world.
        """
        self._sessions[name] = Session(script, fault)
        return self._sessions[name]

    def close(self, name: str) -> None:
        """Forget a session; what is asked in it afterwards is an error."""
        del self._sessions[name]

    def astray(self) -> list[str]:
        """Return what was asked in no session since this was asked last."""
        told, self._astray = self._astray, []
        return told

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request.

        Raises:
            Unanswerable: there is no such session, or its record does not come so far.
        """
        name = str(request["model"])
        session = self._sessions.get(name.removeprefix(MODEL))
        if session is None:
            self._astray.append(f"there is no session of the model {name}")
            raise Unanswerable(self._astray[-1])
        return message_of(session.decided(request["messages"]))


def message_of(decided: Turn) -> dict[str, Any]:
    """Write a decision as OpenAI's message."""
    called = calls_of([(call.name, call.args) for call in decided.calls]) if decided.calls else {}
    return {"role": "assistant", **called, "content": decided.text or None}


_LANES = 3
"""Trials at a time: their processes wait for database, retailer and provider."""

_NO_LENGTH = 1.0
"""Seconds that a run is taken to last that failed undisturbed."""

Blow = float | str
"""When a process dies: at an instant, in seconds since the begin, or at a moment by its name."""

Tell = Callable[[Outcome], None]


@dataclass(frozen=True)
class Asked:
    """What is asked for.

    Attributes:
        trials: of each run; 0 leaves each alone.
        seed: chooses the instants of the kills.
        in_window: the process of each trial dies once, when its first write was answered and is
            not recorded, in place of random instants.
    """

    scripts: Sequence[Script]
    trials: int = 0
    seed: int = 0
    in_window: bool = False

    @property
    def size(self) -> int:
        """Count the trials.

        Instants are shares of an undisturbed run, which is played first, as number 0.
        """
        return len(self.scripts) * (self.trials + (not self.in_window))

    def blows(self, script: Script, number: int, length: float) -> list[Blow]:
        """Choose how the processes of a trial die."""
        if self.in_window:
            return [f"after_reply:{script.writes[0].name}#1"]
        return [share * length for share in shares_of(script.run_id, number, self.seed)]


async def play_all(data: TauRetail, asked: Asked, tell: Tell) -> None:
    """Play all trials, and tell what came of each."""
    left = deque(asked.scripts)

    async def lane(arena: Arena) -> None:
        while left:
            script, length = left.popleft(), 0.0
            if not asked.in_window:
                first = await arena.trial(script)
                tell(first)
                length = first.seconds or _NO_LENGTH
            for number in range(1, asked.trials + 1):
                blows = asked.blows(script, number, length)
                tell(await arena.trial(script, number, blows))

    async with open_ground(data) as ground:
        database = await ground.server.new_database("tau")
        await migrate(database)
        with open_arena(database, ground.retailer) as arena:
            async with asyncio.TaskGroup() as playing:
                for _ in range(_LANES):
                    playing.create_task(lane(arena))


@contextmanager
def open_arena(database: str, retailer: Retailer) -> Iterator[Arena]:
    """Open what trials stand on: the provider, and what starts the processes.

    Args:
        database: a URL; its tables are made.
    """
    endpoint = Endpoint()
    with (
        serving({"replay": endpoint.reply}) as models,
        open_processes("evals.tau_retail.player:play") as processes,
    ):
        places = {"database": database, "url": retailer.url, "provider": models["replay"].url}
        yield Arena(places, retailer, endpoint, processes)


@dataclass(frozen=True)
class Arena:
    """What trials stand on.

    Attributes:
        places: URLs of database, retailer and provider.
    """

    places: dict[str, str]
    retailer: Retailer
    endpoint: Endpoint
    processes: Processes

    async def trial(
        self, script: Script, number: int = 0, blows: Sequence[Blow] = (), name: str = ""
    ) -> Outcome:
        """Play a run, let a process of it die by each blow, and the last one live.

        Args:
            blows: one process after the other; instants are of all processes together.
            name: of its thread.
        """
        name = name or name_of(script, number)
        self.retailer.begin(name)
        session = self.endpoint.open(name, script, partial(self._arm, name))
        order = {**self.places, "thread": name, "says": script.says, "dies_at": ""}
        nothing = {"results": [], "seconds": 0.0, "error": "the last process was killed too"}
        found: dict[str, Any] = nothing
        kills, errors = 0, list[str]()
        try:
            ended, kills = await self._killed(order, blows)
            found = {**nothing, **(ended.found or {})}
            errors += [one for one in (found["error"], ended.log[-500:]) if one]
        except AssertionError as error:
            # The process failed or never came: the trial is failed by it, and the others go on.
            errors.append(f"the process failed: {error}")
        errors += self.endpoint.astray()
        world = self.retailer.world(name)
        evidence = Evidence(
            sha256=self.retailer.sha256(name),
            executions=world.executions,
            repeats=world.repeats,
            kept=found["results"],
            wired=session.results,
            errors=[*errors, *session.wrong],
            asked_again=sum(times - 1 for times in session.asked.values()),
        )
        self.endpoint.close(name)
        self.retailer.end(name)
        seconds = 0.0 if blows else found["seconds"]
        return Outcome(script, evidence, judge(script, evidence), number, kills, seconds)

    def _arm(self, name: str, armed: bool) -> None:
        self.retailer.world(name).is_away = armed

    async def _killed(self, order: dict[str, Any], blows: Sequence[Blow]) -> tuple[Ended, int]:
        """Kill one process after the other; return how the last one ended, and how many died."""
        gone = 0.0
        for kills, blow in enumerate(blows):
            dies_at = blow if isinstance(blow, str) else ""
            (process,) = await self.processes.start_together({**order, "dies_at": dies_at})
            ending = asyncio.create_task(process.ended())
            if isinstance(blow, float):
                await asyncio.wait([ending], timeout=blow - gone)
                gone = blow
                process.kill()
            if not (ended := await ending).killed:
                return ended, kills
        return await self.processes.start(order).ended(), len(blows)


def name_of(script: Script, trial: int = 0) -> str:
    """Name the thread of a trial, which is what its world and its session are called too.

    A thread's id has no slash.
    """
    return f"{script.run_id.replace('/', '.')}.{trial}"
