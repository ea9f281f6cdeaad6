"""Count the functions of the write path that one approved write enters.

Between the approver's answer and the model's next decision; each function once, without those that
have no name (comprehensions, lambdas).
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

from daybook.checkpoints.embedded.postgres import embedded_postgres
from evals.bench.agents import Kind, open_daybook


async def functions_entered(url: str) -> set[str]:
    """Return the functions of `nodes/effects` that one approved write enters.

    Args:
        url: of a database.
    """
    entered: set[str] = set()
    is_answered = False

    def enter(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal is_answered
        path, name = Path(frame.f_code.co_filename), frame.f_code.co_name
        if event != "call" or path.parent.parts[-2:] != ("nodes", "effects"):
            return
        is_answered |= name == "approve"
        if is_answered and not name.startswith("<"):
            entered.add(f"{path.stem}.{frame.f_code.co_qualname}")

    async with open_daybook(url, Kind.APPROVED_WRITE, 1) as agent:
        sys.setprofile(enter)
        try:
            await agent.turn()
        finally:
            sys.setprofile(None)
    return entered


def measured() -> int:
    """Count them on a Postgres of its own."""
    with tempfile.TemporaryDirectory() as home, embedded_postgres(Path(home)) as server:
        return len(asyncio.run(functions_entered(server.url)))
