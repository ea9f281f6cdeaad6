"""Pages that other packages add to a thread, for staff."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from daybook.app.console import house
from daybook.app.console.conversation.titles import title_of
from daybook.app.console.guard import person_of
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.app.console.staff import for_staff
from daybook.app.plugins import PAGES, loaded, named
from daybook.state.errors import PluginUnusable


@dataclass(frozen=True)
class Page:
    """Declare a page about one thread; it stands below the thread's, by its entry point's name.

    Attributes:
        title: its heading, and the words of the link to it.
        shows: given the request and the thread's id, returns what stands below the heading, or an
            answer of its own. It is asked for staff alone, and for threads that there are.
        style: a stylesheet; the console allows no style within a page.
    """

    title: str
    shows: Callable[[Request, str], Awaitable[Markup | Response]]
    style: str = ""


@lru_cache(maxsize=1)
def found() -> Mapping[str, Page]:
    """Load the pages that are installed; one that cannot be loaded says so when it is opened."""
    pages: dict[str, Page] = {}
    for name, point in named(PAGES).items():
        try:
            pages[name] = loaded(point, Page)
        except PluginUnusable as unusable:
            pages[name] = Page(name, _says(unusable))
    return pages


def routes() -> list[Route]:
    """Return where the pages and their styles are found."""
    return [
        route
        for name, page in found().items()
        for route in (
            Route(f"/threads/{{thread_id}}/{name}", _shown(name, page), methods=["GET"]),
            Route(f"/added/{name}.css", _style(page), methods=["GET"]),
        )
    ]


def _shown(name: str, page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def show(request: Request) -> Response:
        thread_id = request.path_params["thread_id"]
        owner = await house.owner_of(thread_id, person_of(request))
        if owner is None:
            return refused(request, house.NO_THREAD, 404)
        body = await page.shows(request, thread_id)
        if isinstance(body, Response):
            return body
        of = await title_of(thread_id, owner)
        about = {"title": page.title, "body": body, "thread_id": thread_id, "added": name}
        return rendered_page(request, "added.html", of=of, **about)

    return for_staff(show)


def _style(page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def style(request: Request) -> Response:
        return Response(page.style, media_type="text/css")

    return style


def _says(unusable: PluginUnusable) -> Callable[[Request, str], Awaitable[Response]]:
    async def say(request: Request, thread_id: str) -> Response:
        return refused(request, str(unusable), 503)

    return say
