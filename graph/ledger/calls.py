"""Calls of effects: where they are called, in which order, and with which outcome."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config
from langgraph.errors import GraphInterrupt

from daybook.checkpoints.postgres import Postgres
from daybook.graph.ledger.answers import (
    CHECKPOINT_NS,
    SCRATCHPAD,
    SOON,
    leave_question,
    parent_of,
)
from daybook.graph.ledger.carry import carry, settle, to_the_end
from daybook.graph.ledger.database import Database
from daybook.graph.ledger.declare import escaped
from daybook.graph.ledger.effect import Effect, under_way
from daybook.graph.ledger.identity import (
    CallName,
    Place,
    is_run_beside,
    numbered,
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
from daybook.graph.ledger.running import NAME, Running, domain_of, ensure_stored
from daybook.graph.ledger.savers import saver_of
from daybook.nodes.running.work import Work
from daybook.state.clock import SYSTEM
from daybook.state.effects.exact import unsendable
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import ArgumentsChanged, EffectNotDone, EffectUnsettled, InputRefused
from daybook.state.ledger.plan import Plan
from daybook.state.people.policy import Policy

T = TypeVar("T")

_CALLER, _SYNC = "__pregel_call", "_call"
"""How LangGraph calls tasks of a running node: another function in synchronous nodes."""

_across_loops: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
"""By thread, the lock that is held while this process carries out one of its calls."""

_GRACE = 0.5
"""Seconds in which a node that runs again may repeat the call that was asked about."""


@dataclass(frozen=True)
class DecidedAt:
    """Say where a tool call under the middleware was decided on, wherever it is made.

    Attributes:
        place: of the call in the model's decision.
        withdrawn: turns of calls that someone took out of the decision since.
        beside: turns of all calls that are in it now.
    """

    place: Place
    withdrawn: frozenset[str]
    beside: frozenset[str]


decided_at: ContextVar[DecidedAt | None] = ContextVar("where a call was decided on", default=None)


@dataclass
class Terms:
    """Say under what terms a ledger carries its effects out (see `Ledger`)."""

    name: str | None
    user: str
    policy: Policy | None
    patience: Patience
    node_seconds: float
    is_guarded: bool = False

    @property
    def program(self) -> str:
        """Return the name of the program."""
        return self.name or NAME


class Calls:
    """Carry out the calls of a ledger's effects."""

    def __init__(self, effects: Mapping[str, Effect], database: Database, terms: Terms) -> None:
        self.effects = effects
        self.database = database
        self._terms = terms
        self._made: Running | None = None
        self._made_of: frozenset[str] = frozenset()
        self._locks: WeakValueDictionary[tuple[Any, str], asyncio.Lock] = WeakValueDictionary()

    def guard(self) -> None:
        """Leave it to the graph around to see who runs a thread, and that they do so alone."""
        self._terms.is_guarded, self._made = True, None

    def use(self, postgres: Postgres, patience: Patience | None) -> None:
        """Stand on another open database from now on."""
        self.database.use(postgres)
        self._terms.patience, self._made = patience or self._terms.patience, None

    def ready(self) -> Running:
        """Return what carries out the effects that are declared by now."""
        if self._made is None or self._made_of != self.effects.keys():
            terms = self._terms
            # Two programs may name operations by one template.
            prefix = f"[{escaped(terms.name)}]/" if terms.name is not None else ""
            domain = domain_of(terms.program, self.effects.values(), terms.policy, prefix)
            self._made = Running(
                domain,
                self.database,
                terms.patience,
                terms.user,
                terms.node_seconds,
                is_guarded=terms.is_guarded,
                is_named=terms.name is not None,
            )
            self._made_of = frozenset(self.effects)
        return self._made

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine for a caller that has no event loop."""
        return self.database.run(work)

    def call(self, tool: str, args: Mapping[str, Any]) -> Any:
        """Carry a call of a node out: at once where it awaits nothing, else when it is awaited."""
        config = _config_of(tool)
        running = self._value(tool, args, config)
        caller = config["configurable"].get(_CALLER)
        is_sync = getattr(getattr(caller, "func", None), "__name__", "") == _SYNC
        if not is_sync and _has_loop():
            return running
        return self.run(running)

    async def answer_model(self, tool: str, args: Mapping[str, Any], call_id: str | None) -> Any:
        """Carry a model's call out, and tell it what became of it."""
        config = _config_of(tool)
        if call_id is None:
            return await self._value(tool, args, config)
        given = _as_kept(tool, args)
        decided = decided_at.get()
        beside = decided.beside if decided is not None else frozenset[str]()

        async def check(call: CallName, work: Work) -> None:
            await refuse_what_was_changed(call, work, beside)

        with numbered(config, tool, given, call_id) as number:
            try:
                call, plans, work = await self._carry_out(tool, given, number, config, check)
            except (EffectNotDone, EffectUnsettled) as error:
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
        async with self._lock(place.thread_id), self.ready().hold_unguarded(work):
            await to_the_end(settle(work, config, is_overtaken=True))

    async def _value(self, tool: str, args: Mapping[str, Any], config: RunnableConfig) -> Any:
        given = _as_kept(tool, args)
        with numbered(config, tool, given) as number:
            call, plans, work = await self._carry_out(tool, given, number, config)
            # Not admitted any more: an error of the provider takes no answer away from a branch
            # beside this one.
            return await value(plans, call, work)

    async def _carry_out(
        self,
        tool: str,
        args: Mapping[str, Any],
        number: int,
        config: RunnableConfig,
        check: Callable[[CallName, Work], Awaitable[None]] | None = None,
    ) -> tuple[CallName, list[Plan], Work]:
        """Return the record of a call, carrying it out where that was not done before.

        Args:
            number: of the call among those that are alike.
            check: refuses a call that was not begun before.
        """
        async with self.ready().admit(config) as (acting, work):
            await ensure_stored(acting)
            decided = decided_at.get()
            if decided is not None:
                # Each call of a decision has a place of its own.
                call = CallName(decided.place, tool, args, 1)
            else:
                call = CallName(await place_of(acting), tool, args, number)
            plans = await plans_of(call, work)
            made = run_state(acting).made
            if not plans and call.place.is_edited and call.place.depth > 1:
                call = await _before_edit(call, made, work)
                plans = await plans_of(call, work)
            made.add(call.turn_id)
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
                is_beside = (
                    other is not None and call.is_beside(other.turn_id) and not _is_gone(other)
                )
                waited = work.clock.monotonic() - began
                if not is_beside or other is None or waited > self._terms.node_seconds:
                    # Whoever edited the state may have settled by hand what nobody calls for.
                    is_over = not is_beside or (await place_of(config)).is_edited
                    await self._carry(call, other, config, work, is_overtaken=is_over)
                    return
                is_asked = run.asked == other.plan_id
                is_changed = waited > _GRACE and _may_be_changed(call, other, config)
                if not is_asked and is_changed and (await place_of(config)).is_edited:
                    # Whoever edited the state wants another call instead of that one.
                    await self._carry(call, other, config, work, is_overtaken=True)
                    return
                if not is_asked and is_changed and await _has_asked(config):
                    raise _changed(call, other)
            if is_asked:
                if is_run_beside(config, run.asked_in):
                    # Its node hears of the graph that ends first, which must be the one that asks.
                    await work.clock.sleep(_GRACE)
                await leave_question(config)
                raise GraphInterrupt(())
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
        async with self.ready().hold_unguarded(work) as left:
            try:
                if other is not None or left:
                    await to_the_end(settle(work, config, is_overtaken=is_overtaken))
                await to_the_end(carry(work, call, config))
            except GraphInterrupt:
                run = run_state(config)
                run.asked = await work.ledger.open_plan(thread_id) or ""
                run.asked_in = config["configurable"][CHECKPOINT_NS]
                raise

    @asynccontextmanager
    async def _lock(self, thread_id: str) -> AsyncIterator[None]:
        """Let the branches of a run take turns, in the order in which they come.

        Nodes that await nothing call from an event loop of their own.
        """
        loop = asyncio.get_running_loop()
        async with self._locks.setdefault((loop, thread_id), asyncio.Lock()):
            lock = _across_loops.setdefault(thread_id, threading.Lock())
            while not lock.acquire(blocking=False):
                # There is no event that one loop could wait for and the other could set.
                await SYSTEM.sleep(SOON)
            try:
                yield
            finally:
                lock.release()


