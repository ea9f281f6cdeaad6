"""A trajectory is made of what is recorded: what stood in a prompt, and what was answered."""

from typing import Any

from daybook.app.grading.steps.recorded import Record, trajectory_of
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.tools.shop.domain import SHOP

EMPTY = "# Now\nuser: ada\ncart r0 (USD): empty"


def decided(
    seq: int, turn: str, payload: dict[str, Any] | None, epoch: int = 0, after: int | None = None
) -> Entry:
    detail = {"ordinal": 0, "flow": "shopping", "epoch": epoch, "after": after}
    return Entry(Event.DECIDED, turn_id=turn, seq=seq, detail=detail, payload=payload)


def record(*entries: Entry) -> Record:
    turns = [one.turn_id or "" for one in entries]
    received = [
        Entry(Event.RECEIVED, turn_id=turn, seq=2 * at + 1) for at, turn in enumerate(turns)
    ]
    every = sorted((*received, *entries), key=lambda one: one.seq)
    return Record("t", every, [], {1: "# Progress"}, dict.fromkeys(turns, "said"), None)


CHECKOUT = {"name": "checkout", "args": {}}


def test_what_stood_at_the_end_of_a_prompt_is_known_where_an_epoch_begins():
    first = decided(2, "a", {"calls": [], "text": "Hello.", "tail": EMPTY})
    after = decided(4, "b", {"calls": [CHECKOUT], "text": ""}, epoch=1, after=2)
    found = trajectory_of(SHOP, record(first, after))
    assert found.steps[-1].shown == f"# Progress\n{EMPTY}"
    assert found.steps[-1].barred == "The cart is empty: there is nothing to check out."


def test_what_is_called_before_in_a_decision_may_make_room_for_a_call():
    add = {"name": "add_to_cart", "args": {"sku": "BOOT-001"}}
    both = decided(2, "a", {"calls": [add, CHECKOUT], "text": "", "tail": EMPTY})
    assert [one.barred for one in trajectory_of(SHOP, record(both)).steps] == ["", ""]


def test_an_answer_is_a_step_with_what_was_refused_before_it():
    unsaid = [{"text": "Placed it.", "why": ["Nothing was ordered."]}]
    said = decided(2, "a", {"calls": [], "text": "No.", "tail": EMPTY, "unsaid": unsaid})
    (answer,) = trajectory_of(SHOP, record(said)).answers
    assert (answer.key, answer.kind, answer.args) == ("1/0", "answer", {"text": "No."})
    assert answer.unsaid == (("Placed it.", ("Nothing was ordered.",)),)
    assert (answer.is_call, answer.acts) == (False, False)


def test_an_answer_that_was_erased_is_no_step():
    assert trajectory_of(SHOP, record(decided(2, "a", None))).answers == ()
