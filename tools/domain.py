"""What a domain is: state, tools, flow, prompts and how its plans settle. No node knows more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseChatModel

from state.agent import STORED_TYPES, Upgrade
from state.flow import FlowTable
from state.plan import Action
from state.session import Session
from tools.registry import Registry

State = Mapping[str, Any]
Update = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """Hold what an event does to the domain's state.

    Attributes:
        update: keys of the state to take.
        text: what happened, as a line that stays true ("cart r2>r3: +BOOT-004 x1").
        trigger: a trigger of the flow table, or "" when the flow does not move.
        makes_stale: tags of reads that it outdates.
    """

    update: Update
    text: str
    trigger: str = ""


@dataclass(frozen=True)
class Prompt:
    """Hold how a domain speaks to its model.

    Attributes:
        system: instructions, the same bytes for a whole release.
        read: renders a read's result: tool, handle, result, hidden keys.
        tail: renders the volatile part of the state as lines.
    """

    system: str
    read: Callable[[str, int, Any, Sequence[str]], str]
    tail: Callable[[State, Session], list[str]]


@dataclass(frozen=True)
class Domain:
    """Declare a domain. It holds nothing open: what its tools reach is among the resources.

    Attributes:
        state: a `typing_extensions.TypedDict` that extends `AgentState`.
        version: of that state; older stored state goes through `upgrades`, an unknown one stops.
        stored_types: models and enums of the domain's own state.
        initial: the domain's keys of a new thread's state; is given the services.
        apply: what an event does to the state; raises ToolRefused where it cannot be.
        settled: what an action that is over does to the state.
        outcome: one line about an action that is over, for the model and the ledger.
        hidden: keys of a read's rows that are not to be shown, from state and the user's words.
        answer: the last word on the answer's text before a person reads it.
        embedded_model: makes the model that is used where no provider is set.
    """

    name: str
    state: type
    version: int
    registry: Registry
    flow: FlowTable
    prompt: Prompt
    initial: Callable[[Session, str, Any], Update]
    apply: Callable[[State, Mapping[str, Any], str], Change]
    settled: Callable[[State, Action], Update]
    outcome: Callable[[Action], str]
    embedded_model: Callable[[], BaseChatModel]
    hidden: Callable[[State, str, Any], Sequence[str]] = lambda state, words, result: ()
    answer: Callable[[State, str, str], str] = lambda state, words, text: text
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    stored_types: tuple[type, ...] = ()

    @property
    def restored_types(self) -> tuple[type, ...]:
        """Return what a checkpoint restores as models and enums; the rest comes back as data."""
        return (*STORED_TYPES, *self.stored_types)
