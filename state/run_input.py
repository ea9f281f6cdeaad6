"""The input of a run, checked before anything of it is stored."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from daybook.state.effects.exact import inexact, unsendable
from daybook.state.effects.keys import canonical
from daybook.state.errors import InputRefused
from daybook.state.misfits import faults_of
from daybook.state.people.privacy import redacted
from daybook.state.session import ROLES

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage
    from pydantic import ValidationError

LONGEST_MESSAGE = 16_000
"""Characters of one message or event: about half of what a prompt may hold."""

_LONGEST_ID = 200


def checked_input(given: Mapping[str, Any], run_id: str | None = None) -> dict[str, Any]:
    """Check what a client gives and bring it to its normal form: one message, or events, or both.

    Keys that are no input are left out: clients send fields of their own.

    Args:
        run_id: names a message that has no id, where a server knows its runs: one that it runs
            again after a restart is then the same message.

    Raises:
        InputRefused: it cannot be taken; nothing of it was stored.
    """
    taken: dict[str, Any] = {}
    if "messages" in given:
        taken["messages"] = [_checked_message(given["messages"], run_id)]
    if "events" in given:
        taken["events"] = _checked_events(given["events"])
    if not taken:
        raise InputRefused(
            'The input is empty: a run takes {"messages": [{"role": "user", "content": ...}]} or '
            '{"events": [{"id": ..., "type": ...}]}. Nothing was changed.'
        )
    return taken


def checked_answer(answer: Any) -> Any:
    """Check that an answer to a question can be stored; what it says is checked by the question.

    An edit holds the arguments of a call, and these may be whatever can be kept and sent.

    Returns:
        The answer, without what nobody may keep; but for the arguments of an edit (`check_edits`).

    Raises:
        InputRefused: it is too much, or no plain JSON; the question goes on waiting.
    """
    _check_json(answer, "An answer", unsendable)
    return _but_edits(answer)


def check_edits(answer: Any, questions: Sequence[Any]) -> None:
    """Refuse an edit that would keep what nobody may keep: a card number, a secret.

    What the question shows already may stay: changed silently, something else would be sent than
    was approved.

    Raises:
        InputRefused: an argument holds it; the question goes on waiting.
    """
    shown = [
        one
        for asked in questions
        if isinstance(asked, Mapping)
        for request in asked.get("action_requests", ())
        for one in request.get("args", {}).items()
    ]
    for name, value in _edited(answer):
        if redacted({name: value}) != {name: value} and (name, value) not in shown:
            raise InputRefused(
                f"The edited argument {name} contains a card number or a secret, which is never "
                "stored. Nothing was changed, and the question is still open; name the card by "
                "its last four digits or its id."
            )


_EDITS = ("edited_action", "args")
"""Under which LangChain's clients, and Agent Inbox, give the edited call."""


def _but_edits(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            redacted(name): one
            if name in _EDITS and isinstance(one, Mapping)
            else _but_edits(one)
            if isinstance(one, Mapping | list)
            else next(iter(redacted({name: one}).values()))
            for name, one in value.items()
        }
    return [_but_edits(one) for one in value] if isinstance(value, list) else redacted(value)


def _edited(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the arguments of all edits in an answer."""
    if isinstance(value, list):
        for one in value:
            yield from _edited(one)
    elif isinstance(value, Mapping):
        for name, one in value.items():
            if name in _EDITS and isinstance(one, Mapping):
                args = one.get("args", one)
                yield from args.items() if isinstance(args, Mapping) else [(name, args)]
            elif isinstance(one, Mapping | list):
                yield from _edited(one)


def check_caller(user_id: Any, role: Any) -> None:
    """Check who a run says that it is for; a name is put into addresses of services.

    Raises:
        InputRefused: it is no name, or a role that does not exist.
    """
    checked_id(user_id, "a user")
    if role not in ROLES:
        raise InputRefused(f"Unknown role; the roles are {', '.join(ROLES)}. Nothing was done.")


def misfit(error: ValidationError) -> InputRefused:
    """Say in words why an answer does not fit its question, without repeating what it says."""
    return InputRefused(
        f"The answer does not fit the question: {faults_of(error, 'the answer')}. Nothing was "
        "changed, and the question is still open; answer it again."
    )


def checked_id(id_: Any, of: str) -> str:
    """Check an id that a client chose.

    Args:
        of: what it names, for the sentence.

    Raises:
        InputRefused: it is no text that can be stored, or it is one of ours (they have a slash).
    """
    # Two dots would be another path at whoever is asked about the id.
    ours = isinstance(id_, str) and ("/" in id_ or id_ in (".", ".."))
    fits = isinstance(id_, str) and 0 < len(id_) <= _LONGEST_ID and id_.isprintable()
    if not fits or ours or redacted(id_) != id_:
        raise InputRefused(
            f"The id of {of} must be 1 to {_LONGEST_ID} printable characters without a slash, "
            "such as a UUID, and must not look like a card number. Nothing was changed."
        )
    return str(id_)


def _checked_message(given: Any, run_id: str | None) -> AnyMessage:
    # Here, for a ledger that is only declared takes no message.
    from langchain_core.messages import HumanMessage
    from langchain_core.messages.utils import convert_to_messages

    listed = given if isinstance(given, list) else [given]
    try:
        messages = convert_to_messages(listed)
    except Exception as error:
        raise InputRefused(
            'The message is invalid. Nothing was changed; a message is {"role": "user", '
            '"content": "text"}.'
        ) from error
    if len(messages) != 1 or not isinstance(messages[0], HumanMessage):
        raise InputRefused(
            "Send one user message at a time, without earlier messages: the server has the "
            "conversation. Nothing was changed."
        )
    (message,) = messages
    text = message.text
    if isinstance(message.content, list) and any(not _is_text(part) for part in message.content):
        raise InputRefused(
            "Only text is supported, not images, audio or files. Nothing was changed."
        )
    if not text.strip():
        raise InputRefused("The message is empty. Nothing was changed; write what you would like.")
    if len(text) > LONGEST_MESSAGE:
        raise InputRefused(
            f"The message has {len(text):,} characters; the limit is {LONGEST_MESSAGE:,}. Nothing "
            "was changed; send a shorter message."
        )
    name = run_id or str(uuid.uuid4()) if message.id is None else message.id
    return HumanMessage(redacted(text), id=checked_id(name, "a message"))


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and part.get("type") == "text")


def _checked_events(given: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(event, dict) for event in given):
        raise InputRefused('Events must be a list of {"id", "type", ...}. Nothing was changed.')
    for event in given:
        checked_id(event.get("id"), "an event")
        _check_json(event, "An event", inexact)
    return [redacted(event) for event in given]


def _check_json(value: Any, what: str, fault: Callable[[Any], str | None]) -> None:
    """Check that a value can be stored, in a checkpoint as in the ledger.

    Args:
        fault: says why it cannot be, or nothing.
    """
    try:
        length = len(canonical(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputRefused(f"{what} must be plain JSON. Nothing was changed.") from error
    if why := fault(value):
        raise InputRefused(f"{what} is invalid: {why}. Nothing was changed.")
    if length > LONGEST_MESSAGE:
        raise InputRefused(
            f"{what} has {length:,} characters as JSON; the limit is {LONGEST_MESSAGE:,}. Nothing "
            "was changed."
        )
