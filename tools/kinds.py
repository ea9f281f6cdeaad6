"""The kinds of tool and how one is declared.

A read produces knowledge. A write changes the world and is audited. A hybrid takes something that
must be given back, and names its compensation. A change alters typed state alone. A plan is a
sequence of effects that the model only triggers. The kind is a type, and code branches on it.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel
from typing_extensions import TypedDict, Unpack

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.effects.outcome import Outcome
from daybook.state.effects.reference import Naming, Reference, naming
from daybook.state.errors import DeclarationError
from daybook.state.money import Money, money_in
from daybook.state.people.policy import Approval
from daybook.state.session import Session
from daybook.tools.boundary import made_or
from daybook.tools.calling import (
    returning_data,
    returning_matches,
    returning_outcome,
    tags_of,
    typed,
    understanding,
)
from daybook.tools.checks.arguments import check_steady
from daybook.tools.checks.tool import (
    check_declared,
    check_returned,
    check_seconds,
    check_tags,
)
from daybook.tools.draft import ActionDraft
from daybook.tools.signature import arguments_of, comparable

Args: TypeAlias = dict[str, Any]
Result: TypeAlias = Mapping[str, Any]
Direction: TypeAlias = Literal["charge", "refund"]


@dataclass(frozen=True)
class Undo:
    """Name the compensation of an effect.

    Attributes:
        tool: an effect of the registry.
        args: makes its arguments from the forward step's arguments and result. Of a duplicate the
            result is what the look-up shows, which may differ from what the arguments asked for.
        settled_by: error codes that mean "already undone" or "not found", which is success.

    Example:
        >>> undo = Undo(
        ...     tool="release_room",
        ...     args=lambda args, result: {"hold_id": result["id"]},
        ...     settled_by=frozenset({"no_hold"}),
        ... )
        >>> undo.args({"room": "Barn"}, {"id": "H-7"})
        {'hold_id': 'H-7'}
    """

    tool: str
    args: Callable[[Result, Result], Args]
    settled_by: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ReadTool:
    """Declare a read; `read` describes the fields."""

    name: str
    description: str
    args: type[BaseModel]
    run: Callable[..., Awaitable[Any]]
    lifetime: float = 0
    tags: tuple[str, ...] = ()
    within: float | None = None
    kind: Literal["read"] = "read"


@dataclass(frozen=True)
class ChangeTool:
    """Declare a change of typed state: it returns an event, which the domain applies."""

    name: str
    description: str
    args: type[BaseModel]
    run: Callable[..., Awaitable[dict[str, Any]]]
    kind: Literal["change"] = "change"


@dataclass(frozen=True)
class EffectTool:
    """Declare a write or a hybrid.

    Attributes:
        run: sends it once and classifies the outcome; no retries of its own.
        service: the name of the provider's guarantees in `Resources.promises`.
        guarantees: what the provider guarantees; default the worst class.
        probe: looks the effect up at the provider by the key; returns all matches.
        reference: what identifies an effect in a result: a field, several, or a function that
            brings results to one form. Nothing else is compared to distinguish effects. Required
            with a probe or an undo.
        evidence: the expected result, from the arguments: the amount, the instrument.
        owner: the expected owner in a result: a field that holds the user's id, or a function of
            the session that returns fields like `evidence` does.
        observe: reads what the effect depends on, before it.
        moved: describes a change between two observations that matters, or returns None.
        undo: the compensation; a hybrid must have one.
        approval: who must approve it: "always" is the customer, "never" nobody, or "clerk",
            "operator".
        expires_after: how long its question waits; remind_after: when notified users are reminded.
            Both only if no rule says so.
        operation: names the business operation when the model calls it directly.
        makes_stale: tags of reads that it outdates, as templates over its arguments.
        money: the argument with the cents that it moves, and the one with the currency, or a
            currency. Without it, policy looks at `amount` and `currency`.
        direction: where that money goes: "charge" takes it from the customer, "refund" gives it
            back. Without it, sums over several questions count it as other money.
        happened: says that it happened, as a template over its arguments (`the mail "{subject}"
            was sent`), for the question to a reviewer.
    """

    name: str
    description: str
    args: type[BaseModel]
    run: Callable[..., Awaitable[Outcome]]
    kind: Literal["write", "hybrid"]
    service: str | None = None
    guarantees: Guarantees = NO_GUARANTEES
    probe: Callable[..., Awaitable[list[Result]]] | None = None
    reference: Reference | None = None
    evidence: Callable[[Result], dict[str, Any]] = lambda args: {}
    owner: Callable[[Session], dict[str, Any]] = lambda session: {}
    observe: Callable[..., Awaitable[dict[str, Any]]] | None = None
    moved: Callable[[Result, Result], str | None] = lambda then, now: (
        None if then == now else f"observed then {dict(then)}, now {dict(now)}"
    )
    undo: Undo | None = None
    approval: Approval = "always"
    expires_after: timedelta | None = None
    remind_after: timedelta | None = None
    operation: Callable[[Result], str] | None = None
    makes_stale: tuple[str, ...] = ()
    money: tuple[str, str] | None = None
    direction: Direction | None = None
    happened: str = ""

    @property
    def reference_of(self) -> Naming | None:
        """Return the function that returns a result's reference; None if none is declared."""
        if self.reference is None:
            return None
        name, what = naming(self.reference), f"`reference` of {self.name}"
        # Of which effect it is nobody knows then, and that is looked after like any such row.
        return lambda result: made_or(lambda: None, what, lambda: name(result))

    def moves(self, args: Result) -> Money | None:
        """Return the money that a call of it moves; None if it is unknown or not declared."""
        return money_in(args, *money) if (money := self.money_of(args)) else None

    def money_of(self, args: Result) -> tuple[str, str] | None:
        """Return the argument with the cents and the one with the currency, or a currency.

        A call without a currency moves money in the argument's default currency.
        """
        if self.money is None:
            return None
        cents, currency = self.money
        field = self.args.model_fields.get(currency)
        is_left_out = field is not None and currency not in args and isinstance(field.default, str)
        return cents, field.default if field is not None and is_left_out else currency

    def happening(self, args: Result) -> str:
        """Say that it happened, by its template, or by its name if the template does not fit."""
        said = tags_of([self.happened], args) if self.happened else []
        return said[0] if said else f"{self.name.replace('_', ' ')} happened"

    def stale_tags(self, args: Result) -> list[str]:
        """Return the tags of the reads that it makes stale."""
        return tags_of(self.makes_stale, comparable(self.args, args))

    def expected(self, args: Result, session: Session) -> dict[str, Any]:
        """Return the expected result: what was approved, and its owner."""
        return {**self.evidence(args), **self.owner(session)}


