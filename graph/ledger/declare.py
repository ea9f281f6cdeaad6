"""Declarations of effects: what an adopter writes, and what the engine makes of it."""

from __future__ import annotations

import asyncio
import inspect
import re
import typing
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, fields
from datetime import timedelta
from functools import wraps
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from langchain_core.tools import BaseTool, StructuredTool
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

from daybook.graph.ledger.effect import CALL, VALUE, Call, Drafted, Effect, drafting, under_way
from daybook.state.context import EffectContext
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import Reference
from daybook.state.errors import DeclarationError, ServiceUnavailable, ToolRefused
from daybook.state.people.policy import Approval, Policy
from daybook.state.session import Session
from daybook.tools import kinds
from daybook.tools.checks.arguments import check_named
from daybook.tools.kinds import EffectTool, Result, Undo, effect_of
from daybook.tools.signature import model_of

if TYPE_CHECKING:
    from daybook.graph.ledger.ledger import Ledger

Exceptions: TypeAlias = tuple[type[Exception], ...] | Callable[[Exception], bool]
Given: TypeAlias = BaseTool | Callable[..., Any]

_TAKEN = frozenset({"self", "config", "run_manager", "callbacks"})
"""Names that langchain fills in or leaves out itself when it calls a tool."""


_blocking: Counter[str] = Counter()
"""The keys of calls that run in threads of this process."""


class Declared(TypedDict, total=False):
    """The declaration of an effect. By default it needs approval and is sent once.

    Attributes:
        key: names the business operation, as a template over the arguments or a function of them.
            It is done once for this name, in any run or thread.
        id: the field of a result that identifies the effect; or several fields, or a function.
        idempotent_for: how long the provider deduplicates requests by their idempotency key.
        declines_are_final: the provider stores declines under the key too.
        find: looks up all effects under `call.key` at the provider.
        visible_within: the max lag: how late an effect may appear in that look-up.
        expect: the expected result, from arguments and user; a different one goes to a reviewer.
        observe: reads what the effect depends on; if that changed, approval is requested again.
        undo: calls the effect that undoes this one, from arguments and result.
        undone_codes: decline codes of that effect which mean that nothing is left to undo.
        amount: the argument with the money that it moves, in cents; currency: the argument with
            its currency, or a currency ("EUR"). Policy, limits, receipts and questions use them.
        approval: who must approve if no rule matches: "always" (the customer), "never" (nobody),
            "clerk" or "operator"; or rules.
        expires_after: how long its question waits; remind_after: when notified users are reminded.
            Both only if no rule says so.
        declines: exceptions (or a function of one) that mean that the provider declined it.
        not_sent: the same for "nothing was done".
        once_or_more: doing it twice has the same result as once.
    """

    key: str | Callable[[Result], str]
    id: Reference
    idempotent_for: timedelta
    declines_are_final: bool
    find: Callable[[Call], Any]
    visible_within: timedelta
    expect: Callable[[Result, str], dict[str, Any]]
    observe: Callable[[Result], Any]
    undo: Callable[[Result, Result], Any]
    undone_codes: tuple[str, ...]
    amount: str
    currency: str
    approval: Approval | Policy
    expires_after: timedelta
    remind_after: timedelta
    declines: Exceptions
    not_sent: Exceptions
    once_or_more: bool


@dataclass(frozen=True)
class _Expecting(EffectTool):
    """An effect whose expected result is made of arguments and user together."""

    expect: Callable[[Result, str], dict[str, Any]] = lambda args, user: {}

    def expected(self, args: Result, session: Session) -> dict[str, Any]:
        """Say what a result must show."""
        return self.expect(args, session.user_id)


