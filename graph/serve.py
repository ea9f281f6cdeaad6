"""A domain with its resources, as servers and commands need it.

A server compiles the graph before anything is open; its checkpointer is opened around all runs, and
with it whatever they run on. A command opens the same for as long as it runs. Beside its graph a
domain may have routes, by which others reach the server, and checks for `daybook doctor`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeAlias

import psycopg
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import StateSnapshot
from psycopg import OperationalError
from typing_extensions import TypedDict, Unpack

from daybook.checkpoints.kept.keeper import KeeperError
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.resume import TAKES_UP, Left, left_in
from daybook.graph.settings.environment import Settings, Variable
from daybook.nodes.running.identity import NOBODY
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM
from daybook.state.errors import (
    ConfigurationError,
    DatabaseUnavailable,
    DaybookError,
    EmbeddedPostgresError,
    ServiceUnavailable,
)
from daybook.tools.boundary import failed_in
from daybook.tools.domain import Domain

MOST_BYTES = 256 * 1024
"""Of a body that is taken in from someone who is not signed in."""


@dataclass(frozen=True)
class Arrived:
    """A request, with its body as it came: what is signed is signed byte for byte.

    Attributes:
        url: whole, as it was asked for.
        headers: names in lower case.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answered:
    """What is answered; `later` is done after the answer went out, and may fail for itself."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    later: Callable[[], Awaitable[None]] | None = None


Route: TypeAlias = Callable[[Resources, Arrived], Awaitable[Answered]]


def as_json(status: int, told: Mapping[str, Any], **headers: str) -> Answered:
    """Answer with JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answered(
        status, json.dumps(told).encode(), {"content-type": "application/json", **named}
    )


SECONDS = 5.0
"""How long a check may take: a host that drops packets must not hold the others up."""


class Verdict(StrEnum):
    """Say how something stands; `NOT_YET` is no fault."""

    OK = "ok"
    NOT_YET = "not yet"
    WRONG = "wrong"


@dataclass(frozen=True)
class Check:
    """One check.

    Attributes:
        found: what was found, without a secret.
        advice: what to do about it; "" if nothing is to be done.
    """

    name: str
    verdict: Verdict
    found: str
    advice: str = ""


async def within_limit(name: str, work: Awaitable[list[Check]]) -> list[Check]:
    """Do a check; no answer in time, and what Daybook raises on purpose, is its finding."""
    try:
        async with SYSTEM.timeout(SECONDS):
            return await work
    except TimeoutError:
        found, advice = f"no answer within {SECONDS:g} s", "Check host and port, and the firewalls."
        return [Check(name, Verdict.WRONG, found, advice)]
    except (DaybookError, psycopg.Error) as error:
        return [Check(name, Verdict.WRONG, str(error).strip())]


Checkpointer = Callable[[], AbstractAsyncContextManager[BaseCheckpointSaver[Any]]]
OpenResources = Callable[[], AbstractAsyncContextManager[Resources]]
Checks = Callable[[Settings], Awaitable[Sequence[Check]]]
Chore = Callable[[Resources], Awaitable[Sequence[str]]]

COMES_BACK = (
    DatabaseUnavailable,
    EmbeddedPostgresError,
    KeeperError,
    OperationalError,
    ServiceUnavailable,
)
"""What fails when something that an agent runs on is away: opened again, it may be back."""

_NOT_OPEN = (
    "The graph cannot run: its checkpointer is not open. Nothing was done; langgraph.json must "
    'name the checkpointer, by the module of the graph: "checkpointer": {"path": '
    '"module.checkpointer"}.'
)


@dataclass(frozen=True)
class Opened:
    """An agent that is ready to run."""

    graph: GuardedGraph
    domain: Domain
    resources: Resources


class Beside(TypedDict, total=False):
    """What a domain has beside its graph.

    Attributes:
        checks: additional checks for `daybook doctor`. It gets the settings, changes nothing, and
            raises nothing.
        variables: environment variables of this domain; the doctor shows them.
        routes: HTTP routes for callers who are not users, by path.
        chore: a job that workers repeat beside finishing threads; returns what it did.
        warns: returns what will keep the domain from working, shown before a chat; or nothing.
        if_closed: the error message if its resources are not open.
    """

    checks: Checks
    variables: Sequence[Variable]
    routes: Mapping[str, Route]
    chore: Chore
    warns: Callable[[], str]
    if_closed: str


