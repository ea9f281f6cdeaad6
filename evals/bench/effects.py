"""One function, guarded by Daybook's ledger, by DBOS and by call4agents, with no agent around it.

As a program (`python -m evals.bench.effects SYSTEM URL CALLS`) it takes a turn of so many calls for
each line that it reads, and writes what it took. DBOS and call4agents are installed in the rivals'
environment, where Daybook is not.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import time  # noqa: TID251  (daybook.state.clock is not installed beside the rivals)
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import asdict, dataclass, field
from itertools import count, islice
from typing import Any

from typing_extensions import TypedDict

CHARACTERS = 500
"""How much text a call returns."""


def look_up(number: int) -> str:
    """Return 500 characters: hex digits, which TOAST cannot compress away."""
    return hashlib.shake_256(str(number).encode()).hexdigest(CHARACTERS // 2)


async def note(number: int) -> str:
    """Note the text of a number."""
    return look_up(number)


@dataclass
class Turn:
    """What a turn took.

    Attributes:
        ms, super_steps: of each step; super-steps are LangGraph's.
        rest_ms: of the turn without its steps.
        cpu_ms: processor time of the process that ran it.
    """

    ms: list[float] = field(default_factory=list)
    super_steps: list[int] = field(default_factory=list)
    rest_ms: float = 0.0
    cpu_ms: float = 0.0

    async def timed(self, work: Awaitable[object]) -> Turn:
        """Wait for what notes the steps, and note what else it took."""
        began, cpu = time.perf_counter(), time.process_time()
        await work
        self.rest_ms = (time.perf_counter() - began) * 1000 - sum(self.ms)
        self.cpu_ms = (time.process_time() - cpu) * 1000
        return self


class Guarded:
    """Calls of a guarded function, one after the other.

    Attributes:
        work: lets `each` make a call for each number.
    """

    def __init__(self, call: Callable[[int], Awaitable[object]], steps: int) -> None:
        self._call, self._steps = call, steps
        self._numbers: Iterator[int] = count(1)
        self._turn = Turn()
        self.work: Callable[[list[int]], Awaitable[object]] = self.each

    async def each(self, numbers: list[int]) -> None:
        """Make the calls, and note what each took."""
        for number in numbers:
            began = time.perf_counter()
            await self._call(number)
            self._turn.ms.append((time.perf_counter() - began) * 1000)

    async def turn(self) -> Turn:
        """Take one turn."""
        self._turn = Turn()
        return await self._turn.timed(self.work([*islice(self._numbers, self._steps)]))


class State(TypedDict):
    """What the graph around Daybook's effects remembers."""

    numbers: list[int]


@asynccontextmanager
async def open_daybook(url: str, steps: int) -> AsyncIterator[Guarded]:
    """Call an effect of which no more is declared than that nobody approves it, in a plain node."""
    from langgraph.graph import START, StateGraph

    from daybook import Ledger

    ledger = Ledger(url)
    guarded = Guarded(ledger.effect(note, approval="never"), steps)

    async def node(state: State) -> None:
        await guarded.each(state["numbers"])

    config: Any = {"configurable": {"thread_id": str(uuid.uuid4())}}
    async with ledger:
        graph = StateGraph(State).add_node(node).add_edge(START, "node")
        compiled = graph.compile(checkpointer=ledger.saver)
        guarded.work = lambda numbers: compiled.ainvoke(
            {"numbers": numbers}, config, durability="sync"
        )
        yield guarded


@asynccontextmanager
async def _open_dbos(url: str, steps: int) -> AsyncIterator[Guarded]:
    """Call a step of a workflow, both asynchronous, which takes less than both blocking."""
    from dbos import DBOS

    guarded = Guarded(DBOS.step()(note), steps)

    async def each(numbers: list[int]) -> None:
        await guarded.each(numbers)

    guarded.work = DBOS.workflow()(each)
    DBOS(config={"name": "bench", "system_database_url": url, "log_level": "ERROR"})
    DBOS.launch()
    try:
        yield guarded
    finally:
        DBOS.destroy()


@asynccontextmanager
async def _open_call4agents(url: str, steps: int) -> AsyncIterator[Guarded]:
    """Call a guarded function that blocks, which takes less than one that does not."""
    import call4agents as c4a

    c4a.init(url, secret=b"of this bench alone")
    guarded = c4a.effect(look_up)

    async def call(number: int) -> None:
        guarded(number)

    with c4a.run(str(uuid.uuid4())):
        yield Guarded(call, steps)


OPENED: dict[str, Callable[[str, int], AbstractAsyncContextManager[Guarded]]] = {
    "daybook": open_daybook,
    "DBOS": _open_dbos,
    "call4agents": _open_call4agents,
}


async def _serve(system: str, url: str, steps: str) -> None:
    async with OPENED[system](url, int(steps)) as guarded:
        print("{}", flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(asdict(await guarded.turn())), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(*sys.argv[1:]))