@dataclass(frozen=True)
class PlanTool:
    """Declare a plan: deterministic steps that the model only triggers."""

    name: str
    description: str
    args: type[BaseModel]
    build: Callable[..., Awaitable[ActionDraft]]
    kind: Literal["plan"] = "plan"


Tool: TypeAlias = ReadTool | ChangeTool | EffectTool | PlanTool

_Decorated = Callable[..., Awaitable[Any]]


class Declared(TypedDict, total=False):
    """The declaration of an effect; `EffectTool` describes the fields."""

    service: str
    guarantees: Guarantees
    probe: Callable[..., Awaitable[list[Result]]]
    reference: Reference
    evidence: Callable[[Result], dict[str, Any]]
    owner: str | Callable[[Session], dict[str, Any]]
    observe: Callable[..., Awaitable[dict[str, Any]]]
    moved: Callable[[Result, Result], str | None]
    undo: Undo
    approval: Approval
    expires_after: timedelta
    remind_after: timedelta
    operation: Callable[[Result], str]
    makes_stale: tuple[str, ...]
    money: tuple[str, str]
    direction: Direction
    happened: str


def read(
    *, lifetime: float = 0, tags: tuple[str, ...] = (), within: float | None = None
) -> Callable[[_Decorated], ReadTool]:
    """Declare an async function as a read: it changes nothing and can be cached.

    Args:
        lifetime: seconds for which its result may be repeated in the same thread; 0 is never.
        tags: what makes it stale, as templates over its arguments (`order:{order_id}`).
        within: seconds that it may take; default `Patience.budget`. A read that asks a model
            (`ctx.scope`) waits for the model too, and should declare more.

    Raises:
        DeclarationError: the declaration is invalid; the message says what to write.

    Example:
        >>> @read(lifetime=60, tags=("order:{order_id}",))
        ... async def find_order(order_id: str, *, ctx: Any) -> Any:
        ...     "Look an order up."
        ...     return await ctx.services.get(f"/orders/{order_id}")
        >>> find_order.name, find_order.description
        ('find_order', 'Look an order up.')
    """

    def declare(fn: _Decorated) -> ReadTool:
        name, words, args = _read_from(fn)
        check_seconds(name, lifetime=lifetime, within=within)
        check_tags(name, args, tags)
        run = returning_data(typed(fn, args))
        return ReadTool(name, words, args, run, lifetime, tags, within)

    return declare


