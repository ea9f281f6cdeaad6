"""Check what a tool declares beside its arguments, as far as possible before it runs."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from datetime import timedelta
from string import Formatter
from typing import Any, get_args

from pydantic import BaseModel

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees, LateSender
from daybook.state.errors import DeclarationError
from daybook.state.people.policy import Approval
from daybook.tools.signature import hints_of, misnamed


def check_returned(fn: Callable[..., Any], allowed: tuple[Any, ...], wanted: str) -> None:
    """Check that a tool is annotated to return one or several of the types that its kind must.

    Raises:
        DeclarationError: it is annotated otherwise, or not at all.
    """
    returned = hints_of(fn).get("return")
    parts = get_args(returned) or (returned,)
    if returned is not Any and not set(parts) <= set(allowed):
        raise DeclarationError(
            f"The tool {fn.__name__} is annotated to return {_named(returned)}, and must return "
            f"{wanted}."
        )


def _named(hint: Any) -> str:
    return "nothing" if hint is None else getattr(hint, "__name__", str(hint))


def check_tags(name: str, args: type[BaseModel], tags: tuple[str, ...]) -> None:
    """Check that tags are made of arguments that are always there.

    Raises:
        DeclarationError: a tag names another.
    """
    fields = args.model_fields.items()
    always = [one for one, field in fields if type(None) not in get_args(field.annotation)]
    for tag in tags:
        for _, field, _, _ in Formatter().parse(tag):
            if field is not None and field not in always:
                raise DeclarationError(
                    f"The tag {tag} of the tool {name} uses {field!r}, which is not a required "
                    f"argument. Use one of {always or 'none'}, or a tag without arguments."
                )


def check_seconds(name: str, *, lifetime: Any, within: Any) -> None:
    """Check how long a read's result may be repeated, and how long the read may take.

    Raises:
        DeclarationError: one of them is no number of seconds.
    """
    if not _is_seconds(lifetime) or not (within is None or (_is_seconds(within) and within)):
        raise DeclarationError(
            f"The read {name} has lifetime={lifetime!r} and within={within!r}, which must be "
            "numbers of seconds. Write @read(lifetime=60, within=30), or leave them out."
        )


def _is_seconds(given: Any) -> bool:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return is_number and 0 <= given < math.inf


def check_declared(
    kind: str, name: str, args: type[BaseModel], declared: Mapping[str, Any]
) -> None:
    """Check what an effect declares beside its arguments, as far as it can be told beforehand.

    Raises:
        DeclarationError: it cannot be made use of.
    """
    if kind == "hybrid" and declared.get("undo") is None:
        raise DeclarationError(
            f'The hybrid {name} has no undo. Write @hybrid(undo=Undo(tool="...", args=...)), or '
            "declare it as a write."
        )
    for what, (is_usable, how) in _FORMS.items():
        if what in declared and not is_usable(declared[what]):
            raise _unusable(name, what, f"is {declared[what]!r}", how)
    _check_guarantees(name, declared.get("guarantees", NO_GUARANTEES))
    # Compared by whatever fields they share, an effect would be a duplicate of itself as soon as
    # its status moves, and be undone.
    wants = [what for what in ("probe", "undo") if declared.get(what) is not None]
    if wants and declared.get("reference") is None:
        raise DeclarationError(
            f"The tool {name} has {' and '.join(wants)}, but nothing declares which field "
            f"identifies the effect. Write {_FORMS['reference'][1]}."
        )
    for what, makes in (("operation", str), ("evidence", Mapping)):
        if what in declared:
            _check_made(name, what, makes, _tried(name, what, declared[what], _Named(args)))
    if (undo := declared.get("undo")) is not None:
        _check_made(name, "undo", Mapping, _tried(name, "undo", undo.args, _Named(args), _Result()))


def check_undo_fits(name: str, args: type[BaseModel], undo: Any, undoing: type[BaseModel]) -> None:
    """Check that what the undo of a tool makes are arguments of the tool that undoes it.

    Raises:
        DeclarationError: one of them is missing, or is none.
    """
    made = _tried(name, "undo", undo.args, _Named(args), _Result())
    if isinstance(made, Mapping) and (why := misnamed(undoing, made)):
        raise DeclarationError(
            f"The undo of {name} gives {undo.tool} {why}. Correct the `args` of "
            f'Undo(tool="{undo.tool}", args=...).'
        )


def check_undo_repeats(name: str, undo: Any, guarantees: Guarantees) -> None:
    """Check that an undo which is sent again after a lost answer is not done twice.

    Args:
        name: the tool that is undone.
        guarantees: of the tool that undoes it.

    Raises:
        DeclarationError: nothing keeps it from that.
    """
    is_once = guarantees.honours_key or guarantees.late_sender == "harmless"
    is_looked_for = guarantees.provable and guarantees.settle is not None
    if undo.settled_by or is_once or is_looked_for:
        return
    raise DeclarationError(
        f"{undo.tool}, the undo of {name}, is retried when its answer is lost, but nothing "
        "declares that a retry is safe. Declare the error code with which its service refuses a "
        f'second one: Undo(tool="{undo.tool}", ..., settled_by=frozenset({{"already_undone"}})); '
        f"or declare on {undo.tool} that its service honours keys: "
        "guarantees=Guarantees(honours_key=True, retention=...); that a second call has no "
        'further effect: Guarantees(late_sender="harmless"); or how it is looked up, with its max '
        "lag: probe=..., Guarantees(settle=...)."
    )


def _check_guarantees(name: str, guarantees: Guarantees) -> None:
    none = timedelta(0)
    if guarantees.honours_key != (guarantees.retention > none):
        what = (
            f"honours_key={guarantees.honours_key} and retention={guarantees.retention!r}: a key "
            "counts for as long as it is remembered. Write Guarantees(honours_key=True, "
            "retention=timedelta(hours=24)), or neither"
        )
    elif guarantees.settle is not None and guarantees.settle < none:
        what = (
            f"settle={guarantees.settle!r}. Give the max lag of its effect, or omit it if it is "
            "not known"
        )
    elif guarantees.late_sender not in get_args(LateSender):
        what = f"late_sender={guarantees.late_sender!r}. Write one of {get_args(LateSender)}"
    else:
        return
    raise DeclarationError(f"The guarantees of the tool {name} say {what}.")


def _takes(fn: Any, *args: Any, **given: Any) -> bool:
    try:
        inspect.signature(fn).bind(*args, **given)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _looks(fn: Any) -> bool:
    is_async = inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(type(fn).__call__)
    return callable(fn) and is_async and _takes(fn, {}, ctx=None)


def _makes(mappings: int) -> Callable[[Any], bool]:
    """Tell what is a function of so many mappings that asks nobody."""
    given: list[dict[str, Any]] = [{}] * mappings
    return lambda fn: callable(fn) and _takes(fn, *given) and not inspect.iscoroutinefunction(fn)


def _is_field(given: Any) -> bool:
    return isinstance(given, str) and bool(given)


def _is_reference(given: Any) -> bool:
    if isinstance(given, tuple):
        return bool(given) and all(map(_is_field, given))
    return given is None or _is_field(given) or (callable(given) and _takes(given, {}))


def _is_undo(given: Any) -> bool:
    args, settled_by = getattr(given, "args", None), getattr(given, "settled_by", "")
    is_named = isinstance(getattr(given, "tool", None), str)
    return is_named and _makes(2)(args) and not isinstance(settled_by, str)


def _is_while(given: Any) -> bool:
    return isinstance(given, timedelta) and given > timedelta()


_LOOK = "`async def look(args, *, ctx)` and give the function itself"

_FORMS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "approval": (
        lambda given: given in get_args(Approval),
        '"always", "never", "clerk" or "operator"',
    ),
    "expires_after": (_is_while, "timedelta(hours=1)"),
    "remind_after": (_is_while, "timedelta(minutes=10)"),
    "guarantees": (
        lambda given: isinstance(given, Guarantees),
        "guarantees=Guarantees(honours_key=True, retention=timedelta(hours=24)), or leave it out",
    ),
    "direction": (lambda given: given in ("charge", "refund"), '"charge" or "refund"'),
    "probe": (_looks, _LOOK),
    "observe": (_looks, _LOOK),
    "reference": (
        _is_reference,
        'reference="charge_id": the field of its result that names it, a tuple of such fields, or '
        "a function of the result",
    ),
    "owner": (
        lambda given: _is_field(given) or _makes(1)(given),
        'owner="user_id", the field in which its service says whose the effect is, or a function '
        'of the session: owner=lambda session: {"user_id": session.user_id.lower()}',
    ),
    "operation": (
        _makes(1),
        "text that names the business operation, made of the arguments alone: "
        "operation=lambda args: f\"order/{args['order_id']}/charge\"",
    ),
    "evidence": (
        _makes(1),
        'a mapping, made of the arguments alone: evidence=lambda args: {"amount": args["amount"]}',
    ),
    "moved": (
        _makes(2),
        "a function of two observations: "
        "moved=lambda then, now: None if then == now else 'the price moved'",
    ),
    "undo": (
        lambda given: given is None or _is_undo(given),
        'undo=Undo(tool="give_back", args=lambda args, result: {"hold_id": result["id"]}, '
        'settled_by=frozenset({"gone"}))',
    ),
}
"""Of what an effect declares: what can be made use of, and how it is written."""


_UNTRIED = object()
"""What a function made that cannot be tried without real values."""


def _tried(name: str, what: str, fn: Callable[..., Any], *given: Any) -> Any:
    """Try what a function makes of arguments that have names and no values."""
    try:
        return fn(*given)
    except _UnknownArgument as unknown:
        raise DeclarationError(
            f"`{what}` of the tool {name} uses the argument {unknown.args[0]!r}, which the tool "
            f"does not have. Its arguments are {sorted(given[0])}."
        ) from unknown
    except Exception:
        # It computes with values, and these are none.
        return _UNTRIED


def _check_made(name: str, what: str, kind: type, made: Any) -> None:
    if made is not _UNTRIED and not (isinstance(made, kind) and (made or kind is not str)):
        raise _unusable(name, what, f"makes {made!r}", _FORMS[what][1])


def _unusable(name: str, what: str, is_so: str, how: str) -> DeclarationError:
    return DeclarationError(
        f"`{what}` of the tool {name} {is_so}, which cannot be used. Write {how}."
    )


class _UnknownArgument(KeyError):
    """A tool was asked for an argument that it does not have."""


class _Named(dict[str, str]):
    """Give each argument of a tool a value that is its name."""

    def __init__(self, args: type[BaseModel]) -> None:
        super().__init__({name: name for name in args.model_fields})

    def __missing__(self, name: str) -> str:
        raise _UnknownArgument(name)


class _Result(dict[str, str]):
    """Give whatever is asked of a result that is not there yet."""

    def __missing__(self, name: str) -> str:
        return str(name)
