"""Declare functions and tools that change the world. They themselves stay as they are."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import Any, Literal, TypeAlias, cast

from langchain_core.tools import BaseTool
from langchain_core.tools import tool as tool_from
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict, Unpack

from daybook.state.context import EffectContext
from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import Reference
from daybook.state.errors import DeclarationError, ServiceUnavailable, ToolRefused
from daybook.state.session import Session
from daybook.tools import kinds
from daybook.tools.checks.arguments import check_named
from daybook.tools.kinds import EffectTool, Result, Undo, effect_of
from daybook.tools.signature import model_of

VALUE = "value"
"""The key under which the ledger keeps a result that is no mapping."""

Exceptions: TypeAlias = tuple[type[Exception], ...] | Callable[[Exception], bool]

Given: TypeAlias = BaseTool | Callable[..., Any]

_TAKEN = frozenset({"self", "config", "run_manager", "callbacks"})
"""Names that langchain fills in or leaves out itself when it calls a tool."""

_call: ContextVar[EffectContext[Any] | None] = ContextVar("the call under way", default=None)


class Declared(TypedDict, total=False):
    """What may be declared of an effect; docs/create_agent.md says for which kind of tool.

    `declines` are exceptions by which the tool says that the request arrived and was refused for
    good; `not_sent` those by which it says that provably nothing was done. Each is a tuple of
    types, or a function that tells of an exception. `EffectTool` says what the others mean.
    """

    operation: Callable[[Result], str]
    guarantees: Guarantees
    probe: Callable[..., Awaitable[list[Result]]]
    reference: Reference
    evidence: Callable[[Result], dict[str, Any]]
    owner: str | Callable[[Session], dict[str, Any]]
    observe: Callable[..., Awaitable[dict[str, Any]]]
    moved: Callable[[Result, Result], str | None]
    undo: Undo
    approval: Literal["always", "never"]
    declines: Exceptions
    not_sent: Exceptions


def write(tool: Given, **declared: Unpack[Declared]) -> EffectTool:
    """Declare a tool of the agent that changes the world.

    Without a declaration it is of the worst class: it is asked about, sent once, and put before a
    person when no answer comes. What takes something that must be given back belongs into a plan of
    a domain: here each call stands by itself, and nothing would follow that gives it back.

    Args:
        tool: a langchain tool, or a function as `create_agent` takes it.
        declared: what else is known of it (see `Declared`).

    Raises:
        DeclarationError: it is declared wrongly; the message says what to write.

    Example:
        >>> from langchain_core.tools import tool
        >>> @tool
        ... async def charge_card(order_id: str, amount: int) -> dict:
        ...     "Charge the card on file; the amount is in cents."
        >>> write(charge_card, operation=lambda args: f"order/{args['order_id']}/charge").name
        'charge_card'
    """
    known = tool if isinstance(tool, BaseTool) else tool_from(tool)
    arguments = _arguments(known)
    _check_given(known.name, arguments)
    looking = declared.copy()
    declines, not_sent = looking.pop("declines", ()), looking.pop("not_sent", ())
    for name, listed in (("declines", declines), ("not_sent", not_sent)):
        _check_exceptions(known.name, name, listed)
    guarantees = looking.get("guarantees", NO_GUARANTEES)
    if isinstance(guarantees, Guarantees) and guarantees.late_sender == "killed":
        # It sends by means of its own, in this process: nobody kills it at its deadline.
        looking["guarantees"] = replace(guarantees, late_sender="accepted")
    effect = effect_of(
        "write",
        known.name,
        known.description,
        arguments,
        _calling(known, declines, not_sent),
        cast("kinds.Declared", looking),
    )
    return replace(effect, observe=_reaching(effect, effect.observe))


def worst(given: Given | EffectTool) -> EffectTool:
    """Take a declared effect as it is; a tool of which nothing is said is of the worst class."""
    return given if isinstance(given, EffectTool) else write(given)


def value_of(result: Mapping[str, Any]) -> Any:
    """Return what was returned, of what the ledger keeps of it."""
    return result[VALUE] if set(result) == {VALUE} else dict(result)


def idempotency_key() -> str:
    """Return the idempotency key of the call under way, for a tool to send along.

    It names the business operation: a call that is made again after a crash has the same one.

    Raises:
        LookupError: no effect is being carried out here.
    """
    return _under_way().key


def seconds_left() -> float:
    """Return how many seconds the call under way still has to be answered; 0 when none.

    Raises:
        LookupError: no effect is being carried out here.
    """
    return _under_way().deadline.seconds


def _under_way() -> EffectContext[Any]:
    context = _call.get()
    if context is None:
        raise LookupError(
            "No effect is being carried out here, so there is no key. It is there while Daybook "
            "calls a tool that was declared with write(...), or a function with `ledger.effect`."
        )
    return context


def _calling(
    tool: BaseTool, declines: Exceptions, not_sent: Exceptions
) -> Callable[..., Awaitable[Outcome]]:
    """Make what calls a tool once and classifies what came of it."""
    # A tool that turns its errors into text would seem to have done what it failed to do.
    raising = tool.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})

    async def run(*, ctx: EffectContext[Any], **args: Any) -> Outcome:
        token = _call.set(ctx)
        try:
            value = await raising.ainvoke(args)
        except Exception as error:
            said = str(error) or type(error).__name__
            if _is_one_of(error, not_sent):
                return NotSent(said)
            if _is_one_of(error, declines):
                return Declined(type(error).__name__, said)
            raise
        finally:
            _call.reset(token)
        if isinstance(value, Confirmed | Declined | NotSent | Unknown):
            return value
        return Confirmed(value if isinstance(value, Mapping) else {VALUE: value})

    return run


def _reaching(
    effect: EffectTool, look: Callable[..., Awaitable[Any]] | None
) -> Callable[..., Awaitable[Any]] | None:
    """Make a look-up whose errors, whatever client it uses, say that the other side is away."""
    if look is None:
        return None

    @wraps(look)
    async def run(*args: Any, **given: Any) -> Any:
        try:
            return await look(*args, **given)
        except (ToolRefused, ServiceUnavailable):
            raise
        except Exception as error:
            raise ServiceUnavailable(
                f"What {effect.name} came to cannot be looked up ({type(error).__name__})."
            ) from error

    return run


def _arguments(tool: BaseTool) -> type[BaseModel]:
    """Return the model of a tool's arguments, which takes no others.

    Raises:
        DeclarationError: the tool needs more than arguments.
    """
    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return _model_of(tool.name, schema)
    if not issubclass(schema, BaseModel):
        raise DeclarationError(
            f"The arguments of the tool {tool.name} are a model of pydantic 1. Write them with "
            "pydantic 2, or leave them to the signature."
        )
    whole = cast("type[BaseModel]", tool.get_input_schema())
    wanted = whole.model_fields.keys() - schema.model_fields.keys()
    if wanted or "ctx" in schema.model_fields:
        raise DeclarationError(
            f"The tool {tool.name} is given {sorted(wanted) or ['ctx']} beside what the model "
            "says. An effect acts on its arguments alone: what a person approves is all that it "
            "does. Make it a plain argument, or read it in the tool."
        )
    strict: type[BaseModel] = type(
        schema.__name__, (schema,), {"model_config": ConfigDict(extra="forbid"), "__doc__": None}
    )
    return strict


def _model_of(name: str, schema: Mapping[str, Any]) -> type[BaseModel]:
    """Make a model of a JSON schema: names only, for the tool itself checks the values."""
    required = schema.get("required", ())
    fields: dict[str, Any] = {
        field: (Any, ... if field in required else None) for field in schema.get("properties", {})
    }
    model = model_of(name, fields, __config__=ConfigDict(extra="forbid"))
    check_named(name, fields, model)
    return model


def _check_given(tool: str, args: type[BaseModel]) -> None:
    """Check that a tool is given each argument that was decided.

    Raises:
        DeclarationError: langchain keeps one of the names for itself.
    """
    if taken := sorted(_TAKEN & args.model_fields.keys()):
        raise DeclarationError(
            f"The tool {tool} takes {', '.join(taken)}, which langchain fills in or leaves out "
            "itself: what a person approved would not be what the tool is given. Give the "
            "argument another name, in a tool of your own that passes it on."
        )


def _is_one_of(error: Exception, listed: Exceptions) -> bool:
    return isinstance(error, listed) if isinstance(listed, tuple) else listed(error)


def _check_exceptions(tool: str, name: str, listed: Any) -> None:
    fits = callable(listed) or (
        isinstance(listed, tuple)
        and all(inspect.isclass(one) and issubclass(one, Exception) for one in listed)
    )
    if not fits or inspect.isclass(listed):
        raise DeclarationError(
            f"`{name}` of the tool {tool} must be a tuple of exceptions that it raises, or a "
            f"function that tells of one. Write {name}=(CardDeclined,)."
        )
