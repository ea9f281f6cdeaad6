"""Drive all contenders through the same steps, turn by turn in rotation, and take the figures."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
import time  # noqa: TID251  (of the CPU, which is no time of day)
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.state.clock import SYSTEM
from evals.bench import purchase
from evals.bench.contenders import Contender, open_create_agent, open_daybook
from evals.bench.database import (
    live_bytes,
    new_database,
    round_trip_ms,
    sync_ms,
    transactions,
    writing_commits,
)
from evals.bench.figures import Course, Figures, Report
from evals.bench.world import Kind

_DURABLE = Path(__file__).with_name("durable.py")


async def measure(course: Course) -> Report:
    """Run the bench on an embedded Postgres of its own, which is gone afterwards.

    Each contender has a database and a thread of its own. They take their turns in rotation, so
    that a loaded machine slows all of them down alike.

    Raises:
        EmbeddedPostgresError: the server did not start.
    """
    async with _server() as (url, home):
        sync_before = await asyncio.to_thread(sync_ms, home)
        async with await AsyncConnection.connect(url, autocommit=True) as conn:
            round_trip = await round_trip_ms(conn)
            async with AsyncExitStack() as stack:
                for contender in await _contenders(stack, url, course, "warm_up"):
                    for _ in range(course.warm_up):
                        await contender.turn()
            figures = await _measured(url, conn, course)
        durable = await _durable_ms(await new_database(url, "durable"), course)
        bought = await _purchase_ms(
            await new_database(url, "bought"), home / "shop", course.purchases
        )
        sync_after = await asyncio.to_thread(sync_ms, home)
    return Report(course, figures, (sync_before, sync_after), round_trip, bought, durable)


async def _purchase_ms(url: str, folder: Path, purchases: int) -> float:
    """Return the processor time of a process that does nothing but buy, for each purchase."""
    words = ["-m", purchase.__name__, url, str(folder), str(purchases)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError("the purchases failed; what went wrong stands above")
    return float(printed)


_ADDRESS = ("host", "port", "password")


async def _durable_ms(url: str, course: Course) -> float | None:
    """Return the median step of DBOS in milliseconds; None where that is not installed."""
    python = os.environ.get("DAYBOOK_RIVALS_PYTHON") or ".venv-rivals/bin/python"
    if shutil.which(python) is None:
        return None
    words = [python, str(_DURABLE), _as_url(url), str(course.per_turn), str(course.turns)]
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    if process.returncode:
        return None
    return float(statistics.median(json.loads(printed.splitlines()[-1])))


async def _measured(url: str, conn: AsyncConnection, course: Course) -> list[Figures]:
    async with AsyncExitStack() as stack:
        contenders = await _contenders(stack, url, course, "bench")
        before = [await transactions(c.url) for c in contenders]
        figures = [Figures(c.system, c.kind) for c in contenders]
        for turn in range(1, course.turns + 1):
            for contender, taken in zip(contenders, figures, strict=True):
                await _turn(contender, taken, conn)
                if (steps := turn * course.per_turn) in course.marks:
                    taken.live[steps] = await live_bytes(contender.url, contender.thread_id)
    # Their connections are closed by now, and have reported all their transactions.
    for contender, taken, base in zip(contenders, figures, before, strict=True):
        taken.transactions = await transactions(contender.url) - base
    return figures


async def _turn(contender: Contender, taken: Figures, conn: AsyncConnection) -> None:
    asked_before = len(contender.model.asked)
    commits_before = await writing_commits(conn)
    began, cpu = SYSTEM.monotonic(), time.process_time()
    await contender.turn()
    ended, cpu = SYSTEM.monotonic(), time.process_time() - cpu
    taken.cpu_ms.append(cpu * 1000)
    taken.commits.append(await writing_commits(conn) - commits_before)
    asked = contender.model.asked[asked_before:]
    for one, next_ in pairwise(asked):
        taken.step_ms.append((next_.at - one.at) * 1000)
        taken.super_steps.append(next_.super_step - one.super_step)
    taken.rest_ms.append((asked[0].at - began + ended - asked[-1].at) * 1000)


_OPENED: dict[str, Callable[[str, Kind, int], AbstractAsyncContextManager[Contender]]] = {
    "daybook": open_daybook,
    "create_agent": open_create_agent,
}


async def _contenders(
    stack: AsyncExitStack, url: str, course: Course, prefix: str
) -> list[Contender]:
    """Open all of them for each kind, each on a new database."""
    contenders = []
    for kind in Kind:
        for name, opened in _OPENED.items():
            database = await new_database(url, f"{prefix}_{name}_{kind.value}")
            contender = opened(database, kind, course.per_turn)
            contenders.append(await stack.enter_async_context(contender))
    return contenders


def _as_url(conninfo: str) -> str:
    """Write a libpq connection string as the URL that SQLAlchemy reads."""
    parts = conninfo_to_dict(conninfo)
    base = f"postgresql://{parts.get('user', '')}@/{parts['dbname']}"
    about = {name: str(part) for name, part in parts.items() if name in _ADDRESS}
    return f"{base}?{urlencode(about)}"


@asynccontextmanager
async def _server() -> AsyncIterator[tuple[str, Path]]:
    with tempfile.TemporaryDirectory(prefix="daybook-bench-") as folder:
        home = Path(folder)
        server = await asyncio.to_thread(embedded_postgres, home)
        try:
            yield server.url, home
        finally:
            await asyncio.to_thread(server.close)
