"""The middleware: what the house's graph does about effects, for an agent of `create_agent`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, cast

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    RemoveMessage,
    ToolCall,
    ToolMessage,
)
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.errors import GraphInterrupt
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command, Interrupt
from psycopg import InternalError, OperationalError
from pydantic import ValidationError

from checkpoints.postgres import Postgres
from checkpoints.reach import unavailable
from graph.guarded import GuardedGraph
from graph.middleware.answers import CHECKPOINTER, given_once, parent_of
from graph.middleware.carrying import begun, carrying, left
from graph.middleware.decisions import (
    Place,
    decision_at,
    decision_behind,
    decision_of,
    end_turn,
    next_place,
    places,
)
from graph.middleware.effects import Given, worst
from graph.middleware.telling import came_of, mended, never, untold
from nodes.record import follow
from nodes.work import Resources, Work, acting, person_of, session_of
from state.approvals import Answers, DoubtAnswer
from state.errors import DaybookError, DeclarationError, InputRefused, ThreadBusy
from state.flow import FlowTable
from state.guarantees import Patience
from state.inbox import check_caller, checked_id, misfit
from state.policy import Policy
from tools.domain import Domain, Prompt
from tools.kinds import EffectTool
from tools.registry import Registry

_LOG = logging.getLogger(__name__)

_DURABILITY = "__pregel_durability"

_recovering: ContextVar[bool] = ContextVar("nothing new happens in the thread", default=False)

_SOON = 0.01
_LONG = 10.0
"""Seconds for which a checkpoint is waited for that is written in the background."""

_HERE = "here"
"""The one position of the flow: an agent of `create_agent` may call its tools at any time."""


class Daybook(AgentMiddleware[AgentState[Any], Any, Any]):
    """Carry out the effects of an agent exactly once, or put them before a person as in doubt.

    Tools that change the world are called by the ledger and by nobody else: intent and key are
    written down and approved before the call, what came of it afterwards. Reads go their usual way.

    Example:
        ```python
        async with open_database() as postgres:
            daybook = Daybook(postgres, effects=[write(charge_card, ...)], reads=[look_up])
            agent = create_agent(
                model, [charge_card, look_up], checkpointer=postgres.saver, middleware=[daybook]
            )
        ```

    Args:
        postgres: an open database, or a function that returns it when a run begins.
        effects: tools that change the world, declared with `write` or `hybrid`; one that is given
            as it is is a write of the worst class.
        reads: tools that change nothing, or their names. Each tool of the agent is one or the
            other.
        policy: who must approve what; where it is left out, what the tools declare.
        patience: how long an attempt, a question and an approval may take.
        user: whose thread it is where a run's configuration does not say.
        node_seconds: how long a run waits for something to settle before it goes on without.
        name: of the agent; threads of another one are refused.

    Raises:
        DeclarationError: the tools are declared wrongly; the message says what to write.
    """

    def __init__(
        self,
        postgres: Postgres | Callable[[], Postgres],
        *,
        effects: Iterable[EffectTool | Given],
        reads: Iterable[Given | str] = (),
        policy: Policy | None = None,
        patience: Patience | None = None,
        user: str = "anonymous",
        node_seconds: float = 10,
        name: str = "agent",
    ) -> None:
        self._postgres = postgres
        registry = Registry([worst(one) for one in effects])
        self._domain = Domain(
            name=name,
            registry=registry,
            flow=FlowTable(_HERE, {}, {_HERE: frozenset(registry.names)}),
            prompt=Prompt(system=""),
            policy=policy or Policy(),
        )
        self._reads = frozenset(map(_name_of, reads))
        if both := sorted(self._reads & registry.effects.keys()):
            raise DeclarationError(
                f"{', '.join(both)} stands among the effects and among the reads. A tool that "
                "changes the world is an effect: take it out of reads=[...]."
            )
        self._patience = patience or Patience()
        self._user = user
        self._node_seconds = node_seconds
        self._is_guarded = False
        self._opened: Resources | None = None
        self._carrying = carrying(self._domain, self._work)
        self.tools = []

    # -- what create_agent calls --------------------------------------------------------------

    async def abefore_agent(
        self, state: AgentState[Any], runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Settle what earlier runs left, and tell the model what came of it.

        A plan that nobody has decided on is withdrawn: something new was said.
        """
        place = next_place(state["messages"])
        async with self._admitted(get_config()) as (config, work):
            ledger, thread_id = work.ledger, work.session.thread_id
            if place and (await ledger.open_plan(thread_id) or await ledger.left_over(thread_id)):
                settling = left(self._domain, place.turn_id, is_overtaken=True)
                async with self._at_work(work):
                    await self._carrying.ainvoke(settling, config, durability="exit")
        open_calls = list(untold(state["messages"]))
        if not open_calls:
            return None
        where = {message.id: place for message, place in places(state["messages"])}
        answers: list[ToolMessage] = []
        for message, calls in open_calls:
            answers += await self._came_of(message, calls, where.get(message.id), work)
        whole = mended(state["messages"], answers)
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *whole]}

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Return what was decided here before; ask the model only where nothing was.

        Raises:
            DeclarationError: of a tool of the agent nobody said whether it changes the world.
        """
        self._check_tools(request)
        place = next_place(request.state["messages"])
        async with self._admitted(get_config()) as (_, work):
            decided = await decision_at(place, work) if place is not None else None
        if decided is None:
            return await handler(request)
        return ModelResponse(result=[decided.message(None)])

    async def aafter_model(
        self, state: AgentState[Any], runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Carry out the effects that the model's message calls for, in order."""
        before, message = _last_of_the_model(state["messages"])
        if message is None or not self._effects(message.tool_calls):
            return None
        place = next_place(before)
        if place is None:
            return {"messages": [never(message, c) for c in self._effects(message.tool_calls)]}
        async with self._admitted(get_config()) as (config, work), self._at_work(work):
            await _kept(config)
            decided = await decision_of(place, message, work)
            # Where another process decided here first, that counts.
            message = message if decided.is_of(message) else decided.message(message.id)
            effects = self._effects(message.tool_calls)
            carried = begun(self._domain, place.turn_id, decided.of(effects), decided.salt)
            # A question is kept when it is asked; for all else a restart needs the ledger alone.
            await self._carrying.ainvoke(carried, config, durability="exit")
            answers = await came_of(message, effects, decided, work)
        return {"messages": [message, *answers]}

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """Let reads through. An effect that comes here by another way is not carried out."""
        call = request.tool_call
        if call["name"] in self._reads:
            return await handler(request)
        return ToolMessage(
            f"{call['name']} changes the world and is carried out by the ledger alone; it was "
            "called by another way. Nothing was done.",
            name=call["name"],
            tool_call_id=str(call["id"]),
            status="error",
        )

    async def aafter_agent(
        self, state: AgentState[Any], runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Write down that the turn is done."""
        place = next_place(state["messages"])
        if place is not None:
            async with self._admitted(get_config()) as (_, work):
                await end_turn(place.turn_id, work)
        return None

    # -- what its user calls ------------------------------------------------------------------

    def guarded(self, agent: CompiledStateGraph[Any, Any, Any, Any]) -> GuardedGraph:
        """Guard every run of an agent, for those who let clients at it.

        Each run is alone on its thread, durable after every step, takes one message or an answer to
        the question that waits, and is refused to whoever the thread does not belong to. The
        agent's checkpointer must be `postgres.saver`.
        """
        self._is_guarded = True
        return GuardedGraph.around(agent, self._resources, self._domain.name)

    async def recover(self, agent: CompiledStateGraph[Any, Any, Any, Any], thread_id: str) -> str:
        """Finish what a dead process left of a thread, as far as no person is needed.

        Returns:
            What is left, in words: "finished", "a question waits for a person" or "something is
            not settled yet".

        Raises:
            ThreadBusy: a living process works on the thread.
            DatabaseUnavailable: the database cannot be reached.
        """
        owner = await self._resources().postgres.threads.owner_of(thread_id) or self._user
        config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
        work = self._work(config)
        token = _recovering.set(True)
        try:
            await self._expire(work)
            snapshot = await agent.aget_state(config)
            if snapshot.next and not await self._waits(snapshot.interrupts, work):
                await agent.ainvoke(None, config, durability="sync")
            elif not snapshot.next:
                async with self._alone(work):
                    settling = left(self._domain, "recovered", is_overtaken=False)
                    await self._carrying.ainvoke(settling, config)
            snapshot = await agent.aget_state(config)
            await self._let_rest(work, "waiting" if snapshot.interrupts else "idle")
        finally:
            _recovering.reset(token)
        if snapshot.interrupts:
            return "a question waits for a person"
        ledger = work.ledger
        is_open = await ledger.open_plan(thread_id) or await ledger.left_over(thread_id)
        return "something is not settled yet" if is_open else "finished"

    async def sweep(
        self,
        agent: CompiledStateGraph[Any, Any, Any, Any],
        idle: timedelta = timedelta(minutes=5),
    ) -> dict[str, str]:
        """Recover each of the agent's threads that stands still, as `daybook worker` does for ours.

        Args:
            idle: how long a turn that was cut off is left to its person.

        Returns:
            Thread to what is left of it (see `recover`), or why it could not be recovered; without
            those that somebody works on.
        """
        stalled = self._resources().postgres.stalled
        async with stalled.claimed(self._domain.name, idle) as (found, _):
            pass
        came_of_it = {}
        for one in found:
            try:
                came_of_it[one.thread_id] = await self.recover(agent, one.thread_id)
            except ThreadBusy:
                continue
            except DaybookError as error:
                came_of_it[one.thread_id] = str(error)
            except Exception as error:
                # One thread that fails keeps nothing back of the others.
                _LOG.exception("the thread %s cannot be recovered", one.thread_id)
                came_of_it[one.thread_id] = f"failed: {type(error).__name__}"
        return came_of_it

    # -- what they have in common -------------------------------------------------------------

    def _resources(self) -> Resources:
        postgres = self._postgres if isinstance(self._postgres, Postgres) else self._postgres()
        if self._opened is None or self._opened.postgres is not postgres:
            self._opened = Resources(
                postgres=postgres,
                # No node that is used here asks a model: the agent's own loop does.
                model=cast(BaseChatModel, None),
                user=self._user,
                patience=self._patience,
                node_seconds=self._node_seconds,
            )
        return self._opened

    def _work(self, config: RunnableConfig) -> Work:
        running = self._resources()
        session = session_of(config, running.postgres.tenant_id, running.user)
        return Work(self._domain, running, session)

    @asynccontextmanager
    async def _admitted(self, config: RunnableConfig) -> AsyncIterator[tuple[RunnableConfig, Work]]:
        """Say who acts in whose thread, once it is known that they may; take their answer once.

        Raises:
            InputRefused: there is no thread, or nothing that keeps it.
            ForeignThread, ForeignDomain: it belongs to another user, or to another agent.
            ThreadClosed: what it held was erased.
        """
        configurable = config.get("configurable", {})
        if configurable.get("thread_id") is None or not configurable.get(CHECKPOINTER):
            raise InputRefused(
                "An agent with Daybook needs a checkpointer and a thread, for what it does must be "
                'remembered: create_agent(..., checkpointer=...) and {"configurable": '
                '{"thread_id": ..., "user_id": ...}} as config. Nothing was done.'
            )
        thread_id = checked_id(str(configurable["thread_id"]), "a thread")
        threads = self._resources().postgres.threads

        async def waits(questions: Sequence[Interrupt]) -> bool:
            return await self._waits(questions, self._work(config))

        async with given_once(config, waits):
            who = config
            if not self._is_guarded:
                person = person_of(config, self._user)
                check_caller(person.user_id, person.role)
                owner = await threads.owner_of(thread_id) if person.is_staff else None
                who = acting(config, person, owner or person.user_id)
            work = self._work(who)
            await threads.admits(work.session, self._domain.name, None)
            yield who, work

    @asynccontextmanager
    async def _at_work(self, work: Work) -> AsyncIterator[None]:
        """Run a thread alone; a guarded run does so all the time."""
        if self._is_guarded:
            yield
            return
        async with self._alone(work):
            yield

    @asynccontextmanager
    async def _alone(self, work: Work) -> AsyncIterator[None]:
        """Hold a thread, and be known as its runner, for the length of the block.

        Raises:
            ThreadBusy: another run holds it, or has taken it over meanwhile.
            InputRefused: an answer does not fit its question.
            DatabaseUnavailable: the database went away; what was committed stands.
        """
        postgres, thread_id = work.resources.postgres, work.session.thread_id
        asked: GraphInterrupt | None = None
        try:
            async with postgres.locks.hold(thread_id):
                await postgres.threads.begin(work.session, self._domain.name, None)
                async with postgres.runners.run(work.session, is_news=not _recovering.get()):
                    try:
                        yield
                    except GraphInterrupt as question:
                        # The run has not failed: it waits.
                        asked = question
        except ValidationError as error:
            if error.title not in (Answers.__name__, DoubtAnswer.__name__):
                raise
            raise misfit(error) from error
        except (OperationalError, InternalError) as error:
            await postgres.drop_broken()
            raise unavailable(error) from error
        if asked is not None:
            raise asked

    async def _came_of(
        self, message: AIMessage, calls: Sequence[ToolCall], place: Place | None, work: Work
    ) -> list[ToolMessage]:
        """Answer those calls of an earlier message that have no answer yet."""
        decided = await decision_behind(place, message, work) if place is not None else None
        effects = self._effects(message.tool_calls)
        told = await came_of(message, effects, decided, work) if decided is not None else []
        by_id = {one.tool_call_id: one for one in told}
        return [by_id.get(str(call["id"])) or never(message, call) for call in calls]

    def _effects(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        return [call for call in calls if call["name"] in self._domain.registry.effects]

    def _check_tools(self, request: ModelRequest[Any]) -> None:
        """Refuse an agent with tools of which nobody said whether they change the world.

        Raises:
            DeclarationError: it has some.
        """
        known = self._reads | self._domain.registry.effects.keys()
        names = [tool.name for tool in request.tools if isinstance(tool, BaseTool)]
        if unknown := [name for name in names if name not in known]:
            raise DeclarationError(
                f"The agent has tools of which Daybook was told nothing: {', '.join(unknown)}. "
                "Nothing was done. If one changes the world, put it into Daybook(effects=[...]), "
                "where it is asked about and done once; if it changes nothing, into "
                "Daybook(reads=[...])."
            )

    async def _expire(self, work: Work) -> None:
        """End a question that nobody answered in time."""
        plan_id = await work.ledger.open_plan(work.session.thread_id)
        if plan_id is None:
            return
        async with work.ledger.page(work.session, plan_id) as page:
            plan = await page.plan(plan_id)
            if plan is not None and not plan.decided:
                follow(page, plan, work)

    async def _waits(self, interrupts: Sequence[Interrupt], work: Work) -> bool:
        """Tell whether a question waits that nobody has answered: not its runner's death."""
        asked = {interrupt.value.get("approval_id") for interrupt in interrupts}
        plan_id = await work.ledger.open_plan(work.session.thread_id)
        left_over = await work.ledger.left_over(work.session.thread_id)
        live: set[str | None] = {None}
        for name in filter(None, (plan_id, *(one.plan_id for one in left_over))):
            plan, _ = await work.plan(name)
            live |= {plan.plan_id} if not plan.decided else {one.question for one in plan.steps}
        return bool(asked & live)

    async def _let_rest(self, work: Work, status: str) -> None:
        """Write down that nobody runs a thread, or its dead runner would be found for ever."""
        async with self._alone(work):
            await work.resources.postgres.stalled.rest(work.session.thread_id, status=status)


async def _kept(config: RunnableConfig) -> None:
    """Wait until the checkpoint is stored that holds the message whose effects are carried out.

    One that is written in the background may be lost in a crash, and the message with it: the
    person would say again what was done already.

    Raises:
        InputRefused: it is not written before the run has ended.
    """
    configurable = config["configurable"]
    durability = configurable.get(_DURABILITY, "async")
    if durability == "sync":
        return
    if durability == "exit":
        raise InputRefused(
            'An agent with Daybook cannot run with durability="exit": what is done would be '
            'forgotten in a crash. Nothing was done; use "sync".'
        )
    where = parent_of(config)
    async with asyncio.timeout(_LONG):
        # There is no event to wait for: whoever writes it tells nobody.
        while await configurable[CHECKPOINTER].aget_tuple(where) is None:  # noqa: ASYNC110
            await asyncio.sleep(_SOON)


def _last_of_the_model(
    messages: Sequence[AnyMessage],
) -> tuple[Sequence[AnyMessage], AIMessage | None]:
    """Return the model's last message and what was said before it; a tool's answer may follow."""
    for index, message in reversed(list(enumerate(messages))):
        if isinstance(message, AIMessage):
            return messages[:index], message
    return messages, None


def _name_of(given: Given | str) -> str:
    if isinstance(given, str):
        return given
    return given.name if isinstance(given, BaseTool) else given.__name__
