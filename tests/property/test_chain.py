"""The hash chain: whatever is changed afterwards shows."""

from copy import deepcopy
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from daybook.checkpoints.ledger.chain import COVERED, link, verify
from daybook.state.effects.keys import salted
from daybook.state.errors import ChainBroken

TEXTS = st.none() | st.text("ab", max_size=2)
WHOLE = st.none() | st.integers(1, 3)
TIMES = st.none() | st.datetimes(datetime(2025, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC))
BODIES = st.dictionaries(
    st.text("ab", max_size=1), st.integers() | st.text("ab", max_size=2), max_size=2
)
COLUMNS = {
    "thread_id": st.text("ab", max_size=2),
    "tenant_id": st.text("ab", max_size=2),
    "user_id": st.text("ab", max_size=2),
    "ledger_version": st.integers(1, 3),
    "event": st.sampled_from(["received", "opened", "intended"]),
    **dict.fromkeys(["turn_id", "plan_id", "op", "worker", "author", "role"], TEXTS),
    **dict.fromkeys(["gen", "attempt"], WHOLE),
    **dict.fromkeys(["deadline_at", "settle_at", "at"], TIMES),
    "detail": BODIES,
}
CONTENTS = st.lists(
    st.tuples(st.fixed_dictionaries(COLUMNS), st.none() | BODIES), min_size=1, max_size=4
)

Row = dict[str, Any]


def chained(contents: list[tuple[Row, Any]]) -> tuple[list[Row], Row]:
    """Write rows as the ledger does, and return them with their head."""
    hash_, rows = b"", []
    for seq, (columns, payload) in enumerate(contents, 1):
        salt = f"salt {seq}".encode()
        hashed = salted(payload, salt) if payload is not None else None
        row = {**columns, "seq": seq, "payload": payload, "salt": salt, "payload_hash": hashed}
        row["hash"] = hash_ = link(row, hash_)
        rows.append(row)
    return rows, {"seq": len(rows), "hash": hash_}


def assert_broken(rows: list[Row], head: Row) -> None:
    with pytest.raises(ChainBroken):
        verify(rows, head)


CHAINS = CONTENTS.map(chained)
PLACES = st.integers(0, 3)


@given(CHAINS, PLACES, st.integers(-12, 12))
def test_what_was_written_verifies_erased_or_in_another_zone(chain, place, hours):
    assert verify([], {"seq": 0, "hash": b""}) == 0, "of a head that was never moved"
    rows, head = deepcopy(chain)
    assert verify(rows, head) == len(rows)
    rows[place % len(rows)] |= {"payload": None, "salt": None}
    assert verify(rows, head) == len(rows)
    for row in rows:
        row["at"] = row["at"] and row["at"].astimezone(timezone(timedelta(hours=hours)))
    assert verify(rows, head) == len(rows)


@given(CHAINS, PLACES, st.fixed_dictionaries({**COLUMNS, "seq": st.integers(1, 10)}))
def test_each_changed_column_of_any_entry_shows(chain, place, others):
    assert {*others, "payload_hash"} == set(COVERED), "each that is covered is tried"
    rows, head = deepcopy(chain)
    row = rows[place % len(rows)]
    for column, other in others.items():
        if other != row[column]:
            kept, row[column] = row[column], other
            assert_broken(rows, head)
            row[column] = kept
    assert verify(rows, head) == len(rows)


@pytest.mark.parametrize("is_fitted", [False, True], ids=["alone", "with its hash"])
@given(CHAINS, PLACES, BODIES)
def test_a_changed_payload_shows(is_fitted, chain, place, body):
    rows, head = deepcopy(chain)
    row = rows[place % len(rows)]
    assume(row["payload"] != body)
    row["payload"], row["salt"] = body, row["salt"] or b"salt"
    if is_fitted:
        row["payload_hash"] = salted(body, row["salt"])
    assert_broken(rows, head)


@given(CHAINS, PLACES, PLACES, st.integers(1, 4))
def test_a_dropped_a_swapped_and_an_added_entry_show_though_others_are_numbered_anew(
    chain, one, other, count
):
    rows, head = deepcopy(chain)
    one, other = one % len(rows), other % len(rows)
    assert_broken(rows[:-count], head)
    assert_broken(rows, {"seq": len(rows) - 1, "hash": rows[-2]["hash"] if rows[1:] else b""})
    left = deepcopy([*rows[:one], *rows[one + 1 :]])
    assert_broken(left, head)
    for seq, row in enumerate(left, 1):
        row["seq"] = seq
    assert_broken(left, head)
    if one != other:
        rows[one], rows[other] = rows[other], rows[one]
        assert_broken(rows, head)
        rows[one]["seq"], rows[other]["seq"] = rows[other]["seq"], rows[one]["seq"]
        assert_broken(rows, head)
