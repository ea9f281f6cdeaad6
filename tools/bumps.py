"""Bumps: a costly call whose required slot is empty asks the user one question first.

Pure and deterministic: the machine decides whether to ask, not the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from daybook.state.people.questions.assent import is_assent
from daybook.state.people.tool_messages import as_said

State: TypeAlias = Mapping[str, Any]
Args: TypeAlias = Mapping[str, Any]
Said: TypeAlias = Sequence[str]
"""What the person said in the thread, the newest first."""


@dataclass(frozen=True, kw_only=True)
class Bump:
    """Ask the user a question before a call.

    Attributes:
        tool: the costly call.
        slot: names what must be known. It is asked about once per thread; if "", each time until
            it is known.
        threshold: the cost from which the question is asked.
        cost: what the call costs, in the bump's own unit (cents, breadth).
        is_known: tells whether the slot is filled, from state, arguments and the user's messages.
        question: one precise question. It stays in the conversation, so it must not contain values
            that change, such as a total.

    Example:
        >>> bump = Bump(
        ...     tool="book",
        ...     slot=lambda state, args: "guests",
        ...     threshold=20,
        ...     cost=lambda state, args: args["hours"],
        ...     is_known=lambda state, args, said: "guests" in state,
        ...     question=lambda state, args: "For how many guests?",
        ... )
        >>> bump_before((bump,), "book", {"hours": 24}, {}, ["Book the barn."]) is bump
        True
        >>> bump_before((bump,), "book", {"hours": 24}, {"bumps": ("guests",)}, []) is None
        True
    """

    tool: str
    slot: Callable[[State, Args], str]
    threshold: int
    cost: Callable[[State, Args], int]
    is_known: Callable[[State, Args, Said], bool]
    question: Callable[[State, Args], str]


def bump_before(
    bumps: Sequence[Bump], tool: str, args: Args, state: State, said: Said
) -> Bump | None:
    """Return the bump that a proposed call must take first, or None.

    Args:
        args: the call's arguments in their normal form.
    """
    for bump in bumps:
        if (
            bump.tool == tool
            and bump.slot(state, args) not in state.get("bumps", ())
            and bump.cost(state, args) >= bump.threshold
            and not bump.is_known(state, args, said)
        ):
            return bump
    return None


def has_agreed_to(question: str, state: State) -> bool:
    """Tell whether the user's last message says yes, and only yes, to a question asked before it.

    Args:
        state: of a thread, whose messages end with the user's.
    """
    said = as_said(list(state.get("messages") or ()))
    while said and said[-1].type != "human":
        said.pop()
    if not said or not is_assent(said[-1].text, asked=(question,)):
        return False
    earlier = [one.text for one in said[:-1] if one.type == "ai"]
    return bool(earlier) and question in earlier[-1]
