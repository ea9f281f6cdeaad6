"""Somebody at the console: its pages over ASGI, on agents that a test has opened."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from langgraph.types import Command

from daybook.app.console import house, runs
from daybook.app.console.app import app
from daybook.graph import serve
from daybook.state.session import Person
from tests.conversation import Conversation


class Served(serve.Served):
    """Stand for what a server has opened: a test's agent, whose runs are over at once.

    Args:
        agent: has `graph` and `resources`.
    """

    def __init__(self, agent: Any, domain: Any) -> None:
        self.domain, self.graph, self._agent = domain, agent.graph, agent
        self.routes: Mapping[str, Any] = {}

    def __call__(self) -> Any:
        return self._agent.resources

    async def start(
        self,
        thread_id: str,
        person: Person,
        owner: str,
        domain: str,
        *,
        answer: Mapping[str, Any],
    ) -> str:
        """Take an answer to its thread, as the server does; what is raised ends the run alone."""
        talk = Conversation(self.graph, person.user_id, thread_id, person.role)
        await talk.run(Command(resume=dict(answer)))
        return f"run-of-{thread_id}"


def serves(monkeypatch: pytest.MonkeyPatch, *served: Served) -> None:
    """Serve the console on what a test has opened, the one that comes first first."""
    monkeypatch.setattr(serve, "_at_work", [*reversed(served)])
    monkeypatch.setattr(runs, "start", _by_domain(served))
    monkeypatch.setattr(runs, "under_way", _nothing)
    house._reader.cache_clear()


def _by_domain(served: tuple[Served, ...]) -> Callable[..., Any]:
    async def start(thread_id: str, person: Person, owner: str, domain: str, **more: Any) -> str:
        (one,) = (one for one in served if one.domain.name == domain)
        return await one.start(thread_id, person, owner, domain, **more)

    return start


async def _nothing(thread_id: str) -> None:
    """Tell that no run of the server is under way."""


@asynccontextmanager
async def at_the_console(name: str, role: str = "customer") -> AsyncIterator[httpx.AsyncClient]:
    """Yield somebody at the console."""
    cookies = {"daybook_session": f"development.{role}.{name}", "daybook_form": "as-it-was-drawn"}
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    base = "http://127.0.0.1/console"
    async with httpx.AsyncClient(transport=transport, base_url=base, cookies=cookies) as http:
        yield http


async def shown(http: httpx.AsyncClient, place: str) -> str:
    """Return a page."""
    return (await http.get(place)).raise_for_status().text


async def answered(http: httpx.AsyncClient, place: str, **form: str) -> httpx.Response:
    """Send a form as a page of the console does, and return the answer."""
    page = await shown(http, "/threads")
    (token,) = set(re.findall(r'name="form_token" value="(\w+)"', page))
    return await http.post(place, data={"form_token": token, **form})


async def sent(http: httpx.AsyncClient, place: str, **form: str) -> str:
    """Send a form as a page of the console does, and return what it is answered."""
    return (await answered(http, place, **form)).raise_for_status().text