def change(fn: _Decorated) -> ChangeTool:
    """Declare an async function as a change of state; it returns an event.

    Nothing outside is changed: the domain's `apply` applies the event to the state.

    Raises:
        DeclarationError: the declaration is invalid; the message says what to write.

    Example:
        >>> @change
        ... async def note_meeting(people: int, *, ctx: Any) -> Any:
        ...     "Note how many come."
        ...     return {"type": "noted", "people": people}
        >>> note_meeting.kind
        'change'
    """
    name, words, args = _read_from(fn)
    return ChangeTool(name, words, args, returning_data(typed(fn, args)))


def plan(fn: _Decorated) -> PlanTool:
    """Declare an async function as a plan; it returns an `ActionDraft`.

    The model calls it by its name; the plan is approved as a whole and carried out step by
    step. Raise `ToolRefused` if the plan is not possible.

    Raises:
        DeclarationError: the declaration is invalid; the message says what to write.

    Example:
        >>> from daybook.tools.draft import StepDraft
        >>> @plan
        ... async def book(room: str, *, ctx: Any) -> ActionDraft:
        ...     "Book a room."
        ...     step = StepDraft("book", "book_room", f"room/{room}", {"room": room}, pivot=True)
        ...     return ActionDraft("book", {"room": room}, f"Book {room}", (step,))
        >>> book.kind
        'plan'
    """
    name, words, args = _read_from(fn)
    check_returned(fn, (ActionDraft,), "an ActionDraft. Write `-> ActionDraft`")
    check_steady(name, args)
    drafted = typed(fn, args)

    async def build(**given: Any) -> ActionDraft:
        draft = await drafted(**given)
        # What is annotated as Any can be anything.
        if not isinstance(draft, ActionDraft):
            raise DeclarationError(
                f"The plan {name} returned {type(draft).__name__}, not a draft. Nothing was "
                "written; return an ActionDraft, or raise ToolRefused if the plan is not possible."
            )
        return draft

    return PlanTool(name, words, args, build)


def write(**declared: Unpack[Declared]) -> Callable[[_Decorated], EffectTool]:
    """Declare an async function as a write: an effect at a service.

    It sends once, keeps `ctx.deadline`, and returns the outcome; it may raise `ToolRefused` or
    `ServiceUnavailable` before it sends, and nothing else on purpose.

    Args:
        declared: what is known about it (see `EffectTool`); the default is the worst class.

    Raises:
        DeclarationError: the declaration is invalid; the message says what to write.

    Example:
        >>> @write(operation=lambda args: f"order/{args['order_id']}/invoice", approval="never")
        ... async def send_invoice(order_id: str, *, ctx: Any) -> Outcome:
        ...     "Send the invoice of an order."
        ...     return await ctx.services.post(
        ...         "/invoices", {"order": order_id}, key=ctx.key, deadline=ctx.deadline
        ...     )
        >>> send_invoice.operation({"order_id": "O-1"})
        'order/O-1/invoice'
    """
    return _effect("write", declared)


