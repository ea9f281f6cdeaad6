"""The middleware: what the house's graph does about effects, for an agent of `create_agent`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any

from langchain.agents.middleware.types import (
    AgentMiddleware,
    ModelRequest,
    ModelResponse,
)
from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.runtime import Runtime
from langgraph.types import Command

from daybook.checkpoints.postgres import Postgres
from daybook.graph.carrying.effects import Given, worst
from daybook.graph.carrying.recovery import recovered, swept
from daybook.graph.carrying.running import Running, kept
from daybook.graph.carrying.subgraph import begun, carrying, domain_of, left
from daybook.graph.guarded import GuardedGraph
from daybook.graph.middleware.calls import answerable
from daybook.graph.middleware.decisions import (
    Place,
    decision_at,
    decision_behind,
    decision_of,
    end_turn,
    next_place,
    places,
)
from daybook.graph.middleware.receipts import (
    ReceiptState,
    checked,
    correction_of,
    receipts_of,
    store_receipts,
    without_receipts,
)
from daybook.graph.middleware.telling import came_of, mended, never, untold
from daybook.nodes.running.work import Work
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import DeclarationError
from daybook.state.people.policy import Policy
from daybook.state.receipts import is_receipt
from daybook.tools.kinds import EffectTool


class Daybook(AgentMiddleware[ReceiptState, Any, Any]):
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
        effects: tools that change the world, declared with `write`; one that is given
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

    state_schema = ReceiptState

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
        domain = domain_of(name, [worst(one) for one in effects], policy)
        self._reads = frozenset(map(_name_of, reads))
        if both := sorted(self._reads & domain.registry.effects.keys()):
            raise DeclarationError(
                f"{', '.join(both)} stands among the effects and among the reads. A tool that "
                "changes the world is an effect: take it out of reads=[...]."
            )
        self._running = Running(domain, postgres, patience or Patience(), user, node_seconds)
        self._carrying = carrying(domain, self._running.work)
        self.tools = []

    # -- what create_agent calls --------------------------------------------------------------

    async def abefore_agent(
        self, state: ReceiptState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Settle what earlier runs left, and tell the model what came of it.

        A plan that nobody has decided on is withdrawn: something new was said.
        """
        place = next_place(state["messages"])
        async with self._running.admitted(get_config()) as (config, work):
            ledger, thread_id = work.ledger, work.session.thread_id
            if place and (await ledger.open_plan(thread_id) or await ledger.left_over(thread_id)):
                settling = left(self._running.domain, place.turn_id, is_overtaken=True)
                async with self._running.at_work(work):
                    await self._carrying.ainvoke(settling, config, durability="exit")
        open_calls = list(untold(state["messages"]))
        if not open_calls:
            return None
        where = {message.id: place for message, place in places(state["messages"])}
        answers: list[ToolMessage] = []
        receipts: list[AIMessage] = []
        for message, calls in open_calls:
            place = where.get(message.id)
            answers += await self._came_of(message, calls, place, work)
            if place and (decided := await decision_behind(place, message, work)):
                receipts += await receipts_of(decided, state, work)
        whole = mended(state["messages"], answers)
        return {
            "messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *whole],
            "daybook_receipts": [*state.get("daybook_receipts", ()), *receipts],
        }

    async def abefore_model(
        self, state: ReceiptState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Store the receipts of what was carried out before the model is asked again."""
        return store_receipts(state)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Return what was decided here before; ask the model only where nothing was.

        What it answers is checked against the ledger.

        Raises:
            DeclarationError: of a tool of the agent nobody said whether it changes the world.
        """
        self._check_tools(request)
        place = next_place(request.state["messages"])
        async with self._running.admitted(get_config()) as (_, work):
            decided = await decision_at(place, work) if place is not None else None
        if decided is not None:
            return ModelResponse(result=[decided.message(None)])
        request = request.override(messages=without_receipts(request.messages))
        if place is None:
            return answerable(await handler(request))
        async with self._running.admitted(get_config()) as (_, work):
            return await checked(request, handler, place, work)

    async def aafter_model(
        self, state: ReceiptState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Carry out the effects that the model's message calls for, in order."""
        before, message = _last_of_the_model(state["messages"])
        answered = _answered(state["messages"][len(before) :])
        wanted = self._effects(message.tool_calls) if message is not None else []
        wanted = [call for call in wanted if call["id"] not in answered]
        if message is None or not wanted:
            return None
        place = next_place(before)
        if place is None:
            return {"messages": [never(message, call) for call in wanted]}
        async with (
            self._running.admitted(get_config()) as (config, work),
            self._running.at_work(work),
        ):
            await kept(config)
            decided = await decision_of(place, message, work)
            # Where another process decided here first, that counts.
            message = message if decided.is_of(message) else decided.message(message.id)
            effects = self._effects(message.tool_calls)
            decision = decided.of(effects, but_not=answered)
            carried = begun(self._running.domain, place.turn_id, decision, decided.salt)
            # A question is kept when it is asked; for all else a restart needs the ledger alone.
            await self._carrying.ainvoke(carried, config, durability="exit")
            answers = await came_of(message, effects, decided, work)
            receipts = await receipts_of(decided, state, work)
        told = [answer for answer in answers if answer.tool_call_id not in answered]
        # The receipts wait: a message of type "ai" behind these answers would end the agent's loop.
        waiting = [*state.get("daybook_receipts", ()), *receipts]
        return {"messages": [message, *told], "daybook_receipts": waiting}

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """Let reads through. An effect that comes here by another way is not carried out."""
        call = request.tool_call
        is_nothing = (
            request.tool is None and call["name"] not in self._running.domain.registry.effects
        )
        if call["name"] in self._reads or is_nothing:
            # The agent's loop says of a tool which there is not that there is none.
            return await handler(request)
        return ToolMessage(
            f"{call['name']} changes the world and is carried out by the ledger alone; it was "
            "called by another way. Nothing was done.",
            name=call["name"],
            tool_call_id=str(call["id"]),
            status="error",
        )

    async def aafter_agent(
        self, state: ReceiptState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """Record that the turn is done; correct what the model's text says against the ledger."""
        # Receipts are left where the run ends without another model call: a limit, `return_direct`.
        update = store_receipts(state) or {}
        place = next_place(state["messages"])
        if place is None:
            return update or None
        _, message = _last_of_the_model(state["messages"])
        async with self._running.admitted(get_config()) as (_, work):
            await end_turn(place.turn_id, work)
            correction = await correction_of(message, place.turn_id, work) if message else []
        if correction:
            update["messages"] = [*update.get("messages", ()), *correction]
        return update or None

    # -- what its user calls ------------------------------------------------------------------

    def guarded(self, agent: CompiledStateGraph[Any, Any, Any, Any]) -> GuardedGraph:
        """Guard every run of an agent, for those who let clients at it.

        Each run is alone on its thread, durable after every step, takes one message or an answer to
        the question that waits, and is refused to whoever the thread does not belong to. The
        agent's checkpointer must be `postgres.saver`.
        """
        self._running.is_guarded = True
        return GuardedGraph.around(agent, self._running.resources, self._running.domain.name)

    async def recover(self, agent: CompiledStateGraph[Any, Any, Any, Any], thread_id: str) -> str:
        """Finish what a dead process left of a thread, as far as no person is needed.

        Returns:
            What is left, in words: "finished", "a question waits for a person" or "something is
            not settled yet".

        Raises:
            ThreadBusy: a living process works on the thread.
            DatabaseUnavailable: the database cannot be reached.
        """
        return await recovered(self._running, self._carrying, agent, thread_id)

    async def sweep(
        self, agent: CompiledStateGraph[Any, Any, Any, Any], idle: timedelta = timedelta(minutes=5)
    ) -> dict[str, str]:
        """Recover each of the agent's threads that stands still, as `daybook worker` does for ours.

        Args:
            idle: how long a turn that was cut off is left to its person.

        Returns:
            Thread to what is left of it (see `recover`), or why it could not be recovered; without
            those that somebody works on.
        """
        return await swept(self._running, self._carrying, agent, idle)

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
        return [call for call in calls if call["name"] in self._running.domain.registry.effects]

    def _check_tools(self, request: ModelRequest[Any]) -> None:
        """Refuse an agent with tools of which nobody said whether they change the world.

        Raises:
            DeclarationError: it has some.
        """
        known = self._reads | self._running.domain.registry.effects.keys()
        names = [tool.name for tool in request.tools if isinstance(tool, BaseTool)]
        if unknown := [name for name in names if name not in known]:
            raise DeclarationError(
                f"The agent has tools of which Daybook was told nothing: {', '.join(unknown)}. "
                "Nothing was done. If one changes the world, put it into Daybook(effects=[...]), "
                "where it is asked about and done once; if it changes nothing, into "
                "Daybook(reads=[...])."
            )


def _last_of_the_model(
    messages: Sequence[AnyMessage],
) -> tuple[Sequence[AnyMessage], AIMessage | None]:
    """Return the model's last message and what was said before it; a tool's answer may follow."""
    for index, message in reversed(list(enumerate(messages))):
        if isinstance(message, AIMessage) and not is_receipt(message.id):
            return messages[:index], message
    return messages, None


def _answered(messages: Sequence[AnyMessage]) -> frozenset[str]:
    """Name the calls that another middleware has answered: it refused them, or rejected them."""
    return frozenset(one.tool_call_id for one in messages if isinstance(one, ToolMessage))


def _name_of(given: Given | str) -> str:
    if isinstance(given, str):
        return given
    return given.name if isinstance(given, BaseTool) else given.__name__
