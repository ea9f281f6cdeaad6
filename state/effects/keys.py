"""Names of business operations, and the hashes that bind arguments to them.

An idempotency key names the business operation and not the call (docs/protocol.md,
Name): ids come from the turn or from what is dealt with, never from the model's answer, a
task id or a checkpoint id, all of which change under retry, fork or a repeated decision.
"""

from __future__ import annotations

import hashlib
import json
import math
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any


def step_id(op: str, gen: int) -> str:
    """Name generation `gen` of operation `op`; it is the idempotency key too."""
    return f"{op}/{gen}"


def undo_key(step: str) -> str:
    """Name the undo of a step."""
    return f"{step}/undo"


def turn_op(thread_id: str, turn_id: str, ordinal: int, position: int, tool: str) -> str:
    """Name an effect that belongs to nothing but its turn.

    Args:
        thread_id: message ids are the client's and may be as short as "1": without the thread, a
            mail of one thread would be taken for the mail of another.
        turn_id: the client's message id.
        ordinal: which decision of the turn, from 0.
        position: which call of the decision, from 0; two equal calls in one decision are two.
        tool: the tool's name.

    """
    turn = digest([thread_id, turn_id])[:24]
    return f"turn/{turn}/{ordinal}.{position}/{tool}"


def plan_id(
    thread_id: str, turn_id: str, place: int | str, calls: Any, version: int, salt: str
) -> str:
    """Name a plan after its turn and decision; a fork that decides otherwise gets another.

    It names the question about the plan too: a plan is asked about once.

    Args:
        place: which decision of the turn, from 0; with its fork where branches differ.
        calls: names and arguments of the decision's calls, as JSON.
        version: 1, and one more for each edit by a person.
        salt: the thread's; the calls could be guessed from the id after they were erased.
    """
    return digest([thread_id, turn_id, place, calls, version, salt])[:24]


def canonical(value: Any) -> str:
    """Write a JSON value in its one canonical form: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(value: Any) -> str:
    """Hash the canonical form of a JSON value: SHA-256 as hex."""
    # What is half a character has no UTF-8, and a name that cannot be made would end the run.
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def normalise(args: Mapping[str, Any]) -> dict[str, Any]:
    """Bring arguments to the form by which they are compared and looked up; it is never sent.

    Drops arguments that are None (an absent optional and an explicit None are one call), strips
    text and folds runs of white space, composes its characters (an e and its accent are one, as
    Unicode's NFC writes them), and drops what no name in the database may hold (NUL);
    order of keys is settled by `canonical`.
    """
    return {name: _normal(value) for name, value in args.items() if value is not None}


def _normal(value: Any) -> Any:
    if isinstance(value, str):
        text = unicodedata.normalize("NFC", storable(value)).strip()
        return text if "\n" in text else " ".join(text.split())
    if isinstance(value, Mapping):
        return {key: _normal(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_normal(item) for item in value]
    return value


def storable(value: Any) -> Any:
    """Bring a JSON value to the form in which Postgres gives it back, so that its hash stays.

    Text loses NUL and lone surrogates. Numbers are written as `numeric` writes them (1e16 comes
    back as an integer, -0.0 as 0.0); what is no number (NaN, infinity) becomes text.
    """
    return rewritten(value, _storable)


def _storable(part: Any) -> Any:
    if isinstance(part, str):
        return part.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    if isinstance(part, float):
        return json.loads(f"{Decimal(repr(part)):f}") + 0 if math.isfinite(part) else str(part)
    return part


def rewritten(value: Any, rewrite: Callable[[Any], Any]) -> Any:
    """Rewrite the parts of a JSON value: names, and what is no list or object."""
    if isinstance(value, Mapping):
        return {rewrite(name): rewritten(item, rewrite) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [rewritten(item, rewrite) for item in value]
    return rewrite(value)


def fresh_salt() -> str:
    """Make a salt for a hash that stays in the chain; keep it where it can be erased: 64 bits."""
    return secrets.token_hex(8)


def salted(value: Any, salt: bytes) -> bytes:
    """Hash a payload with its salt.

    The chain holds this hash and not the payload, so a payload can be erased for a person and the
    chain still verifies; the salt goes with it, so the hash cannot be guessed back.
    """
    return hashlib.sha256(salt + canonical(value).encode()).digest()
