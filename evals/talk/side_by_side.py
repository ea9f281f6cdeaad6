"""Play scenes side by side: every core plays a part of them, in a world of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from evals.steps.world import open_world
from evals.talk.judging import Judged, judged
from evals.talk.playing import played
from evals.talk.scenes import Scene


def each_judged(scenes: Sequence[tuple[str, Scene]]) -> Iterator[list[Judged]]:
    """Yield each scene's turns, judged, in order.

    Args:
        scenes: each with who says it; every one is another person's, so that nobody is remembered.
    """
    parts = os.cpu_count() or 1
    with ProcessPoolExecutor(parts, multiprocessing.get_context("spawn")) as processes:
        played_apart = list(processes.map(_judged, [scenes[part::parts] for part in range(parts)]))
    for number, _ in enumerate(scenes):
        yield played_apart[number % parts][number // parts]


def _judged(scenes: Sequence[tuple[str, Scene]]) -> list[list[Judged]]:
    return asyncio.run(_played(scenes))


async def _played(scenes: Sequence[tuple[str, Scene]]) -> list[list[Judged]]:
    with tempfile.TemporaryDirectory(prefix="daybook-talk-") as folder:
        async with open_world(Path(folder)) as world:
            return [judged(scene, await played(world, scene, user)) for user, scene in scenes]
