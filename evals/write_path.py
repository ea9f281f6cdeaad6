"""Count the functions of the write path that one approved write enters.

Between the approver's answer and the model's next decision; each function once, without those that
have no name (comprehensions, lambdas).
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from daybook.checkpoints.embedded.postgres import embedded_postgres
from evals.bench.agents import Kind, open_daybook

_PATH = Path("nodes") / "effects"


async def functions_entered(url: str) -> set[str]:
    """Return the functions of `nodes/effects` that one approved write enters.

    Args:
        url: of a database.
    """
    async with open_daybook(url, Kind.APPROVED_WRITE, 1) as agent:
        with _counted() as entered:
            await agent.turn()
    return entered


@contextmanager
def _counted() -> Iterator[set[str]]:
    entered: set[str] = set()
    is_answered = False

    def enter(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal is_answered
        code = frame.f_code
        folder, name = Path(code.co_filename).parent, code.co_name
        if event != "call" or folder.parts[-2:] != _PATH.parts:
            return
        is_answered |= name == "approve"
        if is_answered and not name.startswith("<"):
            entered.add(f"{Path(code.co_filename).stem}.{code.co_qualname}")

    sys.setprofile(enter)
    try:
        yield entered
    finally:
        sys.setprofile(None)


def measured() -> int:
    """Count them on a Postgres of its own."""
    with tempfile.TemporaryDirectory() as home, embedded_postgres(Path(home)) as server:
        return len(asyncio.run(functions_entered(server.url)))