def effect_from(ledger: Ledger, given: Given, declared: Declared) -> Effect:
    """Make an effect of a function or a tool.

    Raises:
        DeclarationError: the declaration is invalid; the message says what to write.
    """
    function = None if isinstance(given, BaseTool) else _plain(given)
    tool = given if isinstance(given, BaseTool) else _tool_of(function or given)
    if unknown := sorted(declared.keys() - Declared.__annotations__.keys()):
        raise DeclarationError(
            f"The effect {tool.name} declares {', '.join(unknown)}, which does not exist. Write "
            f"one of {', '.join(sorted(Declared.__annotations__))}."
        )
    if tool.response_format == "content_and_artifact":
        raise DeclarationError(
            f"The tool {tool.name} returns content and an artifact, but the ledger stores one "
            "result. Return one value, and create the artifact in a tool of your own."
        )
    if _returns_command(given):
        raise DeclarationError(
            f"{tool.name} returns a Command, which the ledger cannot store. Return a value, and "
            "route in the node that calls it."
        )
    approval = declared.get("approval", "always")
    effect = Effect(
        name=tool.name,
        description=tool.description,
        args_schema=tool.tool_call_schema,
        return_direct=tool.return_direct,
        tags=tool.tags,
        metadata=tool.metadata,
        ledger=ledger,
        declared=_engine_effect(tool, declared),
        policy=_about(tool.name, approval) if isinstance(approval, Policy) else None,
        function=function,
    )
    # By these another process finds it (`daybook.testing`).
    for name in ("__module__", "__qualname__"):
        if (found := getattr(given, name, None)) is not None:
            object.__setattr__(effect, name, found)
    return effect


def _about(name: str, policy: Policy) -> Policy:
    about = {"tools": (name,)}
    its = {
        "rules": tuple(one.model_copy(update=about) for one in policy.rules),
        "limits": tuple(one.model_copy(update=about) for one in policy.limits),
    }
    return policy.model_copy(update=its)


def _money(name: str, declared: Declared, arguments: type[BaseModel]) -> tuple[str, str] | None:
    """Return what holds the money of a call.

    Raises:
        DeclarationError: an argument that is named is not there.
    """
    cents, currency = declared.get("amount"), declared.get("currency")
    if cents is None and currency is None:
        return None
    known = arguments.model_fields
    is_code = currency is not None and re.fullmatch("[A-Z]{3}", currency) is not None
    if cents not in known or not (is_code or currency in known):
        raise DeclarationError(
            f"The effect {name} declares amount={cents!r} and currency={currency!r}. Name the "
            "argument that holds the cents, and the one that holds the currency, or a currency "
            f'such as "EUR"; its arguments are {", ".join(known)}.'
        )
    assert cents is not None
    assert currency is not None
    return cents, currency


def _plain(given: Callable[..., Any]) -> Callable[..., Any]:
    """Hide a function's `call`, and fill it in when the function is called.

    Raises:
        DeclarationError: it takes arguments that have no names.
    """
    name = getattr(given, "__name__", type(given).__name__)
    if not inspect.isroutine(given):
        raise DeclarationError(f"{name} is not a function. Write a `def` that calls it.")
    whole = inspect.signature(given)
    kinds_ = {one.kind for one in whole.parameters.values()}
    if not kinds_ <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}:
        raise DeclarationError(
            f"{name} takes positional-only or *args arguments. Name each argument, since an "
            "approver is shown them by name."
        )
    shown = [one for one in whole.parameters.values() if one.name != CALL]

    def more() -> dict[str, Any]:
        return {CALL: under_way.get()} if CALL in whole.parameters else {}

    if inspect.isgeneratorfunction(given) or inspect.isasyncgenfunction(given):
        raise DeclarationError(
            f"{name} is a generator, which does nothing until it is iterated. Return one value."
        )
    if inspect.iscoroutinefunction(given):

        @wraps(given)
        async def run(**args: Any) -> Any:
            return await given(**args, **more())

    else:

        @wraps(given)
        def run(**args: Any) -> Any:
            return given(**args, **more())

    vars(run)["__signature__"] = whole.replace(parameters=shown)
    hints = typing.get_type_hints(given, include_extras=True)
    run.__annotations__ = {one: hints[one] for one in hints if one != CALL}
    return run


