"""When an epoch of the prompt ends: a new one begins only if it pays, or must.

Pure. A provider bills a cached token a tenth of a token, and a token that is written to its cache
five quarters. What could be dropped costs rent at every call, the tenth; dropping it costs writing
again what stays. How long a conversation goes on is not known, so it is dropped when the rent paid
has come to the price: then it never costs more than twice what foresight would have (Karlin,
Manasse, Rudolph and Sleator, "Competitive snoopy caching", 1988: rent or buy).
"""

from __future__ import annotations

READ, WRITE = 0.1, 1.25
"""What a cached token, and one that is written to the cache, cost of a plain one."""

BUDGET = "the prompt passed its budget"
COLD = "the provider's cache was cold"
PAID = "the rewrite was paid for"
FORGOTTEN = "something was forgotten"
BEGUN = "the person was known already"
HANDED_OVER = "the work was handed over"

_DIGEST = 150
"""Tokens of a digest at least, where there is none yet."""

_WORTH = 100
"""Tokens that a cold cache must let drop, for a new epoch to be worth its commits."""


def rent_of(droppable: int, read: float = READ) -> float:
    """Return what one call pays for reading what could be dropped, in plain tokens.

    Args:
        read: what a cached token costs of a plain one.
    """
    return read * droppable


def why_over(
    *,
    tokens: int,
    budget: int,
    digest: int,
    kept: int,
    droppable: int,
    rent: float,
    is_new_turn: bool,
    is_cold: bool,
) -> str | None:
    """Say why the epoch is over before this call, or None.

    Args:
        tokens: of the whole prompt, as it would be.
        budget: tokens that a prompt may take.
        digest: tokens of the epoch's digest.
        kept: tokens of the transcript that a new epoch would keep.
        droppable: tokens of the transcript that it would drop.
        rent: what this epoch has paid so far for those.
        is_new_turn: within a turn only the budget counts: what was read there is needed there.
        is_cold: the provider's cache has ended since the last call, so all is written again.
    """
    if tokens > budget:
        return BUDGET
    if not is_new_turn or not droppable:
        return None
    if is_cold and droppable >= _WORTH:
        return COLD
    rewrite = (WRITE - READ) * (max(digest, _DIGEST) + kept)
    return PAID if rent >= rewrite else None
