"""The graph as it is exported: durable, one runner a thread, no answer without a question."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, NoReturn, Self, cast

from langchain_core.runnables import RunnableConfig
from langgraph.constants import END, START
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt, StateSnapshot, StateUpdate
from psycopg import InternalError, OperationalError

from daybook.checkpoints.people.threads import is_admitted
from daybook.checkpoints.postgres import Stands
from daybook.checkpoints.reach import unavailable
from daybook.graph.forking import edited, fork
from daybook.graph.resume import (
    by_owner,
    is_resolving,
    live_questions,
    named_in,
    resolving,
)
from daybook.graph.settings.limits import with_steps_for
from daybook.graph.stop import stop_thread
from daybook.graph.tracer import untraced
from daybook.nodes.running.identity import acting, person_of, session_of
from daybook.nodes.running.work import Resources
from daybook.state.errors import (
    ForeignThread,
    InputRefused,
    NothingPending,
    Overtaken,
    StaffMayNot,
    TakenOver,
    ThreadBusy,
    ToolRefused,
    UnknownCheckpoint,
)
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.stopping import is_stop_event
from daybook.state.people.questions.approvals import DECIDED, was_given
from daybook.state.people.questions.question import is_doubt, is_expired
from daybook.state.run_input import (
    check_caller,
    check_edits,
    checked_answer,
    checked_id,
    checked_input,
)
from daybook.state.session import Person

_NO_FORK = frozenset({END, "__copy__"})
"""Nodes as which an update is no fork: the end of the turn, a copy."""

_BEGINS = frozenset({"__input__", START})
"""Nodes as which an update is input, where a thread has not begun or nothing is edited."""

_AS = "receive"
"""The node as which a fork is written, where a client names none: what it writes is the same."""


PLAN = "plan_id"
"""The channel that names the plan in progress, in graphs that carry out one at a time."""

EVENTS = "events"
"""The channel of what happens to a thread without words, in graphs that have one."""


class GuardedGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """Guard every run of a graph.

    All asynchronous ways to run a graph go through `astream` (held in tests/contract), so this is
    the one place. `copy()`, which the server calls on every access, keeps an attribute only when
    the constructor takes it by the same name.
    """

    def __init__(self, *, resources: Callable[[], Resources], domain: str, **parts: Any) -> None:
        super().__init__(**parts)
        self.resources = resources
        self.domain = domain

    @classmethod
    def around(
        cls,
        compiled: CompiledStateGraph[Any, Any, Any, Any],
        resources: Callable[[], Resources],
        domain: str,
    ) -> Self:
        """Make a guarded graph of a compiled one.

        Args:
            domain: the name of its domain; threads of another one are refused.
        """
        parts = {name: value for name, value in vars(compiled).items() if name != "__orig_class__"}
        return cls(resources=resources, domain=domain, **parts)

    async def aget_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot:
        """Return the state of a thread; a question that is over is left out."""
        stands = await super().aget_state(config, subgraphs=subgraphs)
        return await self._live(stands, config)

    async def aget_state_history(
        self, config: RunnableConfig, **options: Any
    ) -> AsyncIterator[StateSnapshot]:
        """Return the states of a thread, newest first; clients find open questions in it."""
        async for stood in super().aget_state_history(config, **options):
            yield await self._live(stood, config)

    async def _live(self, stands: StateSnapshot, config: RunnableConfig) -> StateSnapshot:
        """Leave out the questions that have expired, and those that were answered."""
        if not stands.interrupts:
            return stands
        thread_id, plan_id = config["configurable"]["thread_id"], stands.values.get("plan_id")
        # By the clock that set the deadline.
        plan, now = await self.resources().postgres.ledger.plan(str(thread_id), plan_id or "")
        live = tuple(
            one
            for one in stands.interrupts
            if not (is_expired(one.value, now) or _is_answered(one, plan))
        )
        if len(live) == len(stands.interrupts):
            return stands
        tasks = (
            one._replace(interrupts=tuple(i for i in one.interrupts if i in live))
            for one in stands.tasks
        )
        return stands._replace(interrupts=live, tasks=tuple(tasks))

    async def abulk_update_state(
        self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]
    ) -> RunnableConfig:
        """Edit a checkpoint; a run continues from there with the edited message or state.

        Raises:
            InputRefused: this part of a checkpoint cannot be edited; nothing was changed.
            UnknownCheckpoint: there is no such checkpoint.
            ThreadBusy: a run of the thread is in progress.
            ForeignThread: it belongs to another user.
        """
        if _AS not in self.nodes:
            # Of a domain the server's own rules say who edits, and operators do.
            await self._refuse_a_stranger(config)
        match supersteps:
            case [[StateUpdate(None, as_node)]] if as_node in _NO_FORK:
                return await super().abulk_update_state(config, supersteps)
            case [[StateUpdate(values, as_node)]] if as_node not in _NO_FORK:
                pass
            case _:
                raise InputRefused(
                    "A guarded thread accepts one update at a time, and no values for its end or "
                    "a copy of it. Nothing was changed."
                )
        thread_id = self._thread(config)
        if _AS not in self.nodes:
            raise InputRefused(
                "The state of a guarded graph cannot be edited. Nothing was changed; send a "
                "message, or answer the pending question."
            )
        await self._refuse_a_lost_checkpoint(config)
        postgres = self.resources().postgres
        async with postgres.locks.hold(thread_id):
            stands = await super().aget_state(config)
            is_begun = as_node not in _BEGINS or stands.values
            new = edited(stands, values, self.builder.state_schema) if is_begun else {}
            if as_node in _BEGINS:
                if not new:
                    return await super().abulk_update_state(config, supersteps)
                as_node = None
            turn = stands.values.get("turn")
            entries = await postgres.ledger.turn(thread_id, turn["turn_id"]) if turn else []
            update = StateUpdate(cast(Any, fork(stands, new, entries)), as_node or _AS)
            return await super().abulk_update_state(config, [[update]])

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, **options: Any
    ) -> AsyncIterator[Any]:
        """Run the graph with durability "sync", alone on its thread; then prune.

        Raises:
            InputRefused: the input is invalid, or there is no thread.
            ThreadBusy: another process runs this thread, or has taken it over.
            NothingPending: an answer was given, but no question is open.
            NotSignedIn: the token of the request is no longer valid.
            ForeignThread: the thread belongs to another user.
            StaffMayNot: a clerk or an operator would write in another user's thread.
            ForeignDomain, ForeignWorld: it belongs to another domain, or uses other services.
            ThreadClosed: the thread was erased.
            UnknownCheckpoint: the run was to start from a checkpoint that does not exist.
            ToolRefused: an event was invalid; the rest of the input was processed.
            DatabaseUnavailable: the database became unreachable; committed data is kept.
        """
        resources = self.resources()
        thread_id = self._thread(config)
        assert config is not None
        given = resolving(await self.aget_state(config)) if is_resolving(input) else input
        given = self._without_events(_checked(given, config))
        person = person_of(config, resources.user)
        check_caller(person.user_id, person.role)
        # Before the thread is taken: whoever runs it now is to stop.
        is_stopped = await self._stopped(thread_id, person, _stops_alone(given))
        if isinstance(given, Mapping) and EVENTS not in self.channels:
            # A stop is no input of a graph that takes no events: the thread goes on as it was.
            given = {name: one for name, one in given.items() if name != EVENTS} or None
        try:
            owner = await self._owner(thread_id, person, given)
            config = with_steps_for(acting(config, person, owner), resources.decisions)
            session = session_of(config, resources.postgres.tenant_id)
            async with (
                resources.turns.turn(person.user_id),
                resources.postgres.hold(thread_id, person.token_id) as stands,
            ):
                resources.fresh.pop(thread_id, None)
                resources.refused.pop(thread_id, None)
                # Before anything is stored: the ledger refuses a stranger too, but by then
                # LangGraph has kept the stranger's answer, and would take it for the owner's.
                about = session, self.domain, resources.world, person.token_id
                is_begun = is_admitted(stands.whose, *about[:-1])
                await self._refuse_a_lost_checkpoint(config)
                given = await self._answer(given, stands, config)
                if not is_begun:
                    await resources.postgres.threads.begin(*about)
                async with resources.postgres.runners.run(session, is_news=_is_news(given)) as this:
                    this.gives_back = True
                    try:
                        lasting = {**options, "durability": "sync"}
                        run = super().astream(given, await untraced(config), **lasting)
                        # Closed before lock and lease are given back, or its nodes would go on.
                        # Of a plain graph an effect is not done before its checkpoint is stored.
                        defers = EVENTS in self.channels
                        with resources.postgres.saver.holding(thread_id, defers=defers):
                            async with aclosing(cast(AsyncGenerator[Any], run)) as chunks:
                                async for chunk in chunks:
                                    yield chunk
                    finally:
                        # After the run, all whose background writes are done by now.
                        if thread_id in resources.ended:
                            resources.ended.discard(thread_id)
                            this.prunes = True
        except TakenOver:
            # With the thread it lost its sessions.
            await resources.postgres.drop_broken()
            raise
        except Overtaken as error:
            # Nobody else writes as the runner of a thread that is held, but who took it over.
            await resources.postgres.drop_broken()
            raise TakenOver(thread_id) from error
        except ThreadBusy:
            # Else whoever runs it goes on with what was stopped.
            if not is_stopped:
                raise
        except (OperationalError, InternalError) as error:
            await resources.postgres.drop_broken()
            raise unavailable(error) from error
        if refused := resources.refused.pop(thread_id, None):
            raise ToolRefused(refused)

    def _without_events(self, given: Any) -> Any:
        """Refuse events to a graph that takes none, but for the wish to stop.

        Raises:
            InputRefused: it is given others.
        """
        events = given.get(EVENTS) or () if isinstance(given, Mapping) else ()
        if EVENTS not in self.channels and not all(map(is_stop_event, events)):
            raise InputRefused(
                "This graph takes only messages, answers and stop events. Nothing was done."
            )
        return given

    async def _stopped(self, thread_id: str, person: Person, event_ids: Sequence[str]) -> bool:
        """Stop what is in progress; tell whether that is all that was to be done, and was."""
        for event_id in event_ids:
            try:
                await stop_thread(self.resources(), self.domain, thread_id, person, event_id)
            except ToolRefused:
                # The run says so, as of any event that cannot be taken.
                return False
        return bool(event_ids)

    async def _owner(self, thread_id: str, person: Person, given: Any) -> str:
        """Return the thread's user; staff answer its question, stop it or let it go on.

        Raises:
            StaffMayNot: a clerk would speak in someone else's thread.
        """
        owner = await self.resources().postgres.threads.owner_for(person, thread_id)
        speaks = not isinstance(given, Command) and not _stops_alone(given) and _is_news(given)
        if owner != person.user_id and speaks:
            raise StaffMayNot(thread_id, owner)
        return owner

    def _thread(self, config: RunnableConfig | None) -> str:
        """Return the thread of a run, which must be kept somewhere.

        Raises:
            InputRefused: there is none, or no checkpointer to keep it.
        """
        if self.checkpointer is None:
            raise InputRefused(
                "A run needs a thread, so that its effects are recorded. Nothing was done; create "
                "a thread and run on it."
            )
        thread_id = (config or {}).get("configurable", {}).get("thread_id")
        if thread_id is None:
            raise InputRefused(
                'A run needs a thread: {"configurable": {"thread_id": ..., "user_id": ...}} as '
                "config. Nothing was done."
            )
        return checked_id(str(thread_id), "a thread")

    async def _answer(self, input: Any, head: Stands, config: RunnableConfig) -> Any:
        """Address an answer to the one question that waits.

        A bare answer would be written down before it is checked, and would reach a question that
        nobody has seen where the node had not asked yet.
        """
        if not isinstance(input, Command) or input.resume is None:
            return input
        if one := self._asked(head, config):
            check_edits(input.resume, [one.value])
            return _addressed(input, one)
        stands = await super().aget_state(config)
        check_edits(input.resume, [one.value for one in stands.interrupts])
        plan = await self._plan(stands, config)
        waiting = [one for one in stands.interrupts if not _is_answered(one, plan)]
        if PLAN not in self.channels:
            # Of a ledger's graph, in which several nodes may have asked.
            ledger = self.resources().postgres.ledger
            live = await live_questions(ledger, self._thread(config))
            waiting = [one for one in waiting if named_in(one.value) in live]
        by_id = isinstance(input.resume, dict) and set(input.resume) & {i.id for i in waiting}
        if by_id:
            return input
        if not waiting and stands.next and self._was_taken(input.resume, plan, config):
            return None
        if len(waiting) != 1:
            raise NothingPending("This thread has no pending question. Nothing was done.")
        return _addressed(input, waiting[0])

    def _asked(self, head: Stands, config: RunnableConfig) -> Interrupt | None:
        """Return the question that waits at the head, where it is one and not answered yet."""
        if config["configurable"].get("checkpoint_id") or len(head.questions) != 1:
            return None
        resources = self.resources()
        if self.checkpointer is not resources.postgres.saver:
            return None
        question: Interrupt = head.questions[0]
        plan_id = _plan_asked_about(question)
        if plan_id is None:
            return question
        if head.plan is None or head.plan.plan_id != plan_id or _is_answered(question, head.plan):
            # Of one that is over it is read whether it was answered.
            return None
        resources.fresh[self._thread(config)] = head.plan, head.now
        return question

    async def _plan(self, stands: StateSnapshot, config: RunnableConfig) -> Plan | None:
        thread_id, plan_id = self._thread(config), stands.values.get("plan_id")
        ledger = self.resources().postgres.ledger
        return (await ledger.plan(thread_id, plan_id))[0] if plan_id else None

    def _was_taken(self, answer: Any, plan: Plan | None, config: RunnableConfig) -> bool:
        """Tell whether a thread was cut off after this very answer, so that it only goes on.

        A server that was killed gives it once more: it runs its unfinished runs again.
        """
        session = session_of(config, self.resources().postgres.tenant_id)
        return plan is not None and was_given(answer, plan, session.person)

    async def _refuse_a_stranger(self, config: RunnableConfig) -> None:
        """Refuse an edit in the name of a customer who does not own the thread."""
        thread_id, threads = self._thread(config), self.resources().postgres.threads
        person = person_of(config, self.resources().user)
        owner = await threads.owner_of(thread_id)
        if owner not in (None, await threads.owner_for(person, thread_id)):
            raise ForeignThread(thread_id)

    async def _refuse_a_lost_checkpoint(self, config: RunnableConfig) -> None:
        """Refuse to run from a checkpoint that is not there (pruned, or never was).

        LangGraph would begin the thread again from it, with an empty state that becomes its head.
        """
        if not config["configurable"].get("checkpoint_id"):
            return
        if await self.resources().postgres.saver.aget_tuple(config) is None:
            raise UnknownCheckpoint(
                f"The thread {config['configurable']['thread_id']} has no checkpoint "
                f"{config['configurable']['checkpoint_id']}: of an earlier turn only the last "
                "checkpoint is kept. Nothing was done; run from the head, without a checkpoint id."
            )

    async def aupdate_state(
        self,
        config: RunnableConfig,
        values: Any,
        as_node: str | None = None,
        task_id: str | None = None,
    ) -> RunnableConfig:
        """Write state as a client edits it (see the base class).

        An update that ends the thread at a question withdraws a waiting plan and says so; a
        question about a step in doubt stays open.
        """
        stands = await self.aget_state(config)
        if values is not None or as_node != END or not stands.interrupts:
            return await super().aupdate_state(config, values, as_node, task_id)
        if given := resolving(stands):
            resources, thread_id = self.resources(), self._thread(config)
            owner = await resources.postgres.threads.owner_of(thread_id)
            await self.ainvoke(given, by_owner(config, owner, resources.user))
        return (await self.aget_state(config)).config

    def stream(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse synchronous runs."""
        raise TypeError("Run this graph with ainvoke or astream; it cannot run synchronously.")