def _is_gone(other: Plan | None) -> bool:
    """Tell whether someone took a call out of the decision that is carried out."""
    decided = decided_at.get()
    return decided is not None and other is not None and other.turn_id in decided.withdrawn


def _may_be_changed(call: CallName, other: Plan, config: RunnableConfig) -> bool:
    """Tell whether a task has not called in this run what it called in an earlier one.

    Where it still does, beside this call, it does so within a moment.
    """
    was_made = any(was_called(config, one.tool, one.args) for one in other.actions)
    return call.is_at_same_place(other.turn_id) and not was_made


async def _before_edit(call: CallName, made: Collection[str], work: Work) -> CallName:
    """Return the call that one of an edited state is, if it was made before the edit.

    Args:
        made: turns of the calls of this run, which are others.
    """
    edited_at = call.place.edited_at
    assert edited_at is not None
    ended = [
        plan
        for plan in await work.ledger.ended_plans(call.place.thread_id, after=0)
        if plan.turn_id not in made and plan.steps[0].intended_at < edited_at
    ]
    known = (call.before_edit(plan.turn_id) for plan in ended)
    return next((one for one in known if one is not None), call)


async def _has_asked(config: RunnableConfig) -> bool:
    """Tell whether the task that runs has asked a question when it ran before."""
    found = await saver_of(config).aget_tuple(parent_of(config))
    task_id = config["configurable"][CHECKPOINT_NS].rpartition("|")[2].partition(":")[2]
    writes = found.pending_writes or () if found is not None else ()
    return any(write[0] == task_id and write[1] == "__interrupt__" for write in writes)


def _changed(call: CallName, other: Plan) -> ArgumentsChanged:
    [action] = other.actions
    return ArgumentsChanged(
        f"The arguments of {call.tool} changed while its question is open: approval was requested "
        f"for {json.dumps(dict(action.args))}, and the node now calls it with "
        f"{json.dumps(dict(call.args))}. Nothing was done. Compute them in an earlier node, so "
        "that they are the same when this node runs again; new input withdraws the question."
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
            f"{tool} is an effect and was called outside a graph run. Nothing was done; call it "
            "in a node of a graph that is compiled with a checkpointer."
        )
    if path[-1] is True or under_way.get() is not None:
        raise InputRefused(
            f"{tool} is an effect and was called in a task or in another effect. Nothing was "
            "done; call it in the node itself."
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
        why = "they change when stored as JSON: use lists instead of tuples, and text as keys"
    if why is not None:
        raise InputRefused(
            f"The arguments of {tool} cannot be stored: {why}. Nothing was done; use strings, "
            "numbers, lists and mappings."
        )
    return given
