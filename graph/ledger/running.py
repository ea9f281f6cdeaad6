"""The resources and session of effects, and the check that each thread has one runner."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_stream_writer
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt
from psycopg import InternalError, OperationalError

from daybook.checkpoints.ledger.ledger import LeftOver
from daybook.checkpoints.people.threads import asks_whose, is_admitted
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.reach import unavailable
from daybook.graph.ledger.answers import CHECKPOINTER, DURABILITY, given_once, parent_of
from daybook.graph.ledger.database import Database
from daybook.graph.ledger.effect import Effect
from daybook.graph.ledger.identity import Place, run_state, shape_of
from daybook.graph.ledger.savers import use_threads, wait_until_stored
from daybook.graph.resume import live_questions, named_in
from daybook.nodes.running.identity import acting, person_of, session_of
from daybook.nodes.running.work import Resources, Work
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import (
    ConfigurationError,
    DeclarationError,
    InputRefused,
    Overtaken,
    TakenOver,
)
from daybook.state.flow import FlowTable
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.people.policy import Policy
from daybook.state.run_input import check_caller, checked_id
from daybook.tools.domain import Domain, Prompt
from daybook.tools.kinds import EffectTool
from daybook.tools.registry import Registry

recovering: ContextVar[bool] = ContextVar("nothing new happens in the thread", default=False)

NAME = "agent"
"""The name of a program that declares none."""

_HERE = "here"
"""The one position of the flow: effects may be called at any time."""

_WRITER = "__daybook_writer"
"""Where a configuration holds the writer of the stream of the graph whose node runs."""


class Running:
    """What effects run on.

    Attributes:
        is_guarded: each run is alone on its thread, and who acts in it is known, before any node.
        is_named: its program has a name of its own, which no other one on the database bears.
    """

    def __init__(
        self,
        domain: Domain,
        database: Database,
        patience: Patience,
        user: str,
        node_seconds: float,
        *,
        is_guarded: bool,
        is_named: bool,
    ) -> None:
        self.domain = domain
        self._is_named = is_named
        self.user = user
        self.database = database
        self.is_guarded = is_guarded
        self._patience = patience
        self._node_seconds = node_seconds
        self._resources: dict[int, Resources] = {}
        self._declared: set[int] = set()

    def resources(self) -> Resources:
        """Return what the engine runs on in this event loop."""
        postgres = self.database.current()
        known = self._resources.get(id(postgres))
        if known is None or known.postgres is not postgres:
            known = Resources(
                postgres=postgres,
                # The engine asks no model here: the agent's own loop does.
                model=cast(BaseChatModel, None),
                user=self.user,
                patience=self._patience,
                node_seconds=self._node_seconds,
            )
            self._resources[id(postgres)] = known
        return known

    @property
    def postgres(self) -> Postgres:
        """Return the database of this event loop."""
        return self.resources().postgres

    def work(self, config: RunnableConfig) -> Work:
        """Return what the engine works with in a run."""
        resources = self.resources()
        session = session_of(config, resources.postgres.tenant_id, self.user)
        return Work(self.domain, resources, session, config["configurable"].get(_WRITER))

    @asynccontextmanager
    async def admit(self, config: RunnableConfig) -> AsyncIterator[tuple[RunnableConfig, Work]]:
        """Say who acts in whose thread, once it is known that they may; take their answer once.

        Raises:
            InputRefused: there is no thread, or nothing that keeps it.
            ForeignThread, ForeignDomain: it belongs to another user, or to another program.
            ThreadClosed: what it held was erased.
        """
        configurable = config.get("configurable", {})
        if configurable.get("thread_id") is None or not configurable.get(CHECKPOINTER):
            raise InputRefused(
                "A run with effects needs a checkpointer and a thread: checkpointer=... where the "
                'graph is compiled, and {"configurable": {"thread_id": ..., "user_id": ...}} as '
                "config. Nothing was done."
            )
        thread_id = checked_id(str(configurable["thread_id"]), "a thread")
        config = await self.reach(config)
        await self.declare()
        threads = self.postgres.threads

        async def wait(questions: Sequence[Interrupt]) -> bool:
            return await is_awaited(questions, self.work(config))

        async with self._reachable(), given_once(config, run_state(config), wait):
            who = config
            if not self.is_guarded:
                person = person_of(config, self.user)
                check_caller(person.user_id, person.role)
                who = acting(config, person, await threads.owner_for(person, thread_id))
            # LangGraph shows what a graph within a node emits to those alone who ask for subgraphs.
            writer = {_WRITER: get_stream_writer()}
            who = {**who, "configurable": {**who["configurable"], **writer}}
            work = self.work(who)
            await threads.admits(work.session, self.domain.name, None)
            yield who, work

    async def reach(self, config: RunnableConfig) -> RunnableConfig:
        """Open the database; return the configuration with a checkpointer that can be used here."""
        await self.database.connect()
        return use_threads(config) if self.database.is_own_loop else config

    async def declare(self) -> None:
        """Let operators find the effects of this program, once in each event loop.

        Raises:
            ConfigurationError: another program on the database has no name of its own either.
        """
        postgres = self.postgres
        if id(postgres) in self._declared:
            return
        about = self.domain.registry.declarations()
        async with self._reachable():
            rules, program = postgres.rules, self.domain.name
            theirs = {one.tool for one in await rules.declared() if one.program == program}
            if theirs and about and not self._is_named and theirs.isdisjoint(about):
                # By its name alone one would go on with threads of the other.
                raise ConfigurationError(
                    f"Another program on this database is also called {program!r}; its effects "
                    f"are {', '.join(sorted(theirs))}. Nothing was done. Give each program a "
                    'name, Ledger(name="billing"), and declare all effects of a program with one '
                    f"ledger. If it now has other effects, run `daybook tools --forget {program}`."
                )
            await rules.declare(program, about)
        self._declared.add(id(postgres))

    @asynccontextmanager
    async def _reachable(self) -> AsyncIterator[None]:
        """Say in words that the database went away, and drop the sessions that it ended.

        Raises:
            DatabaseUnavailable: it did; what was committed stands.
        """
        try:
            yield
        except (OperationalError, InternalError) as error:
            await self.postgres.drop_broken()
            raise unavailable(error) from error

    @asynccontextmanager
    async def hold_unguarded(self, work: Work) -> AsyncIterator[Sequence[LeftOver]]:
        """Run a thread alone, as a guarded run is anyway; the block gets what is left over."""
        if self.is_guarded:
            yield await work.ledger.left_over(work.session.thread_id)
            return
        async with self.hold_thread(work) as left:
            yield left

    @asynccontextmanager
    async def hold_thread(self, work: Work) -> AsyncIterator[Sequence[LeftOver]]:
        """Hold a thread, and be known as its runner, for the length of the block.

        The block gets what plans that are over have left.

        Raises:
            ThreadBusy: another run holds it, or has taken it over meanwhile.
            InputRefused: an answer does not fit its question.
            DatabaseUnavailable: the database went away; what was committed stands.
        """
        postgres, thread_id = work.resources.postgres, work.session.thread_id
        asked: GraphInterrupt | None = None
        try:
            reads = asks_whose(thread_id), postgres.ledger.asks_left_over(thread_id)
            async with self._reachable(), postgres.locks.hold(thread_id, *reads) as found:
                whose, left = found
                about = work.session, self.domain.name, None
                if not is_admitted(whose[0] if whose else None, *about):
                    await postgres.threads.begin(*about)
                is_news = not recovering.get()
                async with postgres.runners.run(work.session, is_news=is_news) as this:
                    this.gives_back = True
                    try:
                        yield [LeftOver(**row) for row in left]
                    except GraphInterrupt as question:
                        # The run has not failed: it waits.
                        asked = question
        except TakenOver:
            # With the thread it lost its sessions.
            await postgres.drop_broken()
            raise
        if asked is not None:
            raise asked


async def is_awaited(interrupts: Sequence[Interrupt], work: Work) -> bool:
    """Tell whether one of these questions waits for an answer; the ledger may hold it already.

    A question of the graph's own is none that the ledger knows: it waits.
    """
    live = await live_questions(work.ledger, work.session.thread_id)
    return any(named_in(one.value) in live for one in interrupts)


async def ensure_stored(config: RunnableConfig) -> None:
    """Wait until the checkpoint is stored from which the node runs.

    One that is written in the background may be lost in a crash, and with it what the effect was
    decided by: the same would be said and done again.

    Raises:
        InputRefused: it is not written before the run has ended.
        DatabaseUnavailable: it is not written in time.
    """
    if config["configurable"].get(DURABILITY, "async") != "sync":
        await wait_until_stored(config, parent_of(config))


async def run_begin(place: Place, config: RunnableConfig, work: Work) -> tuple[list[Entry], str]:
    """Return what says that a run has begun, if nothing does yet; and by whom, if not its owner.

    By it a worker finds a run that was cut off, and of which graph it is: told by a node of the
    thread's own graph alone.
    """
    known = run_state(config).begun
    if place.turn not in known:
        entries = await work.ledger.turn(place.thread_id, place.turn)
        begun = next((one for one in entries if one.event is Event.RECEIVED), None)
        if begun is not None:
            known[place.turn] = begun.author or ""
    if place.turn in known:
        return [], known[place.turn]
    await work.resources.postgres.threads.begin(work.session, work.domain.name, None)
    graph = {"graph": shape_of(config)} if place.depth == 1 else {}
    received = {"salt": place.salt}
    # A clerk who asks in someone's thread is no second pair of eyes.
    author = work.session.author if work.session.author != work.session.user_id else ""
    about: dict[str, Any] = {"author": author or None, "detail": graph, "payload": received}
    return [Entry(Event.RECEIVED, turn_id=place.turn, **about)], author


async def end_run(place: Place, work: Work) -> None:
    """Record that a run is over, if its begin is in the ledger."""
    known = await work.ledger.turn(place.thread_id, place.turn)
    done = any(entry.event is Event.TURN_DONE for entry in known)
    if not known or done:
        return
    # Whoever was first has written the same.
    with suppress(Overtaken):
        async with work.ledger.page(work.session) as page:
            page.write(Entry(Event.TURN_DONE, turn_id=place.turn))


def domain_of(
    name: str, effects: Iterable[Effect], policy: Policy | None, prefix: str = ""
) -> Domain:
    """Make the domain of a ledger: its effects, and who must approve them.

    Args:
        prefix: stands before the names of its operations.

    Raises:
        DeclarationError: they are declared wrongly; the message says what to write.
    """
    given = list(effects)
    registry = Registry([_prefixed(one.declared, prefix) for one in given])
    own, all_ = Policy(), policy or Policy()
    for one in given:
        its, known = one.policy or Policy(), {**all_.groups, **own.groups}
        for group in its.groups.keys() & known.keys():
            if {*its.groups[group]} != {*known[group]}:
                raise DeclarationError(
                    f"The effect {one.name} and another effect (or the ledger's policy) define "
                    f"the group {group!r} differently. Rename one of the groups."
                )
        own = own.before(its)
    return Domain(
        name=name,
        registry=registry,
        flow=FlowTable(_HERE, {}, {_HERE: frozenset(registry.names)}),
        prompt=Prompt(system=""),
        policy=own.before(all_),
    )


def _prefixed(effect: EffectTool, prefix: str) -> EffectTool:
    name = effect.operation
    if name is None or not prefix:
        return effect
    return replace(effect, operation=lambda args: f"{prefix}{name(args)}")