def _is_news(given: Any) -> bool:
    """Tell whether something happens, or what stood still is only continued."""
    if isinstance(given, Mapping):
        return any(given.values())
    return given is not None


def _is_answered(question: Interrupt, plan: Plan | None) -> bool:
    """Tell whether someone has answered what a checkpoint asks: the run of that died since.

    A plan that was withdrawn, or ran out of time, still has to be told of.
    """
    if plan is None or _plan_asked_about(question) != plan.plan_id:
        return False
    if not plan.decided and question.value["approval_id"] != plan.question:
        return True
    return any(one.decision in (*DECIDED.values(), "moved") for one in plan.actions)


def _plan_asked_about(question: Interrupt) -> str | None:
    """Name the plan that a question asks to approve; None if it asks about something else."""
    if not isinstance(question.value, dict) or is_doubt(question.value):
        return None
    return question.value.get("plan_id", question.value.get("approval_id"))


def _stops_alone(given: Any) -> list[str]:
    """Return the ids of events that stop what is in progress, where nothing else is given."""
    if not isinstance(given, Mapping) or given.get("messages"):
        return []
    events = given.get("events") or ()
    return [event["id"] for event in events] if all(map(is_stop_event, events)) else []


def _addressed(answer: Command[Any], waiting: Interrupt) -> Command[Any]:
    """Return an answer as one to this question; one that names it stays as it is."""
    resume = answer.resume
    if isinstance(resume, dict) and waiting.id in resume:
        return answer
    return Command(resume={waiting.id: _readdressed(resume, waiting)})


def _readdressed(answer: Any, waiting: Interrupt) -> Any:
    """Return an answer that was given to an earlier putting of the question which waits.

    A question that is put again has another interrupt id, and its approval id stays.
    """
    if isinstance(answer, Mapping) and len(answer) == 1:
        (given,) = answer.values()
        asked = waiting.value.get("approval_id")
        if isinstance(given, Mapping) and asked and given.get("approval_id") == asked:
            return given
    return answer


def _checked(input: Any, config: RunnableConfig) -> Any:
    """Check what a run is given: input, an answer to a question, or None to go on.

    Raises:
        InputRefused: it is none of these. Jumps and rewritten state are no input.
    """
    if input is None:
        return None
    if isinstance(input, Command):
        is_answer = input.update is None and not input.goto and input.graph is None
        if is_answer and input.resume is not None:
            return replace(input, resume=checked_answer(input.resume))
    elif isinstance(input, Mapping):
        return checked_input(input, config["configurable"].get("run_id"))
    raise InputRefused(
        "A run takes only messages, events or an answer to its question. Nothing was done."
    )
