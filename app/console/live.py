"""Tell open pages that something changed: one look at the ledger for all of them, once a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field

from psycopg import Error
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.guard import open_thread
from daybook.state.effects.keys import digest
from daybook.state.errors import DaybookError

_SECONDS = 1.0
_MOST = 200
_PING_SECONDS = 15

_LOG = logging.getLogger(__name__)


@dataclass(eq=False)
class _Watched:
    """What an open page shows.

    Attributes:
        thread_id: of this thread; None is what waits for people.
        seen: the state of it that the page was made of.
        moved: set when there is another.
    """

    thread_id: str | None
    seen: str
    moved: asyncio.Event = field(default_factory=asyncio.Event)


class _Watch:
    """Look at what open pages show, and wake those for which it has changed."""

    def __init__(self) -> None:
        self._pages: set[_Watched] = set()
        self._wanted = asyncio.Event()

    @contextmanager
    def page(self, thread_id: str | None, seen: str) -> Iterator[asyncio.Event]:
        """Watch for an open page; the event is set when it is out of date."""
        watched = _Watched(thread_id, seen)
        self._pages.add(watched)
        self._wanted.set()
        try:
            yield watched.moved
        finally:
            self._pages.discard(watched)

    async def run(self) -> None:
        """Look once a second while a page is open, and not at all while none is."""
        while True:
            if not self._pages:
                self._wanted.clear()
                await self._wanted.wait()
            try:
                await self._look()
            except (Error, DaybookError) as error:
                # The pages stay as they are until the database is back.
                _LOG.warning("nothing can be seen of the ledger: %s", error)
            await house.resources().clock.sleep(_SECONDS)

    async def _look(self) -> None:
        shown = {page.thread_id for page in self._pages}
        threads = [thread_id for thread_id in shown if thread_id is not None]
        now: dict[str | None, str] = {}
        if threads:
            now.update(await threads_now(threads))
        if None in shown:
            now[None] = await inbox_now()
        for page in self._pages:
            if page.thread_id in now and now[page.thread_id] != page.seen:
                page.seen = now[page.thread_id]
                page.moved.set()


async def threads_now(thread_ids: Collection[str]) -> dict[str, str]:
    """Name the states that threads are in: each is another one as soon as something happens."""
    heads = await house.search().heads(thread_ids)
    return {
        thread_id: f"{seq}{'r' if is_running else ''}"
        for thread_id in thread_ids
        for seq, is_running in [heads.get(thread_id, (0, False))]
    }


async def inbox_now() -> str:
    """Name what waits for people, over all threads."""
    waiting = await house.questions().waiting(house.names(), None, _MOST)
    return digest([[one.thread_id, one.plan_id, str(one.asked_at)] for one in waiting])[:16]


_watch = _Watch()


@asynccontextmanager
async def watching() -> AsyncIterator[None]:
    """Watch the ledger for as long as the server runs."""
    task = asyncio.create_task(_watch.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def inbox(request: Request) -> Response:
    """Stream that what waits has changed."""
    return _stream(_watch.page(None, request.query_params.get("seen", "")))


async def thread(request: Request) -> Response:
    """Stream that a thread has moved."""
    thread_id, _, _ = await open_thread(request)
    return _stream(_watch.page(thread_id, request.query_params.get("seen", "")))


def _stream(watched: AbstractContextManager[asyncio.Event]) -> Response:
    async def told() -> AsyncIterator[dict[str, str]]:
        with watched as moved:
            while True:
                await moved.wait()
                moved.clear()
                yield {"event": "changed", "data": "changed"}

    return EventSourceResponse(told(), ping=_PING_SECONDS)
