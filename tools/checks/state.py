"""Check the type of a domain's state, and the values that its code writes."""

from __future__ import annotations

from functools import cache
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from typing_extensions import TypedDict, get_type_hints, is_typeddict

from daybook.state.agent import AgentState
from daybook.state.effects.exact import Inexact, inexact
from daybook.state.effects.keys import storable
from daybook.state.errors import DeclarationError
from daybook.state.plain import printable
from daybook.tools.checks.arguments import schema_nodes

_HELD = ("model", "dataclass", "enum")
"""Kinds of node of a core schema that a checkpoint restores as objects."""

_SERIALIZER = JsonPlusSerializer()
"""Of checkpoints, as LangGraph has it; who may read them makes no difference to what they hold."""


@cache
def check_state(state: type) -> None:
    """Check that a thread can be kept in this type and that clients are shown its schema.

    Raises:
        DeclarationError: it does not extend `AgentState`, or has no schema.
    """
    name = getattr(state, "__name__", str(state))
    if not _extends_agent_state(state):
        raise DeclarationError(
            f"The state {name} does not extend AgentState, which holds the conversation and the "
            f"ledger. Write `class {name}(AgentState, total=False): ...`."
        )
    try:
        hints = get_type_hints(state)
        TypeAdapter(state).json_schema()
    except (PydanticUserError, NameError) as error:
        raise DeclarationError(
            f"The state {name} has no schema to show to clients: {str(error).splitlines()[0]} Use "
            "types that pydantic supports (such as typing_extensions.TypedDict), imported at "
            "runtime."
        ) from error
    ours = get_type_hints(AgentState)
    if taken := sorted(key for key in ours if hints[key] != ours[key]):
        raise DeclarationError(
            f"The state {name} declares {', '.join(taken)}, which AgentState declares already. "
            "Rename yours."
        )


@cache
def held_types(state: type) -> tuple[type, ...]:
    """Return the models, dataclasses and enums that a domain's own keys hold, however deep."""
    ours = _of_every_state()
    own = {key: hint for key, hint in get_type_hints(state).items() if key not in ours}
    schema = TypeAdapter(TypedDict("Own", own)).core_schema  # type: ignore[operator]
    found = (node["cls"] for node in schema_nodes(schema) if node.get("type") in _HELD)
    return tuple(dict.fromkeys(found))


def update_of(given: Any) -> dict[str, Any]:
    """Take what changes in the state, if it is the domain's to change and can be saved.

    Found out by the run that saves it, it would end that run, and each one that makes it again.

    Raises:
        TypeError, ValueError: it is no state of the domain, or no checkpoint can hold it.
    """
    update: dict[str, Any] = dict(given)
    if taken := sorted(update.keys() & _of_every_state()):
        raise ValueError(f"{', '.join(taken)} of the state may not be written by the domain")
    for key, value in update.items():
        # What is no object stands in the checkpoint's JSON, the others beside it.
        if isinstance(value, str | int | float) and (why := inexact(value)):
            raise Inexact(f"{key}: {why}")
        _SERIALIZER.dumps_typed(value)
    return update


def text_of(given: Any) -> str:
    """Take text of a domain's code, without what neither database nor model takes.

    Nor what nobody sees: a domain says what others wrote, and it goes into prompts and answers.

    Raises:
        TypeError: it is no text.
    """
    if not isinstance(given, str):
        raise TypeError(f"{type(given).__name__} instead of text")
    return printable(storable(given))


@cache
def _of_every_state() -> frozenset[str]:
    return frozenset(get_type_hints(AgentState))


def _extends_agent_state(state: Any) -> bool:
    # A TypedDict is no subclass of those that it extends.
    bases = getattr(state, "__orig_bases__", ()) if is_typeddict(state) else ()
    return state is AgentState or any(_extends_agent_state(base) for base in bases)
