"""The ledger: effects that are declared with it are done once, or put to a reviewer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextvars import ContextVar
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload
from weakref import WeakValueDictionary

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.errors import GraphInterrupt
from langgraph.graph.state import CompiledStateGraph
from psycopg_pool import AsyncConnectionPool, ConnectionPool
from typing_extensions import Unpack

from daybook.checkpoints.postgres import Postgres
from daybook.graph.guarded import GuardedGraph
from daybook.graph.ledger.answers import CHECKPOINT_NS, SCRATCHPAD, SOON, parent_of
from daybook.graph.ledger.carry import carry, settle, to_the_end
from daybook.graph.ledger.database import Database
from daybook.graph.ledger.effect import Declared, Effect, Given, effect_from
from daybook.graph.ledger.identity import (
    CallName,
    Place,
    count_alike,
    place_of,
    run_state,
    was_called,
)
from daybook.graph.ledger.outcome import (
    is_settled,
    message,
    plans_of,
    refuse_what_was_changed,
    value,
)
from daybook.graph.ledger.recovery import recovered, swept
from daybook.graph.ledger.running import Running, domain_of, ensure_stored
from daybook.graph.ledger.savers import LedgerSaver, saver_of
from daybook.nodes.receipts import thread_plans
from daybook.nodes.running.work import Work
from daybook.state.effects.guarantees import Patience
from daybook.state.effects.written import unsendable
from daybook.state.errors import (
    ArgumentsChanged,
    DeclarationError,
    EffectNotDone,
    InputRefused,
    NotInstalled,
)
from daybook.state.ledger.plan import Plan
from daybook.state.people.policy import Policy
from daybook.state.receipts import ReceiptLine
from daybook.tools.receipts.lines import receipt_lines

if TYPE_CHECKING:
    from daybook.graph.ledger.middleware import LedgerMiddleware

T = TypeVar("T")
_Compiled = CompiledStateGraph[Any, Any, Any, Any]

_CALLER, _SYNC = "__pregel_call", "_call"
"""By which LangGraph calls tasks of a node that runs: another function where nothing is awaited."""

_GRACE = 0.5
"""Seconds in which a node that runs again may make the call that it was asked about."""

decided_at: ContextVar[Place | None] = ContextVar("where a call was decided on", default=None)
"""Of a tool call under the middleware: its place in the model's decision, wherever it is made."""