def hybrid(**declared: Unpack[Declared]) -> Callable[[_Decorated], EffectTool]:
    """Declare an async function as a hybrid: an effect that must be undone or used.

    Args:
        declared: what is known about it (see `EffectTool`), at least its `undo`.

    Raises:
        DeclarationError: there is no `undo`, or it is declared wrongly.

    Example:
        >>> @hybrid(
        ...     reference="id",
        ...     undo=Undo("release_room", lambda args, result: {"hold_id": result["id"]}),
        ... )
        ... async def hold_room(room: str, *, ctx: Any) -> Outcome:
        ...     "Hold a room for a while."
        ...     return await ctx.services.post(
        ...         "/holds", {"room": room}, key=ctx.key, deadline=ctx.deadline
        ...     )
        >>> hold_room.undo.tool
        'release_room'
    """
    return _effect("hybrid", declared)


def tool_of(declared: Tool | _Decorated) -> Tool:
    """Take a declared tool as it is; what says nothing is a write of the worst class.

    Such a write honours no key, has no probe and needs approval.
    """
    # An effect of a `Ledger` carries what is declared of it.
    declared = getattr(declared, "declared", declared)
    if isinstance(declared, ReadTool | ChangeTool | EffectTool | PlanTool):
        return declared
    return write()(declared)


def _effect(
    kind: Literal["write", "hybrid"], declared: Declared
) -> Callable[[_Decorated], EffectTool]:
    def declare(fn: _Decorated) -> EffectTool:
        name, words, args = _read_from(fn)
        check_returned(
            fn,
            typing.get_args(Outcome),
            "what came of it. Write `-> Outcome` and return Confirmed({...}), Declined, NotSent or "
            "Unknown",
        )
        check_tags(name, args, declared.get("makes_stale", ()))
        return effect_of(kind, name, words, args, typed(fn, args), declared)

    return declare


def effect_of(
    kind: Literal["write", "hybrid"],
    name: str,
    description: str,
    args: type[BaseModel],
    run: Callable[..., Awaitable[Any]],
    declared: Declared,
) -> EffectTool:
    """Make an effect of its parts, for those who declare tools that are no functions of ours.

    Args:
        run: is called with the arguments by name and `ctx`, and returns an outcome; whatever else
            it returns is unknown.

    Raises:
        DeclarationError: what is declared of it cannot be made use of.
    """
    if unknown := sorted(declared.keys() - Declared.__annotations__.keys()):
        raise DeclarationError(
            f"The tool {name} declares {', '.join(unknown)}, which does not exist. It may declare "
            f"{', '.join(sorted(Declared.__annotations__))}."
        )
    check_steady(name, args)
    check_declared(kind, name, args, declared)
    classified = returning_outcome(run)
    return EffectTool(name, description, args, classified, kind, **_looking(args, declared))


def _read_from(fn: _Decorated) -> tuple[str, str, type[BaseModel]]:
    """Read name, description and arguments from a function: what the model is shown.

    The description is the first paragraph of the docstring.
    """
    name = getattr(fn, "__name__", type(fn).__name__)
    if not inspect.iscoroutinefunction(fn) or not inspect.isroutine(fn):
        raise DeclarationError(f"The tool {name} is not asynchronous. Write `async def`.")
    text = inspect.getdoc(fn)
    if not text:
        raise DeclarationError(f"The tool {name} has no docstring. Write one: the model reads it.")
    return name, " ".join(text.split("\n\n")[0].split()), arguments_of(fn)


def _looking(model: type[BaseModel], declared: Declared) -> dict[str, Any]:
    """Let what looks from outside return plain data.

    What is declared beside the function is given the arguments as the function understands them.
    """
    looking: dict[str, Any] = {**declared}
    if isinstance(field := declared.get("owner"), str):
        looking["owner"] = lambda session: {field: session.user_id}
    if "evidence" in declared:
        looking["evidence"] = understanding(model, declared["evidence"])
    if "probe" in declared:
        looking["probe"] = returning_matches(understanding(model, declared["probe"]))
    if "observe" in declared:
        looking["observe"] = returning_data(understanding(model, declared["observe"]))
    if (undo := declared.get("undo")) is not None:
        looking["undo"] = replace(undo, args=understanding(model, undo.args))
    return looking
