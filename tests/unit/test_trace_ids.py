"""Ids of traces that every process derives alike, nothing personal in them; waits for a person."""

import re
from datetime import UTC, datetime, timedelta

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.waits import waits
from daybook.state.trace_ids import (
    Trace,
    meant,
    opaque,
    shown_id,
    shown_turn,
)

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
TURN = Trace("default", "thread", "m1")
ABOUT = {"plan_id": "p1", "op": "checkout/1/charge", "gen": 1}


def test_every_process_names_a_turn_alike_and_no_two_alike():
    again = Trace("default", "thread", "m1")
    assert (again.trace_id, again.root_id) == (TURN.trace_id, TURN.root_id)
    assert 0 < TURN.trace_id < 2**128
    assert 0 < TURN.root_id < 2**64
    for about in (("other", "thread", "m1"), ("default", "t", "m1"), ("default", "thread", "m2")):
        assert Trace(*about).trace_id != TURN.trace_id


def test_an_id_that_names_an_operation_is_shown_and_one_that_may_hold_words_is_hashed():
    for plain in ("checkout/usd-1f/charge/1", "turn/ab/0.0~2/send_email", "W#123"):
        assert shown_id(plain) == plain
    words = ("mail/ada@example.com", "gift/for my dear aunt", "card/4111111111111111")
    for personal in (*words, "note/Größe", "x" * 201):
        assert shown_id(personal).startswith("sha256:"), personal
        assert shown_id(personal) == shown_id(personal)


def test_a_step_stands_in_spans_as_a_digest_by_which_it_is_found_again():
    step = "checkout/1/reserve/BOOT-013/1"
    assert re.fullmatch(r"sha256:[0-9a-f]{16}", opaque(step))
    assert meant(opaque(step), ["a", step]) == meant(step, [step]) == step
    assert meant(opaque(step), ["a"]) is None
    turn = "remove-BOOT-013-r3"
    assert shown_turn(turn) == opaque(turn)
    assert shown_turn(same := "1a2b3c4d-1111-4222-8333-123456789abc") == same


def numbered(*entries: Entry) -> list[Entry]:
    """Number entries, a second apart."""
    return [
        Entry(**{**vars(entry), "seq": number, "at": NOON + timedelta(seconds=number)})
        for number, entry in enumerate(entries, 1)
    ]


def test_a_wait_lasts_from_the_question_to_the_answer():
    asked = Entry(Event.OPENED, turn_id="m1", plan_id="p1", detail={"approval": "asked"})
    step = Entry(Event.INTENDED, detail={"tool": "charge"}, **ABOUT)
    approved = Entry(Event.DECISION, plan_id="p1", role="clerk", detail={"decisions": ["approved"]})
    (wait,) = waits(numbered(asked, step, approved))
    assert (wait.is_doubt, wait.outcome) == (False, "approved")
    assert wait.ended == wait.started + timedelta(seconds=2)
    (wait,) = waits(numbered(asked, step))
    assert (wait.ended, wait.outcome) == (None, ""), "nobody answered yet"
    (wait,) = waits(numbered(asked, step, Entry(Event.ENDED, plan_id="p1")))
    assert wait.outcome == "expired"
