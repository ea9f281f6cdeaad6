"""An effect: a function or tool with side effects, called by nodes and by models alike."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from pydantic import Field

from daybook.state.effects.deadline import Deadline

if TYPE_CHECKING:
    from daybook.graph.ledger.ledger import Ledger

VALUE = "value"
"""The key under which the ledger keeps a result that is no mapping."""

CALL = "call"
"""The parameter by which a function takes its `Call`."""


@dataclass(frozen=True)
class Call:
    """The call in progress: its key, its deadline and its user.

    Attributes:
        key: the idempotency key, the same one after every crash.
        args: the arguments, as they were approved.
        user: the user of the thread.
    """

    key: str
    args: Mapping[str, Any]
    user: str
    _deadline: Deadline

    @property
    def timeout(self) -> float:
        """Return how many seconds are left for an answer, at least 0."""
        return self._deadline.seconds


under_way: ContextVar[Call | None] = ContextVar("the call under way", default=None)
drafting: ContextVar[bool] = ContextVar("effects that are called are drafted", default=False)


def current_call() -> Call:
    """Return the call in progress, for a tool without a `call` parameter.

    Raises:
        LookupError: no effect is running here.
    """
    call = under_way.get()
    if call is None:
        raise LookupError("No effect is running here, so there is no idempotency key.")
    return call


@dataclass(frozen=True)
class Drafted:
    """A call of an effect that is described and not made."""

    tool: str
    args: dict[str, Any]


class Effect(BaseTool):
    """A function or tool whose calls go through a ledger.

    Await it in a node (call it in a node that is no `async def`), give it to `create_agent` or
    `ToolNode` as a tool, or put it into the `Registry` of a `Domain`.

    Attributes:
        ledger: carries out the effect.
        declared: its declaration.
        policy: its approval rules, if it declares any.
    """

    ledger: Any = Field(repr=False, exclude=True)
    declared: Any = Field(repr=False, exclude=True)
    policy: Any = Field(default=None, repr=False, exclude=True)
    function: Any = Field(default=None, repr=False, exclude=True)
    # What it came to that is no success is told to the model as that.
    handle_tool_error: Any = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Carry the effect out in a node, once; return its result as JSON gives it back.

        Raises:
            InputRefused: by no node of a graph with a checkpointer and a thread, or with arguments
                that cannot be kept, or that changed since they were asked about.
            EffectDeclined, EffectNotDone: it was not done, for good.
            EffectUnsettled: nobody knows yet; it is not done twice. Go on with the thread later.
            ThreadBusy, ForeignThread, ForeignDomain, ThreadClosed, DatabaseUnavailable.
        """
        given = self._bound(args, kwargs)
        if drafting.get():
            return Drafted(self.name, given)
        ledger: Ledger = self.ledger
        return ledger.calls.call(self.name, given)

    __hash__ = object.__hash__

    @property
    def __name__(self) -> str:
        return self.name

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        if self.function is not None:
            return dict(inspect.signature(self.function).bind(*args, **kwargs).arguments)
        if args:
            raise TypeError(f"{self.name} is a tool: pass its arguments by name.")
        return kwargs

    # -- as a tool ----------------------------------------------------------------------------

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Take the arguments as the model wrote them: the engine checks them, and says so."""
        return (), {"given": tool_input, "call_id": tool_call_id}

    def _run(self, given: dict[str, Any], call_id: str | None, config: RunnableConfig) -> Any:
        ledger: Ledger = self.ledger
        return ledger.calls.run(ledger.calls.answer_model(self.name, given, call_id))

    async def _arun(
        self, given: dict[str, Any], call_id: str | None, config: RunnableConfig
    ) -> Any:
        ledger: Ledger = self.ledger
        return await ledger.calls.answer_model(self.name, given, call_id)


def value_of(result: Mapping[str, Any]) -> Any:
    """Return what was returned, of what the ledger keeps of it."""
    return result[VALUE] if set(result) == {VALUE} else dict(result)