def _tool_of(function: Callable[..., Any]) -> BaseTool:
    described = inspect.getdoc(function) or function.__name__
    about: Any = {"name": function.__name__, "description": described}
    if inspect.iscoroutinefunction(function):
        return StructuredTool.from_function(coroutine=function, **about)
    return StructuredTool.from_function(func=function, **about)


def _returns_command(given: Given) -> bool:
    function = getattr(given, "coroutine", None) or getattr(given, "func", None) or given
    try:
        returned = typing.get_type_hints(function).get("return")
    except (TypeError, NameError):
        return False
    return Command in (typing.get_origin(returned), returned, *typing.get_args(returned))


def _engine_effect(tool: BaseTool, declared: Declared) -> EffectTool:
    """Make what the engine is told of an effect."""
    name = tool.name
    arguments = _arguments(tool)
    if taken := sorted(_TAKEN & arguments.model_fields.keys()):
        raise DeclarationError(
            f"The tool {name} takes {', '.join(taken)}, which LangChain fills in or removes "
            "itself, so the tool would not receive what was approved. Wrap it in a tool of your "
            "own that gives the argument another name."
        )
    declines, not_sent = declared.get("declines", ()), declared.get("not_sent", ())
    for what, listed in (("declines", declines), ("not_sent", not_sent)):
        _check_exceptions(name, what, listed)
    approval = declared.get("approval", "always")
    known: dict[str, Any] = {
        "guarantees": _guarantees(name, declared),
        "approval": "always" if isinstance(approval, Policy) else approval,
    }
    for name_ in ("expires_after", "remind_after"):
        if (while_ := declared.get(name_)) is not None:
            known[name_] = while_
    if (key := declared.get("key")) is not None:
        known["operation"] = _named_by(name, key, arguments) if isinstance(key, str) else key
    if (reference := declared.get("id")) is not None:
        known["reference"] = reference
    expect = declared.get("expect")
    if expect is not None:
        _check_parameters(name, "expect", expect, "expect=lambda args, user: {...}", 2)
        known["evidence"] = lambda args: expect(args, "")
    if (find := declared.get("find")) is not None:
        _check_parameters(name, "find", find, "async def find(call)", 1)
        known["probe"] = _looking(name, find)
    if (observe := declared.get("observe")) is not None:
        _check_parameters(name, "observe", observe, "async def observe(args)", 1)
        known["observe"] = _observing(name, observe)
    if (undo := declared.get("undo")) is not None:
        known["undo"] = _undoing(name, undo, declared.get("undone_codes", ()))
    if (money := _money(name, declared, arguments)) is not None:
        known["money"] = money
    run = _calling(tool, declines, not_sent)
    effect = effect_of(
        "write", name, tool.description, arguments, run, cast("kinds.Declared", known)
    )
    if expect is None:
        return effect
    parts = {one.name: getattr(effect, one.name) for one in fields(EffectTool)}
    return _Expecting(**{**parts, "evidence": lambda args: {}}, expect=expect)


def _guarantees(name: str, declared: Declared) -> Guarantees:
    window = declared.get("idempotent_for")
    if window is not None and not isinstance(window, timedelta):
        raise DeclarationError(
            f"`idempotent_for` of {name} must be a timedelta: idempotent_for=timedelta(hours=24)."
        )
    if declared.get("declines_are_final") and window is None:
        raise DeclarationError(
            f"{name} declares declines_are_final, which the provider can only keep under a key. "
            "Declare idempotent_for=timedelta(...) too, or leave it out."
        )
    if "visible_within" in declared and "find" not in declared and window is None:
        raise DeclarationError(
            f"{name} declares visible_within, but no look-up. Declare find=... too."
        )
    return Guarantees(
        honours_key=window is not None,
        retention=window or timedelta(),
        stores_failures=declared.get("declines_are_final", False),
        settle=declared.get("visible_within"),
        # It sends by means of its own, in this process: nobody kills it at its deadline.
        late_sender="harmless" if declared.get("once_or_more") else "accepted",
    )


