"""Continue from a checkpoint with an edited message or edited state of the domain.

LangGraph asks its edges where an edited checkpoint goes on; here every node says that itself, and
so a fork is told: where its checkpoint would have gone on, before the decision that was taken on
what is edited. Effects are the ledger's, whatever state is edited: a fork repeats none.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.messages.utils import convert_to_messages
from langgraph.types import Command, Overwrite, StateSnapshot
from pydantic import TypeAdapter, ValidationError

from daybook.nodes.past.branch import before_decision, before_turn
from daybook.state.agent import AgentState, Decision, Turn
from daybook.state.errors import InputRefused
from daybook.state.ledger.entry import Entry
from daybook.state.misfits import faults_of
from daybook.state.people.privacy import NOT_KEPT, lacks_something
from daybook.state.receipts import states_effects
from daybook.state.run_input import checked_input

_OWN = frozenset(typing.get_type_hints(AgentState)) - {"messages", "events"}
"""Keys of the state that say where the graph is."""

_ELSE = "Nothing was changed; edit a user message, or the state of the domain (the cart)."


def edited(stands: StateSnapshot, values: Any, schema: type) -> dict[str, Any]:
    """Return what of an update is new: a client may send the whole state.

    Args:
        stands: the checkpoint that is edited.
        schema: of the graph's state.

    Raises:
        InputRefused: it says why what is edited cannot be forked.
    """
    if not isinstance(values, Mapping | None):
        raise InputRefused(f"An edit of a checkpoint must name keys of its state. {_ELSE}")
    stored, new = stands.values, dict[str, Any]()
    kinds = typing.get_type_hints(schema, include_extras=True)
    for key, value in (values or {}).items():
        if key not in kinds or key in ("messages", "events"):
            continue
        try:
            # A moment is written in other ways by a server than by us.
            read = TypeAdapter(kinds[key]).validate_python(value)
        except ValidationError as error:
            raise InputRefused(f"{faults_of(error, key)}. {_ELSE}") from error
        if _plain(read) == _plain(stored.get(key)):
            continue
        if key in _OWN:
            raise InputRefused(
                f"{key!r} is control state, which only the ledger determines. {_ELSE}"
            )
        new[key] = read
    said = _new_words(stored.get("messages", []), (values or {}).get("messages"))
    if said is not None:
        new |= checked_input({"messages": [said]})
    if events := (values or {}).get("events"):
        new |= checked_input({"events": events})
    return new


def fork(stands: StateSnapshot, new: Mapping[str, Any], entries: Sequence[Entry]) -> Command[Any]:
    """Say what an edited checkpoint becomes, and where it goes on.

    Args:
        new: what is edited.
        entries: of the ledger, of the checkpoint's turn.
    """
    turn: Turn | None = stands.values.get("turn")
    decision: Decision | None = stands.values.get("decision")
    messages: list[AnyMessage] = stands.values.get("messages", [])
    update = dict(new)
    if "messages" in new:
        (said,) = new["messages"]
        at = next((at for at, one in enumerate(messages) if one.id == said.id), None)
        if at is not None:
            # What was done stands, whatever was said: its receipts stay.
            receipts = [one for one in messages[at:] if states_effects(one)]
            update["messages"] = Overwrite([*messages[:at], said, *receipts])
        if turn is not None and turn["turn_id"] == said.id:
            update |= {"turn": _anew(turn, said, entries), "decision": None, "ledger": {}}
        return Command(update=update, goto="receive")
    if "events" in new or not stands.next:
        return Command(update=update, goto="receive" if "events" in new else ())
    if not new or turn is None or stands.next == ("receive",):
        return Command(update=update, goto=stands.next)
    if decision is not None and "done" in decision:
        # Some of it was carried out: the rest is done to what is so now.
        return Command(update=update, goto=stands.next)
    if decision is not None:
        # It was taken on what is not so any more.
        last = before_decision(entries, turn.get("last", 0))
        update["turn"] = {**turn, "ordinal": decision["ordinal"], "last": last}
        update["decision"] = None
    return Command(update=update, goto="decide")


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    return TypeAdapter(Any).dump_python(value, mode="json")


def _new_words(stored: Sequence[AnyMessage], given: Any) -> HumanMessage | None:
    """Return the one message of an update that is new, or another than the stored one.

    Raises:
        InputRefused: there are several, or it is not the person's last one.
    """
    if not given:
        return None
    try:
        messages = convert_to_messages(given if isinstance(given, list) else [given])
    except Exception as error:
        raise InputRefused(f"The message is invalid. {_ELSE}") from error
    known = {one.id: one for one in stored}
    new = [one for one in messages if one.id not in known or known[one.id].text != one.text]
    if not new:
        return None
    last = next((one.id for one in reversed(stored) if isinstance(one, HumanMessage)), None)
    one = new[0]
    if len(new) > 1 or not isinstance(one, HumanMessage) or (one.id in known and one.id != last):
        raise InputRefused(
            "Edit one user message at a time, at a checkpoint of its own turn; answers cannot be "
            f"edited. {_ELSE}"
        )
    return one


def _anew(turn: Turn, said: AnyMessage, entries: Sequence[Entry]) -> Turn:
    """Return a turn as it begins, with other words."""
    notices = [NOT_KEPT] if lacks_something(said.text) else []
    last = before_turn(entries, turn.get("last", 0))
    return Turn(turn_id=turn["turn_id"], ordinal=0, notices=notices, last=last)
