"""What an effect declares beside its arguments, checked as far as it can be told beforehand."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, get_args

from pydantic import BaseModel

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees, LateSender
from daybook.state.errors import DeclarationError
from daybook.tools.signature import takes_unnamed


def check_declared(
    kind: str, name: str, args: type[BaseModel], declared: Mapping[str, Any]
) -> None:
    """Check what an effect declares beside its arguments, as far as it can be told beforehand.

    Raises:
        DeclarationError: it cannot be made use of.
    """
    _check_words(name, declared)
    if kind == "hybrid" and declared.get("undo") is None:
        raise DeclarationError(
            f"The hybrid {name} takes something and names nothing that gives it back. "
            'Write @hybrid(undo=Undo(tool="...", args=...)), or declare it as a write.'
        )
    for what, signature in _LOOKING.items():
        if what in declared:
            _check_looking(name, what, signature, declared[what])
    _check_reference(name, declared)
    _check_owner(name, declared)
    for what, (given, signature) in _MAKING.items():
        if what in declared:
            _check_function(name, what, declared[what], given, signature)
    named = _Named(args)
    if "operation" in declared:
        _check_operation(name, _tried(name, "operation", declared["operation"], named))
    if "evidence" in declared:
        _check_mapping(name, "evidence", _tried(name, "evidence", declared["evidence"], named))
    if declared.get("undo") is not None:
        _check_undo(name, declared["undo"], named)


def check_undo_fits(name: str, args: type[BaseModel], undo: Any, undoing: type[BaseModel]) -> None:
    """Check that what `undo.args` makes are arguments of the tool that undoes.

    Args:
        name: the tool that is undone.
        args: its arguments.
        undoing: the arguments of the tool that undoes it.

    Raises:
        DeclarationError: one of them is missing, or is none.
    """
    made = _tried(name, "undo", undo.args, _Named(args), _Anything())
    if not isinstance(made, Mapping):
        return
    fields = undoing.model_fields
    missing = [field for field, one in fields.items() if one.is_required() and field not in made]
    takes_any = takes_unnamed(undoing)
    unknown = [field for field in made if field not in fields and not takes_any]
    if missing or unknown:
        raise DeclarationError(
            f"The undo of {name} gives {undo.tool} the arguments {sorted(made)}; it takes "
            f"{sorted(fields)}, of which {missing or 'none'} is missing. Mend the `args` of "
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
    if undo.settled_by or not needs_look(guarantees):
        return
    if guarantees.provable and guarantees.settle is not None:
        # It is looked for before it is sent again.
        return
    raise DeclarationError(
        f"{undo.tool}, the undo of {name}, is sent again when its answer is lost, and nothing says "
        "that it is not done twice then. Write what its service refuses a second one with: "
        f'Undo(tool="{undo.tool}", ..., settled_by=frozenset({{"already_undone"}})); or declare of '
        f"{undo.tool} that its service honours keys: guarantees=Guarantees(honours_key=True, "
        'retention=...); that twice comes to once: Guarantees(late_sender="harmless"); or how '
        "it is looked up, and how long that may lag: probe=..., Guarantees(settle=...)."
    )


def needs_look(guarantees: Guarantees) -> bool:
    """Tell whether an effect that is sent twice may be done twice, for all its service promises."""
    return not (guarantees.honours_key or guarantees.late_sender == "harmless")


_LOOKING = {
    "probe": "async def probe(args, *, ctx) -> list[dict]",
    "observe": "async def observe(args, *, ctx) -> dict",
}

_MAKING = {
    "operation": (1, "operation=lambda args: f\"order/{args['order_id']}/charge\""),
    "evidence": (1, 'evidence=lambda args: {"amount": args["amount"]}'),
    "moved": (2, "moved=lambda then, now: None if then == now else 'the price moved'"),
}

_APPROVALS = ("always", "never")


def _check_words(name: str, declared: Mapping[str, Any]) -> None:
    if (word := declared.get("approval", "always")) not in _APPROVALS:
        raise DeclarationError(
            f"The tool {name} declares approval={word!r}, which is none. Write "
            'approval="always" (a person is asked) or approval="never" (it is written down, and '
            "done)."
        )
    guarantees = declared.get("guarantees", NO_GUARANTEES)
    if not isinstance(guarantees, Guarantees):
        raise DeclarationError(
            f"The tool {name} declares guarantees={guarantees!r}. Write guarantees=Guarantees("
            "honours_key=True, retention=timedelta(hours=24)), or leave it out."
        )
    _check_guarantees(name, guarantees)


def _check_guarantees(name: str, guarantees: Guarantees) -> None:
    none = timedelta(0)
    if guarantees.honours_key != (guarantees.retention > none):
        raise DeclarationError(
            f"The guarantees of the tool {name} say honours_key={guarantees.honours_key} and "
            f"retention={guarantees.retention!r}: a key counts for as long as it is remembered. "
            "Write Guarantees(honours_key=True, retention=timedelta(hours=24)), or neither."
        )
    if guarantees.settle is not None and guarantees.settle < none:
        raise DeclarationError(
            f"The guarantees of the tool {name} say settle={guarantees.settle!r}. Write how long "
            "its effect may lag at most, settle=timedelta(seconds=10), or leave it out where "
            "nobody knows."
        )
    if guarantees.late_sender not in get_args(LateSender):
        raise DeclarationError(
            f"The guarantees of the tool {name} say late_sender={guarantees.late_sender!r}, which "
            f"is none of {', '.join(get_args(LateSender))}."
        )


def _check_looking(name: str, what: str, signature: str, fn: Any) -> None:
    is_async = inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(type(fn).__call__)
    if not callable(fn) or not is_async or not _takes(fn, {}, ctx=None):
        raise DeclarationError(
            f"The {what} of the tool {name} is no asynchronous function of arguments and context. "
            f"Write `{signature}` and give the function itself."
        )


def _check_function(name: str, what: str, fn: Any, given: int, signature: str) -> None:
    if not callable(fn) or not _takes(fn, *({} for _ in range(given))):
        raise DeclarationError(
            f"`{what}` of the tool {name} is no function that can be called with {given} "
            f"mapping{'s' if given > 1 else ''}. Write {signature}."
        )
    if inspect.iscoroutinefunction(fn):
        raise DeclarationError(
            f"`{what}` of the tool {name} is asynchronous, and is made from what is known already: "
            f"nothing may be asked. Write {signature}."
        )


def _check_reference(name: str, declared: Mapping[str, Any]) -> None:
    """Check that an effect which may be looked up, or undone, can be told from every other one.

    Compared by whatever fields they share, an effect would be a duplicate of itself as soon as its
    status moves, and be undone.
    """
    written = 'reference="charge_id": the field of its result that names it'
    reference = declared.get("reference")
    if reference is None:
        wants = [what for what in ("probe", "undo") if declared.get(what) is not None]
        if wants:
            raise DeclarationError(
                f"The tool {name} has {' and '.join(wants)}, and nothing says which effect a "
                f"result shows. Write {written}, or several fields, or a function of the result."
            )
        return
    is_named = isinstance(reference, str) and bool(reference)
    is_listed = (
        isinstance(reference, tuple)
        and bool(reference)
        and all(isinstance(field, str) and field for field in reference)
    )
    if not (is_named or is_listed or (callable(reference) and _takes(reference, {}))):
        raise DeclarationError(
            f"The reference of the tool {name} is {reference!r}, which names nothing. Write "
            f"{written}, a tuple of such fields, or a function of the result."
        )


def _check_owner(name: str, declared: Mapping[str, Any]) -> None:
    owner = declared.get("owner", "user_id")
    if not (isinstance(owner, str) and owner) and not (callable(owner) and _takes(owner, None)):
        raise DeclarationError(
            f'The owner of the tool {name} is {owner!r}. Write owner="user_id", the field in '
            "which its service says whose the effect is, or a function of the session: "
            'owner=lambda session: {"user_id": session.user_id.lower()}.'
        )


def _check_operation(name: str, made: Any) -> None:
    if made is not _UNTRIED and not (isinstance(made, str) and made):
        raise DeclarationError(
            f"`operation` of the tool {name} makes {made!r}, which is no name. Return text that "
            "names the business operation: f\"order/{args['order_id']}/charge\"."
        )


def _check_mapping(name: str, what: str, made: Any) -> None:
    if made is not _UNTRIED and not isinstance(made, Mapping):
        raise DeclarationError(
            f"`{what}` of the tool {name} makes {made!r}, which is no mapping. Write "
            f"{_MAKING[what][1]}."
        )


def _check_undo(name: str, undo: Any, named: _Named) -> None:
    tool, args = getattr(undo, "tool", None), getattr(undo, "args", None)
    written = 'Undo(tool="give_back", args=lambda args, result: {"hold_id": result["id"]})'
    if not isinstance(tool, str) or not callable(args) or not _takes(args, {}, {}):
        raise DeclarationError(
            f"The undo of the tool {name} names no tool, or its `args` is no function of the "
            f"forward arguments and result. Write undo={written}."
        )
    made = _tried(name, "undo", args, named, _Anything())
    if made is not _UNTRIED and not isinstance(made, Mapping):
        raise DeclarationError(
            f"The `args` of the undo of {name} makes {made!r}, which are no arguments. Write "
            f"undo={written}."
        )
    if isinstance(undo.settled_by, str):
        raise DeclarationError(
            f"The undo of {name} is settled by the text {undo.settled_by!r}. Write "
            f"settled_by=frozenset({{{undo.settled_by!r}}})."
        )


_UNTRIED = object()
"""What a function made that cannot be tried without real values."""


def _tried(name: str, what: str, fn: Callable[..., Any], *given: Any) -> Any:
    """Try what a function makes of arguments that have names and no values.

    Raises:
        DeclarationError: it asks for an argument that the tool does not have.
    """
    try:
        return fn(*given)
    except _UnknownArgument as unknown:
        raise DeclarationError(
            f"`{what}` of the tool {name} asks for the argument {unknown.args[0]!r}, which the "
            f"tool does not have. It has {unknown.known}."
        ) from unknown
    except Exception:
        # It computes with values, and these are none.
        return _UNTRIED


def _takes(fn: Callable[..., Any], *args: Any, **given: Any) -> bool:
    try:
        inspect.signature(fn).bind(*args, **given)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


class _UnknownArgument(KeyError):
    def __init__(self, name: Any, known: list[str]) -> None:
        super().__init__(name)
        self.known = known


class _Named(dict[str, str]):
    """Give each argument of a tool a value that is its name."""

    def __init__(self, args: type[BaseModel]) -> None:
        super().__init__({name: name for name in args.model_fields})

    def __missing__(self, name: str) -> str:
        raise _UnknownArgument(name, sorted(self))


class _Anything(dict[str, str]):
    """Give whatever is asked of a result that is not there yet."""

    def __missing__(self, name: str) -> str:
        return str(name)
