"""A process that replays the runs that it is told on standard input, and tells what came of each.

One run a line, by its id; one outcome a line, as JSON. It ends with its input.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys

from evals.tau_retail.bench import Bench, open_bench
from evals.tau_retail.data import find
from evals.tau_retail.outcome import written
from evals.tau_retail.recordings import replayable
from evals.tau_retail.script import Script


async def serve(database: str, retailer: str) -> None:
    """Replay runs until the input ends."""
    data = find()
    scripts = replayable(data)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    async with (
        open_bench(data, database=database, retailer=retailer) as bench,
        asyncio.TaskGroup() as playing,
    ):
        while line := await reader.readline():
            playing.create_task(_told(bench, scripts[line.decode().strip()]))


async def _told(bench: Bench, script: Script) -> None:
    outcome = await bench.replay(script)
    # In one piece, whatever else is told meanwhile.
    os.write(1, written(outcome).encode() + b"\n")


def main() -> None:
    """Read where things are, and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", required=True)
    parser.add_argument("--retailer", required=True)
    given = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(serve(given.database, given.retailer))


if __name__ == "__main__":
    main()
