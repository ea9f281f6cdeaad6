"""A trajectory is built from the stored data: the state in a prompt, and the answers."""

from types import SimpleNamespace
from typing import Any

from daybook.app.grading.history import trajectory_of
from daybook.app.grading.trajectory import Claim, Trajectory
from daybook.nodes.prompt.proof import PastPrompts
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.tools.shop.domain import SHOP

EMPTY = "# Now\nuser: ada\ncart r0 (USD): empty"


def decided(
    seq: int, turn: str, payload: dict[str, Any] | None, epoch: int = 0, after: int | None = None
) -> Entry:
    detail = {"ordinal": 0, "flow": "shopping", "epoch": epoch, "after": after}
    return Entry(Event.DECIDED, turn_id=turn, seq=seq, detail=detail, payload=payload)


def built(*entries: Entry) -> Trajectory:
    turns = [one.turn_id or "" for one in entries]
    received = [
        Entry(Event.RECEIVED, turn_id=turn, seq=2 * at + 1) for at, turn in enumerate(turns)
    ]
    every = sorted((*received, *entries), key=lambda one: one.seq)
    versions: Any = [SimpleNamespace(epoch=1, digest="# Progress")]
    said = dict.fromkeys(turns, "said")
    past = PastPrompts(SHOP, every, versions, [], None, said)
    return trajectory_of(past, "t", None)


CHECKOUT = {"name": "checkout", "args": {}}


def test_what_stood_at_the_end_of_a_prompt_is_known_where_an_epoch_begins():
    first = decided(2, "a", {"calls": [], "text": "Hello.", "tail": EMPTY})
    after = decided(4, "b", {"calls": [CHECKOUT], "text": ""}, epoch=1, after=2)
    found = built(first, after)
    assert found.steps[-1].shown == f"# Progress\n{EMPTY}"


FINDING = {"kind": "completion", "about": "order", "quote": "Placed it.", "correction": "No."}


def test_an_answer_is_a_step_with_the_findings_of_the_receipts_check():
    said = decided(2, "a", {"calls": [], "text": "Placed it.", "findings": [FINDING]})
    (answer,) = built(said).answers
    assert (answer.key, answer.kind, answer.args) == ("1/0", "answer", {"text": "Placed it."})
    assert answer.claims == (Claim("completion", "order", "Placed it.", "No."),)
    assert (answer.is_call, answer.acts) == (False, False)


def test_text_beside_calls_is_a_step_where_something_was_found():
    plain = decided(2, "a", {"calls": [CHECKOUT], "text": "One moment."})
    assert built(plain).answers == ()
    false = decided(2, "a", {"calls": [CHECKOUT], "text": "Placed it.", "findings": [FINDING]})
    found = built(false)
    assert [(one.key, len(one.claims)) for one in found.judged] == [("1/0.0", 0), ("1/0", 1)]


def test_an_answer_that_was_erased_is_no_step():
    assert built(decided(2, "a", None)).answers == ()