class Ledger:
    """Carry out effects exactly once, or put them to a reviewer as in doubt.

    Each call is written down before it is sent and when it was answered. A node that runs again
    after a crash is given what the record says.

    Example:
        ```python
        ledger = Ledger()

        @ledger.effect(key="order/{order_id}/charge", id="charge_id", approval="always")
        async def charge(order_id: str, cents: int, *, call) -> dict:
            return await payments.charge(cents, idempotency_key=call.key)

        async def pay(state):                                      # a node of any StateGraph
            return {"receipt": await charge(state["order"], cents=4_200)}

        agent = create_agent(                                      # a tool of any agent
            model, [charge], middleware=[ledger.middleware()], checkpointer=ledger.saver
        )
        ```

    Args:
        database: a URL, an open `Postgres` or a pool of psycopg; else DATABASE_URL, or the embedded
            Postgres where that is not set. It is opened when it is first needed; `async with
            ledger` opens and closes it around all runs.
        name: of the program: threads of another one on the same database are refused.
        user: whose thread it is where a run's configuration does not say.
        policy: who must approve what; where it says nothing, what the effects declare.
        patience: how long an attempt, a question and an approval may take.
        node_seconds: how long a call waits for something to settle.
        stored_types: models, dataclasses and enums of your state, where `ledger.saver` keeps it.
    """

    def __init__(
        self,
        database: str | Postgres | AsyncConnectionPool[Any] | ConnectionPool[Any] | None = None,
        *,
        name: str = "agent",
        user: str = "anonymous",
        policy: Policy | None = None,
        patience: Patience | None = None,
        node_seconds: float = 10,
        stored_types: Sequence[type] = (),
    ) -> None:
        self.name = name
        self._database = Database(database, stored_types)
        self._policy, self._user = policy, user
        self._patience, self._node_seconds = patience or Patience(), node_seconds
        self._is_guarded = False
        self._effects: dict[str, Effect] = {}
        self._made: Running | None = None
        self._locks: WeakValueDictionary[tuple[Any, str], asyncio.Lock] = WeakValueDictionary()

    # -- effects ------------------------------------------------------------------------------

    @overload
    def effect(self, given: Given, /, **declared: Unpack[Declared]) -> Effect: ...

    @overload
    def effect(self, /, **declared: Unpack[Declared]) -> Callable[[Given], Effect]: ...

    def effect(self, given: Given | None = None, /, **declared: Unpack[Declared]) -> Any:
        """Declare a function, or a langchain or MCP tool, that changes the world.

        Without more it is asked about, sent once, and put to a reviewer when no answer comes.

        Args:
            given: a function (`def` or `async def`) of plain arguments that returns what JSON can
                hold. A parameter `call` is filled in with the `Call` under way. It may raise or
                return `Declined`, `NotSent` or `Pending`.
            declared: what else is known of it (see `Declared`).

        Raises:
            DeclarationError: it is declared wrongly; the message says what to write.
        """

        def around(given: Given) -> Effect:
            effect = effect_from(self, given, declared)
            if effect.name in self._effects:
                raise DeclarationError(
                    f"Two effects are called {effect.name}. Give one another name: by it the "
                    "ledger knows what was done."
                )
            self._effects[effect.name], self._made = effect, None
            return effect

        return around if given is None else around(given)

    def middleware(self) -> LedgerMiddleware:
        """Return the middleware for `create_agent`: it may stand anywhere in the list.

        It records what the model decided, tells it what became of earlier calls, adds receipts to
        the messages, and checks the model's text against them. Each agent has one of its own.

        Raises:
            NotInstalled: langchain, which the extra `agents` brings, is not installed.
        """
        try:
            from daybook.graph.ledger.middleware import LedgerMiddleware
        except ModuleNotFoundError as error:
            raise NotInstalled("The middleware of agents", "agents") from error
        return LedgerMiddleware(self)

    # -- threads ------------------------------------------------------------------------------

    @property
    def saver(self) -> LedgerSaver:
        """Return a checkpointer on the ledger's database, for graphs to be compiled with."""
        return self._database.saver

    async def receipts(self, thread_id: str) -> list[ReceiptLine]:
        """Return what became of each effect of a thread, oldest first."""
        postgres = await self._database.opened()
        return receipt_lines(await thread_plans(postgres.ledger, thread_id))

    async def recover(self, graph: _Compiled, thread_id: str) -> str:
        """Finish what a dead process left of a thread, as far as no approver is needed.

        Returns:
            What is left, in words: "finished", "a question waits for a person" or "something is
            not settled yet".

        Raises:
            ThreadBusy: a living process works on the thread.
            InputRefused: the thread is of another graph.
            DatabaseUnavailable: the database cannot be reached.
        """
        await self._database.opened()
        return await recovered(self.ready(), graph, thread_id)

    async def sweep(
        self, graph: _Compiled, idle: timedelta = timedelta(minutes=5)
    ) -> dict[str, str]:
        """Recover each thread of a graph that nobody works on; call it every few seconds.

        Args:
            idle: how long a run that was cut off is left to its user.

        Returns:
            Thread to what is left of it (see `recover`), or why it could not be recovered.
        """
        await self._database.opened()
        return await swept(self.ready(), graph, idle)

    def guarded(self, graph: _Compiled) -> GuardedGraph:
        """Guard every run of a graph, for those who let clients at it.

        Each run is alone on its thread, durable after every step, takes one message or an answer to
        the question that waits, and is refused to anyone whom the thread does not belong to. Its
        checkpointer is `ledger.saver`, and the ledger is open around all runs.
        """
        self._is_guarded, self._made = True, None
        return GuardedGraph.around(graph, lambda: self.ready().resources(), self.name)

    # -- the database -------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Open the database, which brings its tables up to date."""
        await self._database.opened()
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close the database."""
        await self._database.close()

    def use(self, postgres: Postgres, patience: Patience | None = None) -> None:
        """Stand on another open database from now on (`daybook.testing` kills it there)."""
        self._database.use(postgres)
        self._patience, self._made = patience or self._patience, None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine of the ledger for a caller that has no event loop."""
        return self._database.run(work)

    def ready(self) -> Running:
        """Return what carries out the effects that are declared by now."""
        if self._made is None:
            domain = domain_of(self.name, self._effects.values(), self._policy)
            running = Running(
                domain,
                self._database,
                self._patience,
                self._user,
                self._node_seconds,
                is_guarded=self._is_guarded,
            )
            self._made = running
        return self._made

    def effect_named(self, name: str) -> Effect | None:
        """Return the effect of this name."""
        return self._effects.get(name)

    # -- calls --------------------------------------------------------------------------------

    def called(self, tool: str, args: Mapping[str, Any]) -> Any:
        """Carry a call of a node out: at once where it awaits nothing, else when it is awaited."""
        config = _config_of(tool)
        running = self._value(tool, args, config)
        caller = config["configurable"].get(_CALLER)
        is_sync = getattr(getattr(caller, "func", None), "__name__", "") == _SYNC
        if not is_sync and _has_loop():
            return running
        return self.run(running)

    async def answered(self, tool: str, args: Mapping[str, Any], call_id: str | None) -> Any:
        """Carry a model's call out, and tell it what became of it."""
        config = _config_of(tool)
        if call_id is None:
            return await self._value(tool, args, config)
        try:
            call, plans, work = await self._carried(tool, args, config, refuse_what_was_changed)
        except EffectNotDone as error:
            return ToolMessage(str(error), name=tool, tool_call_id=call_id, status="error")
        return await message(plans, call, call_id, work)

    async def settle_others(self, place: Place, config: RunnableConfig, work: Work) -> None:
        """Finish what earlier runs left; withdraw what nobody has decided on in them."""
        other = await self._other(place.turn, work)
        if other is not None and other.turn_id.startswith(f"{place.turn}/"):
            # Of a sub-agent beside this one.
            return
        if other is None and not await work.ledger.left_over(place.thread_id):
            return
        async with self._lock(place.thread_id), self.ready().at_work(work):
            await to_the_end(settle(work, config, is_overtaken=True))

    async def _value(self, tool: str, args: Mapping[str, Any], config: RunnableConfig) -> Any:
        call, plans, work = await self._carried(tool, args, config)
        # Not within: an error of the provider takes no answer away from a branch beside this one.
        return await value(plans, call, work)

    async def _carried(
        self,
        tool: str,
        args: Mapping[str, Any],
        config: RunnableConfig,
        check: Callable[[CallName, Work], Awaitable[None]] | None = None,
    ) -> tuple[CallName, list[Plan], Work]:
        """Return the record of a call, carrying it out where that was not done before.

        Args:
            check: refuses a call that was not begun before.
        """
        given = _as_kept(tool, args)
        number = count_alike(config, tool, given)
        async with self.ready().admitted(config) as (acting, work):
            await ensure_stored(acting)
            place = decided_at.get() or await place_of(acting)
            call = CallName(place, tool, given, number)
            plans = await plans_of(call, work)
            if not plans and check is not None:
                await check(call, work)
            if not is_settled(plans):
                await self._in_turn(call, acting, work)
                plans = await plans_of(call, work)
        return call, plans, work

    async def _in_turn(self, call: CallName, config: RunnableConfig, work: Work) -> None:
        """Carry a call out after those of other branches, and after what earlier runs left.

        A thread has one question at a time. A call that comes while that of another branch waits
        does nothing and waits too; when it was answered all of them run again.

        Raises:
            GraphInterrupt: a question waits, of this call or of another one.
            ArgumentsChanged: the node asked about other arguments before.
        """
        thread_id, run = call.place.thread_id, run_state(config)
        began = work.clock.monotonic()
        while True:
            async with self._lock(thread_id):
                other = await self._other(call.turn_id, work)
                is_beside = other is not None and call.is_beside(other.turn_id)
                waited = work.clock.monotonic() - began
                if not is_beside or other is None or waited > self._node_seconds:
                    await self._carry(call, other, config, work, is_overtaken=not is_beside)
                    return
                if run.asked == other.plan_id:
                    raise GraphInterrupt(())
                is_changed = waited > _GRACE and _may_be_changed(call, other, config)
                if is_changed and await _has_asked(config):
                    raise _changed(call, other)
            # Its branch comes at any moment. There is no event: it may run elsewhere.
            await work.clock.sleep(SOON)

    async def _other(self, turn_id: str, work: Work) -> Plan | None:
        """Return the thread's open plan, where it is another call's."""
        name = await work.ledger.open_plan(work.session.thread_id)
        other = (await work.plan(name))[0] if name is not None else None
        return None if other is None or other.turn_id == turn_id else other

    async def _carry(
        self,
        call: CallName,
        other: Plan | None,
        config: RunnableConfig,
        work: Work,
        *,
        is_overtaken: bool,
    ) -> None:
        """Finish what else is open in the thread, then carry the call out."""
        thread_id = call.place.thread_id
        async with self.ready().at_work(work):
            try:
                if other is not None or await work.ledger.left_over(thread_id):
                    await to_the_end(settle(work, config, is_overtaken=is_overtaken))
                await to_the_end(carry(work, call, config))
            except GraphInterrupt:
                run_state(config).asked = await work.ledger.open_plan(thread_id) or ""
                raise

    def _lock(self, thread_id: str) -> asyncio.Lock:
        """Return the lock by which branches of a run take turns in this event loop."""
        about = asyncio.get_running_loop(), thread_id
        return self._locks.setdefault(about, asyncio.Lock())