def _named_by(name: str, template: str, arguments: type[BaseModel]) -> Callable[[Result], str]:
    """Make what names the operation from a template over the arguments."""
    wanted = [field for _, field, _, _ in Formatter().parse(template) if field is not None]
    if missing := sorted(set(wanted) - arguments.model_fields.keys()):
        raise DeclarationError(
            f"The key of {name} names {', '.join(missing) or 'nothing'}, but its arguments are "
            f'{", ".join(arguments.model_fields)}. Write key="order/{{order_id}}/{name}" with '
            "arguments in the braces."
        )

    def operation_name(args: Result) -> str:
        parts = {field: args.get(field) for field in wanted}
        if empty := [field for field, value in parts.items() if value is None or value == ""]:
            raise ToolRefused(f"{name} needs {', '.join(empty)}, which its key names.")
        # Else two pairs of arguments could have one name.
        return template.format_map({one: escaped(str(value)) for one, value in parts.items()})

    return operation_name


def escaped(value: str) -> str:
    """Write a part of a name so that it holds no slash."""
    return value.replace("%", "%25").replace("/", "%2F")


def _calling(
    tool: BaseTool, declines: Exceptions, not_sent: Exceptions
) -> Callable[..., Awaitable[Outcome]]:
    """Make what calls a tool once and classifies the outcome."""
    # A tool that turns its errors into text would seem to have done what it failed to do.
    raising = tool.model_copy(update={"handle_tool_error": False, "handle_validation_error": False})

    is_blocking = type(tool)._arun in (BaseTool._arun, StructuredTool._arun) and not getattr(
        tool, "coroutine", None
    )

    def block(key: str, args: dict[str, Any]) -> Any:
        try:
            return raising.invoke(args)
        finally:
            _blocking.subtract([key])

    async def run(*, ctx: EffectContext[Any], **args: Any) -> Outcome:
        token = under_way.set(_call_of(ctx, args))
        try:
            if is_blocking:
                # Nobody can stop a thread: it may still send when its time is over.
                _blocking.update([ctx.key])
                value = await asyncio.to_thread(block, ctx.key, args)
            else:
                value = await raising.ainvoke(args)
            while inspect.isawaitable(value):
                # Of a plain function around an asynchronous one, as decorators make it.
                value = await value
            if isinstance(value, Future | Iterator | AsyncIterator):
                # Nobody can tell what has been done by it yet.
                return Unknown(f"{tool.name} returned something that is still running")
        except (Declined, NotSent, Unknown) as said:
            return said
        except GraphBubbleUp:
            # LangGraph would run the tool again from its beginning, and nobody knows what it sent.
            return Unknown(
                f"{tool.name} calls `interrupt`, which an effect must not do: approval comes "
                "before it runs. Remove the question from the function"
            )
        except Exception as error:
            words = str(error) or type(error).__name__
            if _is_one_of(error, not_sent):
                return NotSent(words)
            if _is_one_of(error, declines):
                return Declined(type(error).__name__, words)
            raise
        finally:
            under_way.reset(token)
        if isinstance(value, Confirmed | Declined | NotSent | Unknown):
            return value
        is_kept_as_it_is = isinstance(value, Mapping) and set(value) != {VALUE}
        return Confirmed(value if is_kept_as_it_is else {VALUE: value})

    return run


def _call_of(ctx: EffectContext[Any], args: Mapping[str, Any]) -> Call:
    return Call(ctx.key, dict(args), ctx.session.user_id, ctx.deadline)


def _looking(name: str, find: Callable[[Call], Any]) -> Callable[..., Awaitable[list[Result]]]:
    async def probe(args: Result, *, ctx: EffectContext[Any]) -> list[Result]:
        # Before the look: it may land, and its thread end, behind what the look has read.
        is_running = _blocking[ctx.key] > 0
        found: list[Result] = await _asked(name, find, _call_of(ctx, args))
        if not found and is_running:
            raise ServiceUnavailable(f"{name} is still running, so its absence proves nothing.")
        return found

    return probe


def _observing(
    name: str, observe: Callable[[Result], Any]
) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def look(args: Result, *, ctx: Any) -> dict[str, Any]:
        seen = await _asked(name, observe, args)
        return dict(seen) if isinstance(seen, Mapping) else {VALUE: seen}

    return look


