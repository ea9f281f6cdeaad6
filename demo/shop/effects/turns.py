import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from daybook.demo.shop.waiting import Abandoned


class Turns:
    """Let one request at a time work on an idempotency key."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def take(self, endpoint: str, key: str, gone: asyncio.Event) -> AsyncIterator[None]:
        """Wait for the turn of this request.

        Raises Abandoned when the caller goes first: a request that nobody waits for any more must
        not be performed long after its connection closed.
        """
        lock = self._locks.setdefault((endpoint, key), asyncio.Lock())
        acquiring = asyncio.ensure_future(lock.acquire())
        leaving = asyncio.ensure_future(gone.wait())
        await asyncio.wait({acquiring, leaving}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not acquiring.done():
            acquiring.cancel()
            raise Abandoned
        try:
            yield
        finally:
            lock.release()
