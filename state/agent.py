"""The typed state of a thread. Messages for users are apart from the data of the graph."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NotRequired

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.messages.utils import convert_to_messages
from pydantic import Field

# typing.TypedDict makes the server's schemas null on Python 3.11 (held in tests/contract).
from typing_extensions import TypedDict

from daybook.state.calls import Application, Call, HybridCall, ReadCall, WriteCall
from daybook.state.errors import UnknownStateVersion
from daybook.state.ledger.recovery import StepState
from daybook.state.people.facts import Fact
from daybook.state.people.questions.message import is_asked
from daybook.state.people.tool_messages import is_called
from daybook.state.prompt.lessons import Lesson
from daybook.state.receipts import is_receipt


def answer_id(turn_id: str) -> str:
    """Name the answer of a turn: a message of the machine, or the model's in what people read."""
    return f"{turn_id}/answer"


_INTERIM = "interim"
"""Marks text that stands beside calls: it is not the turn's answer."""


_TURN = "turn"
"""Names the turn that a text answers, where it does not stand behind the turn's own message."""


def message_of(
    decision: Decision, turn_id: str, *, is_interim: bool = False, is_resumed: bool = False
) -> AIMessage:
    """Make the message that holds a decision's text: the model's own, as it was streamed.

    A text of the machine's has the id of the turn's answer.

    Args:
        is_resumed: another turn stands between its turn's message and this.
    """
    marks = {_INTERIM: True} if is_interim else {}
    return AIMessage(
        decision["text"],
        id=decision.get("message_id") or answer_id(turn_id),
        additional_kwargs={**marks, _TURN: turn_id} if is_resumed else marks,
    )


def _is_answer(message: AnyMessage) -> bool:
    is_said = isinstance(message, AIMessage) and not message.tool_calls
    return is_said and not (message.additional_kwargs.get(_INTERIM) or is_asked(message.id))


def said_in(messages: Sequence[AnyMessage]) -> dict[str, str]:
    """Return what a prompt tells of a conversation: texts by message id, answers by `answer_id`.

    Receipts, questions, and text beside calls are left out: a prompt is made of the ledger.
    """
    said: dict[str, str] = {}
    turn = ""
    for message in messages:
        if isinstance(message, HumanMessage):
            turn = str(message.id)
            said[turn] = message.text
        elif _is_answer(message) and not is_receipt(message.id) and message.text:
            name = answer_id(str(message.additional_kwargs.get(_TURN, turn)))
            said[name] = "\n\n".join(filter(None, (said.get(name, ""), message.text)))
    return said


def append_messages(left: Sequence[AnyMessage], right: Any) -> list[AnyMessage]:
    """Append what people said, by id: a message that is known already changes nothing.

    What shows a question is kept up to date in its place.

    Only user and assistant messages are kept, and what the machine itself shows of calls: another
    tool message has no place among what people read.

    Args:
        left: the messages so far.
        right: one message or several, as objects or in any form LangChain reads.
    """
    incoming: Sequence[Any] = convert_to_messages(right if isinstance(right, list) else [right])
    kept = list(left)
    known = {message.id: place for place, message in enumerate(kept)}
    for message in incoming:
        is_said = isinstance(message, HumanMessage | AIMessage)
        is_shown = isinstance(message, ToolMessage) and is_called(message.id)
        if not is_said and not is_shown:
            continue
        if message.id is None:
            # Durable before the first node runs: the input is checkpointed with this id.
            message.id = str(uuid.uuid4())
        place = known.get(message.id)
        if place is None:
            known[message.id] = len(kept)
            kept.append(message)
        elif is_asked(message.id):
            kept[place] = message
    return kept


class ProposedCall(TypedDict):
    """One call that the model proposed."""

    name: Annotated[str, Field(description="tool")]
    args: Annotated[dict[str, Any], Field(description="as the model gave them")]
    id: NotRequired[Annotated[str, Field(description="the call's id in its message")]]


