"""Check hash chains and what is kept beside them, as `daybook ledger verify` does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.guard import form_of, person_of
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.state.errors import LedgerError


@dataclass
class Verified:
    """What a check found.

    Attributes:
        broken: thread to what does not hold.
        seconds: how long it took.
    """

    threads: int = 0
    entries: int = 0
    seconds: float = 0
    broken: dict[str, str] = field(default_factory=dict)


async def page(request: Request) -> Response:
    """Offer the check."""
    named = request.query_params.get("thread", "")
    return rendered_page(request, "verify.html", verified=None, named=named)


async def verify(request: Request) -> Response:
    """Check one thread, or all of them."""
    named = form_of(request).get("thread", "").strip()
    if named and await house.owner_of(named, person_of(request)) is None:
        return refused(request, house.NO_THREAD, 404)
    began = house.resources().clock.monotonic()
    verified = Verified()
    async for thread_id in _threads(named):
        verified.threads += 1
        try:
            verified.entries += await house.postgres().ledger.verify(thread_id)
        except LedgerError as error:
            verified.broken[thread_id] = str(error)
    verified.seconds = house.resources().clock.monotonic() - began
    return rendered_page(request, "verify.html", verified=verified, named=named)


async def _threads(named: str) -> AsyncIterator[str]:
    if named:
        yield named
        return
    async for thread_id in house.postgres().ledger.thread_ids():
        yield thread_id
