"""The kinds of tool and how one is declared.

A read produces knowledge. A write changes the world and is audited. A hybrid takes something that
must be given back, and names its compensation. A change alters typed state alone. A plan is a
sequence of effects that the model only triggers. The kind is a type, and code branches on it.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel
from typing_extensions import TypedDict, Unpack

from state.errors import DeclarationError
from state.guarantees import NO_GUARANTEES, Guarantees
from state.outcome import Outcome
from tools.calling import (
    refusing_faults,
    returning_data,
    returning_matches,
    returning_outcome,
    typed,
)
from tools.checks.tool import check_returned, check_tags
from tools.draft import ActionDraft
from tools.signature import arguments_of

Args: TypeAlias = dict[str, Any]
Result: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Undo:
    """Name the compensation of an effect.

    Attributes:
        tool: an effect of the registry.
        args: makes its arguments from the forward step's arguments and result. Of a duplicate the
            result is what the look-up shows, which may differ from what the arguments asked for.
        settled_by: codes of a refusal that mean "already undone" or "not there", which is success.
    """

    tool: str
    args: Callable[[Result, Result], Args]
    settled_by: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ReadTool:
    """Declare a read.

    Attributes:
        lifetime: seconds for which its result may be repeated in the same thread; 0 is never.
        tags: what makes it stale, as templates over its arguments (`order:{order_id}`).
    """

    name: str
    description: str
    args: type[BaseModel]
    run: Callable[..., Awaitable[Any]]
    lifetime: float = 0
    tags: tuple[str, ...] = ()
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
        run: sends it once and classifies what came of it; no retries of its own.
        service: name of the guarantees that the domain has of the other side.
        guarantees: what the other side promises; the worst class unless it says so.
        probe: looks the effect up from outside by the key; returns all matches.
        evidence: what the result must show, from the arguments.
        observe: reads what the effect depends on, before it.
        moved: says what moved between two observations so that it no longer holds, or None.
        undo: the compensation; a hybrid must have one.
        approval: whether a person must approve it.
        operation: names the business operation when the model calls it directly.
        makes_stale: tags of reads that it outdates, as templates over its arguments.
    """

    name: str
    description: str
    args: type[BaseModel]
    run: Callable[..., Awaitable[Outcome]]
    kind: Literal["write", "hybrid"]
    service: str | None = None
    guarantees: Guarantees = NO_GUARANTEES
    probe: Callable[..., Awaitable[list[Result]]] | None = None
    evidence: Callable[[Result], dict[str, Any]] = lambda args: {}
    observe: Callable[..., Awaitable[dict[str, Any]]] | None = None
    moved: Callable[[Result, Result], str | None] = lambda then, now: (
        None if then == now else f"observed then {dict(then)}, now {dict(now)}"
    )
    undo: Undo | None = None
    approval: Literal["always", "never"] = "always"
    operation: Callable[[Result], str] | None = None
    makes_stale: tuple[str, ...] = ()


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
    """What an effect may declare; `EffectTool` says what each means."""

    service: str
    guarantees: Guarantees
    probe: Callable[..., Awaitable[list[Result]]]
    evidence: Callable[[Result], dict[str, Any]]
    observe: Callable[..., Awaitable[dict[str, Any]]]
    moved: Callable[[Result, Result], str | None]
    undo: Undo
    approval: Literal["always", "never"]
    operation: Callable[[Result], str]
    makes_stale: tuple[str, ...]


def read(*, lifetime: float = 0, tags: tuple[str, ...] = ()) -> Callable[[_Decorated], ReadTool]:
    """Declare an async function as a read (see `ReadTool`)."""

    def declare(fn: _Decorated) -> ReadTool:
        name, words, args = _read_from(fn)
        check_tags(name, args, tags)
        return ReadTool(name, words, args, returning_data(typed(fn, args)), lifetime, tags)

    return declare


def change(fn: _Decorated) -> ChangeTool:
    """Declare an async function that returns an event as a change of state."""
    name, words, args = _read_from(fn)
    return ChangeTool(name, words, args, returning_data(typed(refusing_faults(fn), args)))


def plan(fn: _Decorated) -> PlanTool:
    """Declare an async function that returns an `ActionDraft` as a plan."""
    name, words, args = _read_from(fn)
    check_returned(fn, (ActionDraft,), "an ActionDraft. Write `-> ActionDraft`")
    return PlanTool(name, words, args, typed(refusing_faults(fn), args))


def write(**declared: Unpack[Declared]) -> Callable[[_Decorated], EffectTool]:
    """Declare an async function as a write (see `EffectTool` for what may be declared)."""
    return _effect("write", declared)


def hybrid(**declared: Unpack[Declared]) -> Callable[[_Decorated], EffectTool]:
    """Declare an async function as a hybrid; it must name its `undo`.

    Raises:
        DeclarationError: there is no `undo`.
    """
    return _effect("hybrid", declared)


def tool_of(declared: Tool | _Decorated) -> Tool:
    """Take a declared tool as it is; what says nothing is a write of the worst class.

    Such a write honours no key, has no probe and needs approval.
    """
    if isinstance(declared, ReadTool | ChangeTool | EffectTool | PlanTool):
        return declared
    return write()(declared)


def _effect(
    kind: Literal["write", "hybrid"], declared: Declared
) -> Callable[[_Decorated], EffectTool]:
    def declare(fn: _Decorated) -> EffectTool:
        name, words, args = _read_from(fn)
        if kind == "hybrid" and declared.get("undo") is None:
            raise DeclarationError(
                f"The hybrid {name} takes something and names nothing that gives it back. "
                'Write @hybrid(undo=Undo(tool="...", args=...)), or declare it as a write.'
            )
        check_returned(
            fn,
            typing.get_args(Outcome),
            "what came of it. Write `-> Outcome` and return Confirmed({...}), Declined, NotSent or "
            "Unknown",
        )
        check_tags(name, args, declared.get("makes_stale", ()))
        run = returning_outcome(typed(fn, args))
        return EffectTool(name, words, args, run, kind, **_looking(declared))

    return declare


def _read_from(fn: _Decorated) -> tuple[str, str, type[BaseModel]]:
    """Read name, description and arguments from a function: what the model is shown.

    The description is the first paragraph of the docstring.
    """
    name = getattr(fn, "__name__", type(fn).__name__)
    if not inspect.iscoroutinefunction(fn) or not inspect.isroutine(fn):
        raise DeclarationError(f"The tool {name} is not an asynchronous function: `async def`.")
    text = inspect.getdoc(fn)
    if not text:
        raise DeclarationError(f"The tool {name} has no docstring. Write one: the model reads it.")
    return name, " ".join(text.split("\n\n")[0].split()), arguments_of(fn)


def _looking(declared: Declared) -> Declared:
    """Let what looks from outside return plain data."""
    looking = declared.copy()
    if "probe" in declared:
        looking["probe"] = returning_matches(refusing_faults(declared["probe"]))
    if "observe" in declared:
        looking["observe"] = returning_data(refusing_faults(declared["observe"]))
    return looking