class Decision(TypedDict):
    """What the model decided, recorded in the ledger by turn, ordinal and prompt hash."""

    ordinal: Annotated[int, Field(description="which decision of the turn, from 0")]
    calls: Annotated[list[ProposedCall], Field(description="in the model's order")]
    text: Annotated[str, Field(description="the answer, when there are no calls")]
    refused: Annotated[dict[str, str], Field(description="call position to why it cannot be run")]
    message_id: NotRequired[
        Annotated[str, Field(description="the model's message, as it was streamed")]
    ]
    correction: NotRequired[
        Annotated[str, Field(description="what contradicts the text, for the receipt")]
    ]
    fork: NotRequired[
        Annotated[int, Field(description="1; more where another branch decided otherwise before")]
    ]
    done: NotRequired[
        Annotated[int, Field(description="stages of its calls that are behind it, from 0")]
    ]
    failed: NotRequired[
        Annotated[bool, Field(description="its effects are over, and were not all done")]
    ]


class Turn(TypedDict):
    """The turn in progress."""

    turn_id: Annotated[str, Field(description="the client's message id")]
    ordinal: Annotated[int, Field(description="decisions taken so far")]
    notices: Annotated[list[str], Field(description="what the machine has to tell the person")]
    last: NotRequired[
        Annotated[int, Field(description="ledger entry of this branch's last decision, 0 for none")]
    ]
    proposed: NotRequired[
        Annotated[dict[str, str], Field(description="plan to where the flow stood before it")]
    ]
    done: NotRequired[Annotated[bool, Field(description="its answer stands in the messages")]]
    stops: NotRequired[
        Annotated[str, Field(description="the plan that its message, a stop word, is to stop")]
    ]
    resumed: NotRequired[
        Annotated[bool, Field(description="another turn was answered while its plan waited")]
    ]


class Waiting(TypedDict):
    """The turn whose plan waits for approval while another turn is in progress."""

    plan_id: Annotated[str, Field(description="the plan that waits")]
    flow: Annotated[str, Field(description="where the flow stands while it waits")]
    turn: Annotated[Turn, Field(description="its turn")]
    decision: Annotated[Decision, Field(description="the decision that it is part of")]
    ledger: Annotated[dict[str, Call], Field(description="the calls of its turn, by step id")]


class Epoch(TypedDict):
    """The compaction digest and what it covers.

    Until the next epoch begins, a prompt without its tail is a prefix of the next one.
    """

    number: Annotated[int, Field(description="compactions so far")]
    digest: Annotated[str, Field(description="progress markdown at the last compaction")]
    covers: Annotated[int, Field(description="last ledger entry that the digest covers")]
    last: NotRequired[Annotated[int, Field(description="last decision that the digest covers")]]
    owner: NotRequired[Annotated[str, Field(description="the agent whose prompt it is")]]
    facts: NotRequired[Annotated[list[str], Field(description="facts that the digest tells")]]
    why: NotRequired[Annotated[str, Field(description="why the epoch before it ended")]]
    rent: NotRequired[
        Annotated[float, Field(description="tokens paid so far for reading what could be dropped")]
    ]
    made_at: NotRequired[
        Annotated[int, Field(description="last ledger entry when the digest was written")]
    ]
    made_in: NotRequired[Annotated[str, Field(description="turn in which it was written")]]
    tightness: NotRequired[
        Annotated[int, Field(description="how much is cut of what it does not cover, from 0")]
    ]
    due: NotRequired[Annotated[str, Field(description="why it is over; the next one is due")]]
    forgot_in: NotRequired[
        Annotated[str, Field(description="the last turn in which something was forgotten")]
    ]


class Asked(TypedDict):
    """What the model was asked last: the report of a compiled prompt."""

    epoch: Annotated[int, Field(description="number of the epoch")]
    zones: Annotated[list[int], Field(description="estimated tokens of Z0 to Z3")]
    shared: Annotated[
        int, Field(description="tokens of the unchanged prefix of the call before it")
    ]
    superseded: Annotated[list[int], Field(description="handles that were named as superseded")]
    why: Annotated[str, Field(description="why the epoch before ended, at its first call")]
    at: Annotated[str, Field(description="UTC, ISO 8601; when the model was asked")]
    lifetime: Annotated[float, Field(description="seconds for which a cache was asked for")]


