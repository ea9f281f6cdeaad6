"""Replay many runs by several worker processes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.tau_retail.data import TauRetail
from evals.tau_retail.ground import Ground, open_ground
from evals.tau_retail.outcome import Outcome, read
from evals.tau_retail.script import Script

_LANES = 4
"""Runs that a worker plays at a time: it waits for the database and the retailer."""

_LONGEST = 1 << 24
"""Bytes of an outcome at most."""

Tell = Callable[[Outcome], None]


async def replay_all(
    data: TauRetail, scripts: Sequence[Script], *, workers: int, tell: Tell
) -> None:
    """Replay runs, and tell what came of each as soon as it is known.

    Raises:
        WorkerDied: a worker ended before its runs did.
    """
    if not scripts:
        return
    async with open_ground(data) as ground:
        database = await ground.server.new_database("tau")
        left = deque(scripts)
        async with asyncio.TaskGroup() as working:
            for number in range(workers):
                working.create_task(_work(ground, database, number, left, tell))


class WorkerDied(Exception):
    """Raised where a worker ended before its runs did."""


async def _work(
    ground: Ground, database: str, number: int, left: deque[Script], tell: Tell
) -> None:
    """Feed one worker from what is left, until nothing is."""
    log = ground.folder / f"worker-{number}.log"
    with log.open("wb") as said:
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "evals.tau_retail.worker"),
            *("--database", database, "--retailer", ground.retailer),
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            limit=_LONGEST,
            # Ctrl-C is for whoever started it, who then ends it.
            start_new_session=True,
        )
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        playing = 0
        while left or playing:
            while left and playing < _LANES:
                worker.stdin.write(f"{left.popleft().run_id}\n".encode())
                playing += 1
            line = await worker.stdout.readline()
            if not line:
                raise WorkerDied(f"A worker ended with runs left: {log.read_text()[-2_000:]}")
            playing -= 1
            tell(read(line.decode()))
        worker.stdin.close()
        await worker.wait()
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()
