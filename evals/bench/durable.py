"""The automatic write as a step of DBOS, without an agent: run where that is installed.

`python durable.py URL STEPS TURNS` prints the milliseconds of each step as a JSON list. It imports
nothing of ours: DBOS has an environment of its own (`make rivals` sets it up).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import time


async def main(url: str, steps: int, turns: int) -> list[float]:
    """Run a workflow for each turn, and return what its steps took."""
    from dbos import DBOS

    performed: dict[str, str] = {}
    taken: list[float] = []
    DBOS(config={"name": "bench", "system_database_url": url, "log_level": "ERROR"})

    @DBOS.step()  # type: ignore[untyped-decorator,unused-ignore]
    async def note(key: str) -> str:
        text = hashlib.shake_256(key.encode()).hexdigest(250)
        return performed.setdefault(key, text)

    @DBOS.workflow()  # type: ignore[untyped-decorator,unused-ignore]
    async def turn(number: int) -> None:
        began = time.perf_counter()
        for at in range(steps):
            await note(f"{number}/{at}")
            ended = time.perf_counter()
            taken.append((ended - began) * 1000)
            began = ended

    DBOS.launch()
    try:
        for number in range(turns):
            await turn(number)
    finally:
        DBOS.destroy()
    return taken


if __name__ == "__main__":
    _, database, of_turn, count = sys.argv
    print(json.dumps(asyncio.run(main(database, int(of_turn), int(count)))))
