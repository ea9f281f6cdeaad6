"""The ledger for a graph of one's own: what its nodes do to the world is done once."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Coroutine, Mapping
from datetime import timedelta
from functools import wraps
from typing import Any, ParamSpec, TypeVar, overload
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool
from langgraph.config import get_config
from langgraph.errors import GraphInterrupt
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import Unpack

from daybook.checkpoints.postgres import Postgres
from daybook.graph.carrying.answers import SCRATCHPAD, SOON
from daybook.graph.carrying.effects import Declared, write
from daybook.graph.carrying.recovery import recovered, swept
from daybook.graph.carrying.running import Running, kept
from daybook.graph.carrying.subgraph import begun, carrying, domain_of, left
from daybook.graph.plain.call import Call, apart, call_of, counted
from daybook.graph.plain.result import is_settled, planned, value
from daybook.nodes.running.work import Work
from daybook.state.effects.guarantees import Patience
from daybook.state.effects.written import unsendable
from daybook.state.errors import DeclarationError, InputRefused
from daybook.state.ledger.plan import Plan
from daybook.state.people.policy import Policy
from daybook.tools.kinds import EffectTool

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Function = Callable[_P, Coroutine[Any, Any, _R]]
_Graph = CompiledStateGraph[Any, Any, Any, Any]


class Ledger:
    """Carry out effects of functions that nodes call exactly once, or put them before a person.

    Each call is written down before it is sent and when it was answered; a node that runs again
    after a crash is given what its record says.

    Example:
        ```python
        ledger = Ledger(lambda: opened[-1])

        @ledger.effect(operation=lambda args: f"order/{args['order_id']}/charge", ...)
        async def charge(order_id: str, cents: int) -> dict:
            ...

        async def pay(state, config):
            return {"receipt": await charge(state["order"], cents=4_200)}
        ```

    Args:
        postgres: an open database, or a function that returns it when an effect is called.
        policy: who must approve what; where it is left out, what the effects declare.
        patience: how long an attempt, a question and an approval may take.
        user: whose thread it is where a run's configuration does not say.
        node_seconds: how long a call waits for something to settle.
        name: of the graph; threads of another one are refused.
    """

    def __init__(
        self,
        postgres: Postgres | Callable[[], Postgres],
        *,
        policy: Policy | None = None,
        patience: Patience | None = None,
        user: str = "anonymous",
        node_seconds: float = 10,
        name: str = "graph",
    ) -> None:
        self._name, self._policy = name, policy
        self._given = (postgres, patience or Patience(), user, node_seconds)
        self._node_seconds = node_seconds
        self._effects: dict[str, EffectTool] = {}
        self._made: tuple[Running, _Graph] | None = None
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._asked: dict[str, str] = {}
        self._waiting: set[str] = set()

    @overload
    def effect(self, function: _Function[_P, _R], /) -> _Function[_P, _R]: ...

    @overload
    def effect(
        self, /, **declared: Unpack[Declared]
    ) -> Callable[[_Function[_P, _R]], _Function[_P, _R]]: ...

    def effect(
        self, function: _Function[..., Any] | None = None, /, **declared: Unpack[Declared]
    ) -> Any:
        """Declare an asynchronous function that changes the world, for nodes to call.

        It returns what it returned when it was done, as JSON gives it back. Without a declaration
        it is of the worst class: it is asked about, sent once, and put before a person when no
        answer comes.

        Args:
            function: takes plain arguments and returns what JSON can hold; it may send
                `idempotency_key()` along.
            declared: what else is known of it (see `Declared`).

        Raises:
            DeclarationError: it is declared wrongly; the message says what to write.

        Raises, when the function is called:
            InputRefused: by no node of a graph with a checkpointer and a thread, or with
                arguments that JSON does not hold. Nothing was done.
            EffectDeclined, EffectNotDone: it was not done, for good; a node may go on without.
            EffectUnsettled: nobody knows yet; nothing is done twice. Go on with the thread later.
            ThreadBusy, ForeignThread, ForeignDomain, ThreadClosed, DatabaseUnavailable.
        """

        def around(function: _Function[_P, Any]) -> _Function[_P, Any]:
            tool = _declared(function, declared)
            if tool.name in self._effects:
                raise DeclarationError(
                    f"Two effects are called {tool.name}. Give one function another name: by it "
                    "the ledger knows what was done."
                )
            self._effects[tool.name], self._made = tool, None
            signature = inspect.signature(function)

            @wraps(function)
            async def call(*args: _P.args, **kwargs: _P.kwargs) -> Any:
                given = signature.bind(*args, **kwargs).arguments
                return await self._called(tool.name, given)

            # For `daybook.testing`, which runs it on databases of its own.
            call.__dict__.update(ledger=self, declared=tool)
            return call

        return around if function is None else around(function)

    def use(self, postgres: Postgres, patience: Patience | None = None) -> None:
        """Carry out effects on another database from now on."""
        _, before, user, node_seconds = self._given
        self._given, self._made = (postgres, patience or before, user, node_seconds), None

    async def recover(self, graph: _Graph, thread_id: str) -> str:
        """Finish what a dead process left of a thread (see `Daybook.recover`)."""
        return await recovered(*self._ready(), graph, thread_id)

    async def sweep(self, graph: _Graph, idle: timedelta = timedelta(minutes=5)) -> dict[str, str]:
        """Recover each of the graph's threads with an unfinished effect (see `Daybook.sweep`)."""
        return await swept(*self._ready(), graph, idle)

    def _ready(self) -> tuple[Running, _Graph]:
        """Return what carries out the effects that are declared by now."""
        if self._made is None:
            domain = domain_of(self._name, self._effects.values(), self._policy)
            postgres, patience, user, node_seconds = self._given
            running = Running(domain, postgres, patience, user, node_seconds)
            self._made = running, carrying(domain, running.work)
        return self._made

    async def _called(self, tool: str, args: Mapping[str, Any]) -> Any:
        """Return what a call came to, carrying it out where that was not done before."""
        config = _config_of(tool)
        given = _as_kept(tool, args)
        number = counted(config, tool, given)
        running, _ = self._ready()
        async with running.admitted(config) as (acting, work):
            await kept(acting)
            call = await call_of(acting, tool, given, number)
            plan = await planned(call, work)
            if not is_settled(plan):
                await self._in_turn(call, plan, acting, work)
                plan = await planned(call, work)
        # Not within: an error of the other side takes no answer away from a branch beside this one.
        return await value(plan, call, work)

    async def _in_turn(
        self, call: Call, plan: Plan | None, config: RunnableConfig, work: Work
    ) -> None:
        """Carry a call out after those of other branches, and after what earlier turns left.

        A thread has one question at a time. Whoever comes while that of another branch waits does
        nothing and waits too; when it was answered all of them run again.

        Raises:
            GraphInterrupt: a question waits, of this call or of another one.
        """
        thread_id = call.thread_id
        if call.name in self._waiting or (plan is not None and not plan.over):
            # This is another run: what was asked, was asked before it.
            self._asked.pop(thread_id, None)
            self._waiting.discard(call.name)
        lock = self._locks.setdefault(thread_id, asyncio.Lock())
        until = work.clock.monotonic() + self._node_seconds
        while True:
            async with lock:
                other = await self._other(call, work)
                is_beside = other is not None and other.turn_id.startswith(f"{call.turn}/")
                if not is_beside or other is None or work.clock.monotonic() > until:
                    await self._carried(call, other, config, work, is_overtaken=not is_beside)
                    return
                if self._asked.get(thread_id) == other.plan_id:
                    self._waiting.add(call.name)
                    raise GraphInterrupt(())
            # Its branch comes at any moment. There is no event: it may run elsewhere.
            await work.clock.sleep(SOON)

    async def _other(self, call: Call, work: Work) -> Plan | None:
        """Return the thread's open plan, where it is another call's."""
        name = await work.ledger.open_plan(call.thread_id)
        other = (await work.plan(name))[0] if name is not None else None
        return None if other is None or other.turn_id == call.turn_id else other

    async def _carried(
        self,
        call: Call,
        other: Plan | None,
        config: RunnableConfig,
        work: Work,
        *,
        is_overtaken: bool,
    ) -> None:
        """Finish what else is open in the thread, then carry the call out."""
        running, graph = self._ready()
        async with running.at_work(work):
            try:
                if other is not None or await work.ledger.left_over(call.thread_id):
                    first = left(running.domain, call.turn_id, is_overtaken=is_overtaken)
                    before = await apart(config, call.name[::-1])
                    await graph.ainvoke(first, before, durability="exit")
                now = begun(running.domain, call.turn_id, call.decision, call.salt)
                await graph.ainvoke(now, await apart(config, call.name), durability="exit")
            except GraphInterrupt:
                if asked := await work.ledger.open_plan(call.thread_id):
                    self._asked[call.thread_id] = asked
                raise


def _declared(function: Callable[..., Any], declared: Declared) -> EffectTool:
    """Make an effect of a function.

    Raises:
        DeclarationError: it is no plain asynchronous function, or is declared wrongly.
    """
    name = getattr(function, "__name__", type(function).__name__)
    if not inspect.iscoroutinefunction(function):
        raise DeclarationError(
            f"{name} is not an asynchronous function, and only those can be effects: `async def`."
        )
    kinds = {one.kind for one in inspect.signature(function).parameters.values()}
    if not kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}:
        raise DeclarationError(
            f"{name} takes arguments that have no names. Write each by its name: a person is shown "
            "what is decided on."
        )
    described = inspect.getdoc(function) or name
    tool = StructuredTool.from_function(coroutine=function, name=name, description=described)
    return write(tool, **declared)


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
