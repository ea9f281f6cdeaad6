"""Classify an answer by the contract of its service: what it proves, and its message. No I/O."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.effects.exact import Inexact
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.tools.services.contract import LONGEST_CODE, MEANINGS, Contract, Path, Sign
from daybook.tools.services.reply import Reply

_LONGEST_MESSAGE = 500

_ERRORS = ("error", "errors")
"""Fields that hold an error, at whatever service: an object, or a list of some."""

_YES = ("ok", "success")
"""Fields that say whether it was done, at whatever service: no says no, and yes proves nothing."""


def classify(contract: Contract, reply: Reply) -> Outcome:
    """Say what an answer to an effect proves. Whatever it is, it raises nothing.

    Example:
        >>> office = Contract(name="office", declined={402, "room_taken"}, not_done={"too_busy"})
        >>> taken = Reply(409, {}, b'{"error": {"code": "room_taken", "message": "It is taken."}}')
        >>> classify(office, taken).message
        'It is taken.'
        >>> classify(office, Reply(409, {}, b'{"error": {"code": "moved"}}')).reason
        'the answer of office (409, moved) does not tell what was done'
        >>> classify(office, Reply(402, {}, b"<html>Payment required</html>")).reason
        'the answer of office (402) does not tell what was done: it is not JSON'
    """
    if reply.status in contract.success_without_body and not (reply.fault or reply.body):
        return Confirmed({})
    try:
        body = reply.json()
    except Inexact as fault:
        return _says_nothing(contract, f"{reply.status}", str(fault))
    if not isinstance(body, dict):
        return _says_nothing(contract, f"{reply.status}", "it is not a JSON object")
    codes = _codes(contract, body)
    meaning = None if 300 <= reply.status < 400 else _meaning(contract, reply.status, codes)
    said = ", ".join([str(reply.status), *codes[:1]])
    if meaning is not None:
        return _meant(contract, meaning, said, codes, body)
    if _is_success(contract, reply.status, body):
        return Confirmed(body)
    return _says_nothing(contract, said, message_of(contract, body))


def message_of(contract: Contract, body: Any) -> str:
    """Return what an answer says to a person; nothing if it says nothing."""
    for path in contract.message:
        found = _at(body, path)
        if isinstance(found, str) and (sentence := found.strip()):
            return sentence[:_LONGEST_MESSAGE]
    return ""


def is_own_error(contract: Contract, body: Any) -> bool:
    """Tell whether a body is an error in the form of the service, and not a proxy's."""
    return isinstance(body, dict) and bool(_codes(contract, body))


def says_no(contract: Contract, body: Any) -> bool:
    """Tell whether an answer to a read says that it failed, whatever its status.

    Half an answer beside an error is none: what it does not show may be there. One field that is
    not called an error may be the thing's own (the code of a room): it counts with words beside it.
    """
    if contract.ok is not None and _at(body, contract.ok) is not None:
        # What is read need not say that it was done, as an answer to an effect must.
        return not is_ok(contract, body)
    if not isinstance(body, Mapping):
        return False
    return any(
        _at(body, path)
        for path in contract.code
        if path != contract.ok
        and (len(path) > 1 or path[0] in _ERRORS or bool(message_of(contract, body)))
    ) or _fails(contract, body)


def is_ok(contract: Contract, body: Any) -> bool:
    """Tell whether a body says that it was done, where the service says that in the body."""
    if contract.ok is None:
        return True
    shown = _at(body, contract.ok)
    # 1 is no true.
    return any(type(shown) is type(value) and shown == value for value in contract.ok_values)


def _is_success(contract: Contract, status: int, body: Mapping[str, Any]) -> bool:
    # An error stands where codes stand, whatever it looks like: `{"error": {"reason": 7}}`.
    errors = (_at(body, path) for path in contract.code if path != contract.ok)
    is_no = any(errors) or _fails(contract, body)
    return status in contract.success and is_ok(contract, body) and not is_no


def _fails(contract: Contract, body: Mapping[str, Any]) -> bool:
    """Tell whether a body says by itself that it failed, in words that any service may use."""
    # What the contract says of such a field goes before what it is taken for.
    others = [name for name in (*_ERRORS, *_YES) if (name,) != contract.ok]
    return any(
        body.get(name) is False
        if name in _YES
        else isinstance(body.get(name), Mapping | list) and bool(body[name])
        for name in others
    )


def _meaning(contract: Contract, status: int, codes: list[str]) -> str | None:
    # A status may be a proxy's; one of the service's own comes with a code.
    signs: list[Sign] = [*codes, *([status] if codes or status < 300 else [])]
    for sign in signs:
        for meaning in MEANINGS:
            if sign in getattr(contract, meaning):
                return meaning
    return None


def _meant(
    contract: Contract, meaning: str, said: str, codes: list[str], body: Mapping[str, Any]
) -> Outcome:
    sentence = message_of(contract, body)
    match meaning:
        case "declined" | "turned_away":
            message = sentence or f"{contract.name} refused it ({said})."
            facts = _facts(contract, body)
            return Declined(codes[0], message, facts, at_the_door=meaning == "turned_away")
        case "not_done":
            return NotSent(sentence or f"{contract.name} did not accept it ({said})")
        case "key_reused":
            why = f"{contract.name} knows this key from another request ({said})"
        case _:
            why = f"{contract.name} is processing it ({said})"
    return Unknown(f"{why}: {sentence}" if sentence else why)


def _says_nothing(contract: Contract, said: str, why: str) -> Unknown:
    line = f"the answer of {contract.name} ({said}) does not tell what was done"
    return Unknown(f"{line}: {why}" if why else line)


def _codes(contract: Contract, body: Mapping[str, Any]) -> list[str]:
    """Return the codes of a body, in the order in which the contract names their places."""
    found = (_at(body, path) for path in contract.code)
    written = [
        str(code) for code in found if isinstance(code, str | int) and not isinstance(code, bool)
    ]
    return [code for code in written if 0 < len(code) <= LONGEST_CODE and code.isprintable()]


def _facts(contract: Contract, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a refusal says beside its error."""
    told = {path[0] for path in (*contract.code, *contract.message, contract.ok or ("",))}
    return {name: value for name, value in body.items() if name not in told}


def _at(body: Any, path: Path) -> Any:
    """Return what stands at a place of a body; None if there is no such place."""
    found = body
    for part in path:
        if isinstance(found, Mapping) and isinstance(part, str):
            found = found.get(part)
        elif isinstance(found, list) and isinstance(part, int) and -len(found) <= part < len(found):
            found = found[part]
        else:
            return None
    return found
