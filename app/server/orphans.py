"""End runs that wait for ever, when the server starts.

`langgraph dev` keeps its registry in a file. A run in it that waits and whose thread is gone is
never begun and never ended, and the server looks at no more runs than it has places left: a few of
them in front hold up everybody's.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from daybook.app.server.inside import inside

_LOG = logging.getLogger(__name__)


def orphans(runs: Iterable[Mapping[str, Any]], threads: Iterable[Mapping[str, Any]]) -> list[Any]:
    """Return the runs that wait and whose thread is not there."""
    there = {thread["thread_id"] for thread in threads}
    return [run for run in runs if run["status"] == "pending" and run["thread_id"] not in there]


async def end_orphans() -> None:
    """End what waits for ever in the registry of this process."""
    from langgraph_runtime.database import connect

    async with connect() as registry:
        found = orphans(registry.store["runs"], registry.store["threads"])
    for run in found:
        await inside().runs.cancel(str(run["thread_id"]), str(run["run_id"]))
    if found:
        _LOG.warning("%d runs whose threads are gone were ended", len(found))
