"""How many runs one user may have at this process that have not ended.

Rates, open connections and addresses are a reverse proxy's to bound (docs/operations.md).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache

from daybook.app.server.inside import is_over
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import TooMany

_SOON = 5
"""Seconds after which a run may have ended: nobody knows when one does."""


@dataclass(eq=False)
class UnfinishedRun:
    """A run that has not ended; without an id it is being created, or never was."""

    thread_id: str
    run_id: str | None = None


class UnfinishedRuns:
    """The runs of each user that have not ended.

    Args:
        most: of one user.
        is_over: given a thread, a run of it and its user, tells whether that run has ended.
    """

    def __init__(
        self, most: int, is_over: Callable[[str, str, str], Awaitable[bool]] = is_over
    ) -> None:
        self._most, self._is_over = most, is_over
        self._runs: dict[str, list[UnfinishedRun]] = {}

    async def begin(self, user_id: str, thread_id: str, run_id: str | None = None) -> UnfinishedRun:
        """Count a run that a user begins.

        Raises:
            TooMany: too many have not ended.
        """
        runs = self._runs.setdefault(user_id, [])
        for one in list(runs) if len(runs) >= self._most else ():
            if one.run_id is not None and await self._is_over(one.thread_id, one.run_id, user_id):
                self.end(user_id, one)
        # Nothing is awaited in between: of many that come at once no more get in than may.
        if len(runs) >= self._most:
            why = f"You have {self._most} runs that have not ended, and more may not be"
            raise TooMany(why, _SOON)
        run = UnfinishedRun(thread_id, run_id)
        runs.append(run)
        return run

    def end(self, user_id: str, run: UnfinishedRun) -> None:
        """Count a run no more: it has ended, or was not begun after all."""
        if run in self._runs.get(user_id, ()):
            self._runs[user_id].remove(run)


@lru_cache(maxsize=1)
def unfinished_runs() -> UnfinishedRuns:
    """Return those of this process."""
    return UnfinishedRuns(settings_from().runs_unfinished)