async def _asked(name: str, look: Callable[..., Any], given: Any) -> Any:
    """Look; what is raised, by whatever client, says that the provider did not answer."""
    try:
        if inspect.iscoroutinefunction(look):
            return await look(given)
        found = await asyncio.to_thread(look, given)
        return await found if inspect.isawaitable(found) else found
    except (ToolRefused, ServiceUnavailable):
        raise
    except Exception as error:
        raise ServiceUnavailable(
            f"The look-up of {name} failed ({type(error).__name__})."
        ) from error


def _undoing(name: str, undo: Callable[[Result, Result], Any], codes: tuple[str, ...]) -> Undo:
    """Find the effect that takes another one back: the one that `undo` calls.

    Raises:
        DeclarationError: it calls none, or several.
    """
    if not callable(undo):
        raise DeclarationError(_UNDO.format(name=name))
    read = inspect.getclosurevars(undo)
    found = {
        id(one): one
        for one in (*read.globals.values(), *read.nonlocals.values())
        if isinstance(one, Effect)
    }
    if len(found) != 1:
        raise DeclarationError(_UNDO.format(name=name))
    [effect] = found.values()

    def args(given: Result, result: Result) -> dict[str, Any]:
        token = drafting.set(True)
        try:
            drafted = undo(given, result)
        finally:
            drafting.reset(token)
        if not isinstance(drafted, Drafted):
            raise TypeError(_UNDO.format(name=name))
        return drafted.args

    return Undo(tool=effect.name, args=args, settled_by=frozenset(codes))


_UNDO = (
    "The undo of {name} must call the one effect that takes it back, which is declared before it: "
    'undo=lambda args, result: refund(charge_id=result["charge_id"]).'
)


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
            f"The arguments of the tool {tool.name} are a pydantic 1 model. Write it with "
            "pydantic 2, or derive it from the signature."
        )
    whole = cast("type[BaseModel]", tool.get_input_schema())
    wanted = whole.model_fields.keys() - schema.model_fields.keys()
    if wanted or "ctx" in schema.model_fields:
        raise DeclarationError(
            f"The tool {tool.name} is injected {sorted(wanted) or ['ctx']} besides its arguments. "
            "An effect may depend only on its arguments, since those are approved. Make it an "
            "ordinary argument, or read it in the tool."
        )
    strict: type[BaseModel] = type(
        schema.__name__, (schema,), {"model_config": ConfigDict(extra="forbid"), "__doc__": None}
    )
    return strict


def _model_of(name: str, schema: Mapping[str, Any]) -> type[BaseModel]:
    """Make a model of a JSON schema: names only, for the tool itself checks the values."""
    required = schema.get("required", ())
    given: dict[str, Any] = {
        field: (Any, ... if field in required else None) for field in schema.get("properties", {})
    }
    model = model_of(name, given, __config__=ConfigDict(extra="forbid"))
    check_named(name, given, model)
    return model


def _is_one_of(error: Exception, listed: Exceptions) -> bool:
    return isinstance(error, listed) if isinstance(listed, tuple) else listed(error)


def _check_exceptions(tool: str, name: str, listed: Any) -> None:
    fits = callable(listed) or (
        isinstance(listed, tuple)
        and all(inspect.isclass(one) and issubclass(one, Exception) for one in listed)
    )
    if not fits or inspect.isclass(listed):
        raise DeclarationError(
            f"`{name}` of the tool {tool} must be a tuple of exception types, or a function that "
            f"takes an exception and returns a bool. Write {name}=(CardDeclined,)."
        )


def _check_parameters(name: str, what: str, given: Any, how: str, count: int) -> None:
    """Check that a declared function takes what it is given.

    Raises:
        DeclarationError: it does not.
    """
    try:
        inspect.signature(given).bind(*range(count))
    except TypeError as error:
        raise DeclarationError(f"`{what}` of {name} cannot be called. Write {how}.") from error