def _may_be_changed(call: CallName, other: Plan, config: RunnableConfig) -> bool:
    """Tell whether a task has not called in this run what it called in an earlier one.

    Where it still does, beside this call, it does so within a moment.
    """
    was_made = any(was_called(config, one.tool, one.args) for one in other.actions)
    return call.is_at_same_place(other.turn_id) and not was_made


async def _has_asked(config: RunnableConfig) -> bool:
    """Tell whether the task that runs has asked a question when it ran before."""
    found = await saver_of(config).aget_tuple(parent_of(config))
    task_id = config["configurable"][CHECKPOINT_NS].rpartition("|")[2].partition(":")[2]
    writes = found.pending_writes or () if found is not None else ()
    return any(write[0] == task_id and write[1] == "__interrupt__" for write in writes)


def _changed(call: CallName, other: Plan) -> ArgumentsChanged:
    [action] = other.actions
    return ArgumentsChanged(
        f"The arguments of {call.tool} changed while a question waits for an answer: asked about "
        f"were {json.dumps(dict(action.args))}, and the node now calls it with "
        f"{json.dumps(dict(call.args))}. Nothing was done. Make them in an earlier node, so that "
        "they are the same when this one runs again; new input withdraws the question."
    )


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _config_of(tool: str) -> RunnableConfig:
    """Return the configuration of the node that runs.

    Raises:
        InputRefused: none does, or a task of one, whose place in a thread changes with a retry.
    """
    try:
        config = get_config()
    except RuntimeError:
        config = {}
    path = config.get("metadata", {}).get("langgraph_path", ())
    if SCRATCHPAD not in config.get("configurable", {}) or not path:
        raise InputRefused(
            f"{tool} is an effect, and was called outside of a graph's run. Nothing was done: call "
            "it in a node of a graph that is compiled with a checkpointer."
        )
    if path[-1] is True:
        raise InputRefused(
            f"{tool} is an effect, and was called in a task (or in another effect). Nothing was "
            "done: call it in the node itself."
        )
    return config


def _as_kept(tool: str, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as the ledger keeps them.

    Raises:
        InputRefused: it cannot keep them as they are.
    """
    why = unsendable(args)
    given = json.loads(json.dumps(dict(args))) if why is None else {}
    if why is None and given != dict(args):
        why = "they come back otherwise from JSON: write lists for tuples, and text for keys"
    if why is not None:
        raise InputRefused(
            f"The arguments of {tool} cannot be kept: {why}. Nothing was done; give text, numbers, "
            "lists and mappings."
        )
    return given