class Served:
    """A domain, and how what it runs on is opened.

    Called, it returns what is open: it is what the graph asks for its resources.

    Attributes:
        graph: for a server, which brings its checkpointer.
        has_flow: the work of a thread has positions and a document of its progress, and takes
            events.
    """

    has_flow = True

    def __init__(
        self,
        domain: Domain,
        open_resources: OpenResources,
        graph: GuardedGraph | None = None,
        **beside: Unpack[Beside],
    ) -> None:
        self.domain = domain
        self.checks = beside.get("checks")
        self.variables = tuple(beside.get("variables", ()))
        self.routes = dict(beside.get("routes", {}))
        self.chore = beside.get("chore")
        self.warns = beside.get("warns", str)
        self._if_closed = beside.get("if_closed", _NOT_OPEN)
        self._open_resources = open_resources
        self._opened: list[Resources] = []
        self.graph = build(domain, self) if graph is None else graph

    async def left_in(self, snapshot: StateSnapshot) -> Left | None:
        """Tell what is left to do in a thread."""
        return await left_in(snapshot, self().postgres)

    def taking_up(self, left: Left | None) -> Mapping[str, Any] | None:
        """Return the input of a run that goes on with what is left."""
        return TAKES_UP.get(left) if left else {"events": []}

    def __call__(self) -> Resources:
        """Return what is open.

        Raises:
            ConfigurationError: nothing is.
        """
        if not self._opened:
            raise ConfigurationError(self._if_closed)
        return self._opened[-1]

    @asynccontextmanager
    async def checkpointer(self) -> AsyncIterator[BaseCheckpointSaver[Any]]:
        """Open what the graph runs on, for as long as the server runs; yield its checkpointer."""
        async with self._resources() as resources:
            await resources.postgres.cluster.check(self.domain.name)
            self._opened.append(resources)
            self.begin()
            try:
                yield resources.postgres.saver
            finally:
                self.end()
                self._opened.remove(resources)

    def begin(self) -> None:
        """Let the server's pages find it: what it runs on is open."""
        _at_work.append(self)

    def end(self) -> None:
        """Let them find it no longer."""
        if self in _at_work:
            _at_work.remove(self)

    @asynccontextmanager
    async def open(self, *, sends: bool = True) -> AsyncIterator[Opened]:
        """Open what the agent runs on, and build it with a checkpointer of its own.

        Args:
            sends: False only compares the ledger with the world.

        Raises:
            LedgerRestored: the ledger was restored, and not compared with the world since.
            DaybookError: something cannot be started or reached.
        """
        async with self._resources() as resources:
            if sends:
                await resources.postgres.cluster.check(self.domain.name)
            graph = build(self.domain, lambda: resources, resources.postgres.saver)
            yield Opened(graph, self.domain, resources)

    @asynccontextmanager
    async def _resources(self) -> AsyncIterator[Resources]:
        async with AsyncExitStack() as stack:
            resources = await self._entered(stack)
            registry = self.domain.registry
            registry.check_promises(resources.promises)
            await resources.postgres.rules.declare(self.domain.name, registry.declarations())
            if resources.user == NOBODY:
                resources = replace(resources, user=self.domain.user)
            yield resources

    async def _entered(self, stack: AsyncExitStack) -> Resources:
        try:
            resources = await stack.enter_async_context(self._open_resources())
        except (DaybookError, *COMES_BACK):
            raise
        except Exception as error:
            raise ConfigurationError(
                f"The resources of the domain {self.domain.name} cannot be opened "
                f"({failed_in(error)}). Nothing was started; check that line, and that the "
                "variables it reads are set."
            ) from error
        if not isinstance(resources, Resources):
            raise ConfigurationError(
                f"The resources of the domain {self.domain.name} cannot be opened: its "
                f"`open_resources` yields {type(resources).__name__}. Nothing was started; yield "
                "Resources."
            )
        return resources


_at_work: list[Served] = []
"""What this process has opened as a server, the one that comes first last."""


def at_work() -> Served:
    """Return what this process serves: its sign-in looks at what that has opened.

    Raises:
        ConfigurationError: nothing is open.
    """
    return all_at_work()[0]


def all_at_work() -> tuple[Served, ...]:
    """Return all that this process serves, the one that comes first first.

    Raises:
        ConfigurationError: nothing is open.
    """
    if not _at_work:
        raise ConfigurationError(_NOT_OPEN)
    return tuple(dict.fromkeys(reversed(_at_work)))


def at_work_on(domain: str | None) -> Served | None:
    """Return what serves a thread of a domain; None if nothing here does.

    Args:
        domain: None for a thread that no agent has begun, which every domain lets in.

    Raises:
        ConfigurationError: nothing is open.
    """
    known = all_at_work()
    if domain is None:
        return known[0]
    return next((one for one in known if one.domain.name == domain), None)


def route_to(path: str) -> tuple[Route, Resources] | None:
    """Return what a domain that is open hears at a path, and what it runs on; None for nothing."""
    for one in _at_work:
        if (route := one.routes.get(path)) is not None:
            return route, one()
    return None


def served(
    domain: Domain, open_resources: OpenResources, **beside: Unpack[Beside]
) -> tuple[GuardedGraph, Checkpointer]:
    """Make the graph and the checkpointer for a langgraph.json; commands take the graph too.

    Args:
        open_resources: opens the graph's resources for as long as the server or command runs.
        beside: see `Beside`.

    Raises, when it is opened:
        DeclarationError: with these promises of the services, an undo could happen twice.
        ConfigurationError: `open_resources` raises an error other than Daybook's.

    Example:
        >>> from contextlib import asynccontextmanager
        >>> from daybook import Domain, FlowTable, Prompt, Registry
        >>> flow = FlowTable("ready", {}, {"ready": frozenset()})
        >>> prompt = Prompt(system="You rent out rooms.")
        >>> rooms = Domain(name="rooms", registry=Registry([]), flow=flow, prompt=prompt)
        >>> @asynccontextmanager
        ... async def open_resources():
        ...     yield Resources(postgres=..., model=...)
        >>> graph, checkpointer = served(rooms, open_resources)
        >>> graph.name
        'rooms'

        In the module rooms.app, a langgraph.json names the graph as "rooms.app:graph" and the
        checkpointer as "rooms.app.checkpointer"; a command takes it by
        `daybook --domain rooms.app:graph chat`.
    """
    # At DEBUG it logs every event of every stream: all that is said, word by word.
    logging.getLogger("langgraph_runtime_inmem.ops").setLevel(logging.INFO)
    one = Served(domain, open_resources, **beside)
    return one.graph, one.checkpointer


def served_as(graph: object) -> Served | None:
    """Return what `served` made a graph of; None if something else made it."""
    found = graph.resources if isinstance(graph, GuardedGraph) else None
    return found if isinstance(found, Served) else None
