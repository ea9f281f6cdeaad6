"""The ledger: effects that are declared with it happen once, or are put to a reviewer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self, overload

from typing_extensions import Unpack

from daybook.state.effects.guarantees import Patience
from daybook.state.errors import DeclarationError, NotInstalled
from daybook.state.run_input import checked_id

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from psycopg_pool import AsyncConnectionPool, ConnectionPool

    from daybook.checkpoints.postgres import Postgres
    from daybook.graph.guarded import GuardedGraph
    from daybook.graph.ledger.calls import Calls
    from daybook.graph.ledger.declare import Declared, Given
    from daybook.graph.ledger.deployment import ServedLedger
    from daybook.graph.ledger.effect import Effect
    from daybook.graph.ledger.middleware import LedgerMiddleware
    from daybook.graph.ledger.savers import LedgerSaver
    from daybook.state.people.policy import Policy
    from daybook.state.receipts import ReceiptLine

    _Compiled = CompiledStateGraph[Any, Any, Any, Any]


class Ledger:
    """Carry out effects exactly once, or put them to a reviewer as in doubt.

    Each call is recorded before it is sent and when it is answered. A node that runs again
    after a crash gets the recorded result.

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
        database: a URL, an open `Postgres` or a pool of psycopg (its URL); else DATABASE_URL, or an
            embedded Postgres. It is opened on first use; `async with ledger` opens and
            closes it around all runs.
        schema: the schema of the ledger's tables; default DAYBOOK_SCHEMA.
        name: of the program ("agent"), text without a slash: threads of another one on the same
            database are refused. Programs that share a database must each have a name.
        user: the user of threads whose run configuration names none.
        policy: approval rules; where none matches, the declarations of the effects.
        patience: time limits of attempts, questions and approvals.
        node_seconds: how long a call waits for an unknown outcome.
        stored_types: models, dataclasses and enums of your state, if `ledger.saver` stores it.
    """

    def __init__(
        self,
        database: str | Postgres | AsyncConnectionPool[Any] | ConnectionPool[Any] | None = None,
        *,
        schema: str | None = None,
        name: str | None = None,
        user: str = "anonymous",
        policy: Policy | None = None,
        patience: Patience | None = None,
        node_seconds: float = 10,
        stored_types: Sequence[type] = (),
    ) -> None:
        if name is not None:
            checked_id(name, "a program")
        self.effects: dict[str, Effect] = {}
        self._database = database, schema, stored_types
        self._terms = name, user, policy, patience or Patience(), node_seconds
        self._calls: Calls | None = None
        self._served: ServedLedger | None = None
        self._starts = threading.Lock()

    # -- effects ------------------------------------------------------------------------------

    @overload
    def effect(self, given: Given, /, **declared: Unpack[Declared]) -> Effect: ...

    @overload
    def effect(self, /, **declared: Unpack[Declared]) -> Callable[[Given], Effect]: ...

    def effect(self, given: Given | None = None, /, **declared: Unpack[Declared]) -> Any:
        """Declare a function, or a LangChain or MCP tool, as an effect.

        By default it needs approval, is sent once, and is put to a reviewer if no answer comes.

        Args:
            given: a function (`def` or `async def`) of plain arguments that returns what JSON can
                hold. A parameter `call` is filled in with the `Call` in progress. It may raise or
                return `Declined`, `NotSent` or `Pending`.
            declared: what is known about it (see `Declared`).

        Raises:
            DeclarationError: the declaration is invalid; the message says what to write.
        """
        # Here and below: whoever imports the class pays for what they call.
        from daybook.graph.ledger.declare import effect_from

        def around(given: Given) -> Effect:
            effect = effect_from(self, given, declared)
            if effect.name in self.effects:
                raise DeclarationError(
                    f"Two effects are called {effect.name}. Rename one: the ledger identifies "
                    "effects by name."
                )
            self.effects[effect.name] = effect
            return effect

        return around if given is None else around(given)

    def middleware(self) -> LedgerMiddleware:
        """Return the middleware for `create_agent`; it may be anywhere in the list.

        It records what the model decided, reports the outcomes of earlier calls, adds receipts to
        the messages, and checks the model's text against them. Each agent needs its own.

        Raises:
            NotInstalled: langchain, which the extra `agents` brings, is not installed.
        """
        try:
            from daybook.graph.ledger.middleware import LedgerMiddleware
        except ModuleNotFoundError as error:
            raise NotInstalled("The agent middleware", "agents") from error
        return LedgerMiddleware(self.calls)

    # -- threads ------------------------------------------------------------------------------

    @property
    def saver(self) -> LedgerSaver:
        """Return a checkpointer on the ledger's database, for graphs to be compiled with."""
        return self.calls.database.saver

    async def receipts(self, thread_id: str) -> list[ReceiptLine]:
        """Return the outcome of each effect of a thread, oldest first."""
        from daybook.nodes.past.plans import thread_plans
        from daybook.tools.receipts.lines import receipt_lines

        postgres = await self.calls.database.connect()
        return receipt_lines(await thread_plans(postgres.ledger, thread_id))

    async def recover(self, graph: _Compiled, thread_id: str) -> str:
        """Finish a thread of a dead process, as far as no approval is needed.

        Returns:
            What is left: "finished", "a question waits for an answer", "a step in doubt waits
            for a reviewer" (the thread's next run asks) or "an outcome is not known yet".

        Raises:
            ThreadBusy: another process is working on the thread.
            InputRefused: the thread belongs to another graph.
            DatabaseUnavailable: the database cannot be reached.
        """
        from daybook.graph.ledger.recovery import recover_thread

        await self.calls.database.connect()
        return await recover_thread(self.calls.ready(), graph, thread_id)

    async def sweep(
        self, *graphs: _Compiled, idle: timedelta = timedelta(minutes=5)
    ) -> dict[str, str]:
        """Recover each thread that no process works on; call it every few seconds.

        Args:
            graphs: all graphs that use this ledger; each thread continues in its own.
            idle: how long an interrupted run is left to its user. It must be longer than your
                longest node, because a working run looks like one whose process died.

        Returns:
            Thread to what is left of it (see `recover`), or why it could not be recovered.
        """
        from daybook.graph.ledger.recovery import sweep_threads

        await self.calls.database.connect()
        return await sweep_threads(self.calls.ready(), graphs, idle)

    def guarded(self, graph: _Compiled) -> GuardedGraph:
        """Guard every run of a graph that clients can reach.

        Each run is alone on its thread, durable after every step, takes one message or an answer
        to the open question, and is refused to users whom the thread does not belong to. Its
        checkpointer is `ledger.saver`, and the ledger is open around all runs. Commands and the
        console accept it like a domain.
        """
        from daybook.graph.ledger.deployment import ServedLedger

        self.calls.guard()
        served = ServedLedger(self.calls, graph)
        self._served = self._served or served
        return served.graph

    # -- the database -------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Open the database, which brings its tables up to date.

        It may be opened several times at once, as by each request of a server.
        """
        await self.calls.database.open()
        if self._served is not None:
            self._served.begin()
            self.calls.database.serve()
        return self

    def __enter__(self) -> Self:
        """Open the database for a program without an event loop."""
        self.calls.database.open_without_loop()
        return self

    def __exit__(self, *error: object) -> None:
        """Close it."""
        self.calls.database.close_without_loop()

    async def __aexit__(self, *error: object) -> None:
        """Close the database."""
        if self._served is not None:
            self._served.end()
        await self.calls.database.close()

    def use(self, postgres: Postgres, patience: Patience | None = None) -> None:
        """Switch to another open database (`daybook.testing` uses it)."""
        self.calls.use(postgres, patience)

    @property
    def calls(self) -> Calls:
        """Return the executor of its effects, made when it is first needed.

        A program that only declares effects opens no database.
        """
        with self._starts:
            if self._calls is None:
                from daybook.graph.ledger.calls import Calls, Terms
                from daybook.graph.ledger.database import Database

                terms = Terms(*self._terms)
                self._calls = Calls(self.effects, Database(*self._database, terms.program), terms)
            return self._calls