class Caller(TypedDict, total=False):
    """Who runs the graph: the context of a run, as clients name it."""

    user_id: Annotated[str, Field(title="User", description="whose thread it is")]


class Inbox(TypedDict, total=False):
    """What a run may be given: messages, or events that no model sees."""

    messages: Annotated[
        list[AnyMessage],
        Field(title="Messages", description="What people read: user and assistant text"),
        append_messages,  # last: a reducer before a Field is dropped silently
    ]
    events: Annotated[
        list[dict[str, Any]],
        Field(
            title="Events",
            description="Changes from outside the chat, such as a page of one's own: "
            '{"id", "type", ...}. No model is called for them',
        ),
    ]


class AgentState(Inbox, total=False):
    """The state of a thread: messages, flow position, and calls."""

    version: Annotated[int, Field(title="Version", description="version of the domain's state")]
    flow: Annotated[str, Field(title="Flow", description="where the work stands")]
    ledger: Annotated[
        dict[str, Call], Field(title="Ledger", description="open and this-turn calls, by step id")
    ]
    turn: Annotated[Turn, Field(title="Turn", description="the turn under way")]
    decision: Annotated[
        Decision | None, Field(title="Decision", description="the pending decision")
    ]
    applied: Annotated[
        int, Field(title="Applied", description="last `applied` entry that this state includes")
    ]
    advanced: Annotated[
        int, Field(title="Advanced", description="last end of a plan that this state includes")
    ]
    plan_id: Annotated[
        str | None, Field(title="Plan", description="the plan under way, in the ledger")
    ]
    waiting: Annotated[
        Waiting | None,
        Field(title="Waiting", description="the turn whose plan waits while another one is held"),
    ]
    note: Annotated[str, Field(title="Note", description="why the last answer could not be taken")]
    epoch: Annotated[Epoch, Field(title="Epoch", description="compaction digest")]
    facts: Annotated[
        tuple[Fact, ...],
        Field(title="Facts", description="what is known of the person, as the turn began"),
    ]
    lessons: Annotated[
        tuple[Lesson, ...], Field(title="Lessons", description="learnt from failures, live ones")
    ]
    bumps: Annotated[
        tuple[str, ...], Field(title="Bumps", description="slots that were asked about already")
    ]
    warned: Annotated[
        tuple[str, ...], Field(title="Warned", description="what stands and was warned of already")
    ]
    asked: Annotated[
        Asked | None, Field(title="Asked", description="report of the last compiled prompt")
    ]
    salt: Annotated[
        str, Field(title="Salt", description="of the hashes of prompts; erased with the state")
    ]


STORED_TYPES = (ReadCall, WriteCall, HybridCall, Application, StepState, Fact, Lesson)
"""What a checkpoint restores as models; a domain adds its own."""


Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes stored state of one version into the next one."""


def upgraded(
    stored: Mapping[str, Any], current: int, upgrades: Mapping[int, Upgrade]
) -> dict[str, Any]:
    """Bring a domain's stored state to the version that it declares now.

    Args:
        stored: state as restored from a checkpoint; without a version it is new.
        current: the version of the domain.
        upgrades: version to the function that makes the next version of it.

    Returns:
        The keys that changed, for the state to take; empty when nothing had to be done.

    Raises:
        UnknownStateVersion: there is no way from the stored version to the current one.
    """
    found, state = stored.get("version", current), dict(stored)
    steps = range(found, current)
    if found > current or any(version not in upgrades for version in steps):
        raise UnknownStateVersion(
            f"This thread's state has version {found}; the domain has version {current} and "
            f"upgrades from {sorted(upgrades) or 'no other version'}. Nothing was changed; run "
            "the release that wrote it, or add the upgrade."
        )
    for version in steps:
        state = {**upgrades[version](state), "version": version + 1}
    return {key: value for key, value in state.items() if stored.get(key) != value}
