"""Spans: ids that every process derives alike, nothing personal in them, and trees of them."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from daybook.app.ledger.trace import says, title
from daybook.app.ledger.traces import Branch, outcome_of, trees
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.telemetry.ledger_spans import from_ledger
from daybook.state.telemetry.spans import (
    Span,
    SpanKind,
    SpanStatus,
    Trace,
    attempt_name,
    meant,
    opaque,
    packed,
    run_uuid,
    shown_id,
    shown_turn,
    unpacked,
)

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
TURN = Trace("default", "thread", "m1")
CHARGE = TURN.span_id(*attempt_name("checkout/1/charge/1", 1, is_undo=False))


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def ledger(*more: Entry) -> list[Entry]:
    """Write the entries of a purchase whose charge was claimed, numbered and a second apart."""
    about = {"plan_id": "p1", "op": "checkout/1/charge", "gen": 1}
    entries = [
        Entry(Event.RECEIVED, turn_id="m1", detail={"trace": TURN.trace_id}),
        Entry(Event.DECIDED, turn_id="m1", detail={"ordinal": 0, "span": "d" * 16}),
        Entry(Event.OPENED, turn_id="m1", plan_id="p1", detail={"approval": "asked"}),
        Entry(Event.INTENDED, detail={"tool": "charge", "undo": "refund"}, **about),
        Entry(Event.DECISION, plan_id="p1", role="clerk", detail={"decisions": ["approved"]}),
        Entry(Event.ATTEMPTED, attempt=1, detail={"span": CHARGE}, **about),
        *more,
    ]
    return [
        Entry(**{**vars(entry), "seq": number, "at": at(number)})
        for number, entry in enumerate(entries, 1)
    ]


def told(entries: list[Entry]) -> dict[SpanKind, Span]:
    return {span.kind: span for span in from_ledger("default", "thread", entries)}


def tree(kept: list[Span], entries: list[Entry]) -> Branch:
    (turn,) = trees(Trace("default", "thread", ""), kept, entries, {("m1", "0.0"): 7})
    return turn


def kept(kind: SpanKind, span_id: str, began: float, ended: float | None, **more: object) -> Span:
    given = {"parent_id": TURN.root_id, **more}
    done = at(ended) if ended is not None else None
    return Span(TURN, span_id, kind=kind, name="charge", started=at(began), ended=done, **given)


def test_every_process_names_a_turn_and_its_parts_alike_and_no_two_alike():
    again = Trace("default", "thread", "m1")
    assert (again.trace_id, again.root_id) == (TURN.trace_id, TURN.root_id)
    assert again.span_id("read", "0.0") == TURN.span_id("read", "0.0")
    assert (len(TURN.trace_id), len(TURN.span_id("read", "0.0"))) == (32, 16)
    for about in (("other", "thread", "m1"), ("default", "t", "m1"), ("default", "thread", "m2")):
        other = Trace(*about)
        assert other.trace_id != TURN.trace_id
        assert other.span_id("read", "0.0") != TURN.span_id("read", "0.0")
    names = [attempt_name("op/1", at, is_undo=undo) for at in (1, 2) for undo in (False, True)]
    assert len({TURN.span_id(*name) for name in names}) == 4


def test_a_trace_of_langsmith_has_the_id_of_its_root():
    assert run_uuid(TURN.trace_id, TURN.root_id).hex == TURN.trace_id
    assert run_uuid(TURN.trace_id, CHARGE).hex.endswith(CHARGE)


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


@pytest.mark.parametrize("status", list(SpanStatus))
def test_a_span_is_read_as_it_was_kept(status: SpanStatus):
    about = {"step": "op/1", "key": "op/1", "attempt": 1, "zones": [1, 2, 3, 4]}
    span = kept(SpanKind.ATTEMPT, CHARGE, 1, 2.5, status=status, about=about)
    inner = kept(SpanKind.PROBE, "a" * 16, 2, None, parent_id=CHARGE, status=status)
    assert [unpacked(TURN, packed(one)) for one in (span, inner)] == [span, inner]
    assert "key" not in packed(span)["about"]


@pytest.mark.parametrize(
    ("event", "outcome", "status"),
    [
        (None, "cut off", SpanStatus.CUT_OFF),
        (Event.ACKNOWLEDGED, "confirmed", SpanStatus.OK),
        (Event.DECLINED, "declined", SpanStatus.ERROR),
        (Event.UNANSWERED, "unknown", SpanStatus.ERROR),
    ],
)
def test_the_ledger_tells_what_came_of_an_attempt_whose_span_was_lost(event, outcome, status):
    answer = event and Entry(event, plan_id="p1", op="checkout/1/charge", gen=1, attempt=1)
    charge = told(ledger(*([answer] if answer else [])))[SpanKind.ATTEMPT]
    assert (charge.span_id, charge.name) == (CHARGE, "charge")
    assert (charge.about["outcome"], charge.status) == (outcome, status)
    assert charge.took == (timedelta(seconds=1) if event else None)


def test_how_long_a_model_took_whose_span_was_lost_is_not_known():
    span = told(ledger())[SpanKind.MODEL]
    assert (span.took, title(span), outcome_of(span)) == (None, "model call", "ok")


def test_a_long_part_of_a_steps_name_is_shown_by_its_first_letters():
    step = "checkout/usd-2872c3ed-11ba-5e35-9352-02dadfdb3938/reserve/BOOT-013/1"
    span = Span(
        TURN, "a" * 16, None, SpanKind.ATTEMPT, "reserve", at(0), None, about={"step": step}
    )
    assert says(span) == "checkout/usd-2872c3ed…/reserve/BOOT-013/1"


def test_a_wait_lasts_from_the_question_to_the_answer():
    wait = told(ledger())[SpanKind.APPROVAL]
    assert (wait.started, wait.ended) == (at(3), at(5))
    assert wait.about["outcome"] == "approved"
    assert (wait.about["asked"], wait.about["answered"], wait.about["by"]) == (3, 5, "clerk")
    wait = told(ledger()[:4])[SpanKind.APPROVAL]
    assert (wait.status, wait.ended) == (SpanStatus.OPEN, None), "nobody answered yet"
    about = {"plan_id": "p1", "op": "checkout/1/charge", "gen": 1}
    doubted, said = Entry(Event.IN_DOUBT, **about), Entry(Event.HAPPENED, **about)
    assert told(ledger(doubted))[SpanKind.DOUBT].status is SpanStatus.OPEN
    doubt = told(ledger(doubted, said))[SpanKind.DOUBT]
    assert (doubt.about["outcome"], doubt.took) == ("happened", timedelta(seconds=1))


def test_a_turn_lasts_until_it_is_done():
    assert told(ledger())[SpanKind.TURN].status is SpanStatus.OPEN
    done = told(ledger(Entry(Event.TURN_DONE, turn_id="m1")))[SpanKind.TURN]
    assert (done.started, done.ended, done.status) == (at(1), at(7), SpanStatus.OK)


def test_a_tree_has_what_was_kept_and_what_the_ledger_knows_besides():
    read = kept(SpanKind.READ, "b" * 16, 2.5, 2.6, about={"call": "0.0", "cache": "hit"})
    recovery = kept(SpanKind.RECOVERY, "e" * 16, 8, 9)
    probe = kept(SpanKind.PROBE, "f" * 16, 8.2, 8.4, parent_id="e" * 16)
    turn = tree([probe, recovery, read], ledger())
    assert [(depth, one.span.kind.value, one.entries) for depth, one in turn.walk()] == [
        (0, "turn", (1,)),
        (1, "model call", (2,)),
        (1, "read", ()),
        (1, "approval wait", (3, 5)),
        (1, "attempt", (6,)),
        (1, "recovery", ()),
        (2, "probe", ()),
    ]
    outcomes = {one.span.kind: outcome_of(one.span) for _, one in turn.walk()}
    assert outcomes[SpanKind.ATTEMPT] == "cut off"
    assert outcomes[SpanKind.TURN] == "not done yet"
    assert next(one for _, one in turn.walk() if one.span.kind is SpanKind.READ).handle == 7


def test_a_span_that_was_kept_to_its_end_says_more_than_the_ledger():
    whole = kept(SpanKind.ATTEMPT, CHARGE, 6, 6.25, about={"outcome": "confirmed"})
    turn = tree([whole], ledger())
    (charge,) = [one for _, one in turn.walk() if one.span.kind is SpanKind.ATTEMPT]
    assert charge.span == whole
    broken = kept(SpanKind.ATTEMPT, CHARGE, 6, None, status=SpanStatus.CUT_OFF)
    answered = Entry(Event.ACKNOWLEDGED, plan_id="p1", op="checkout/1/charge", gen=1, attempt=1)
    turn = tree([broken], ledger(answered))
    (charge,) = [one for _, one in turn.walk() if one.span.kind is SpanKind.ATTEMPT]
    assert (charge.span.status, charge.entries) == (SpanStatus.OK, (6, 7))
    orphan = kept(SpanKind.PROBE, "f" * 16, 8, 9, parent_id="0" * 16)
    assert orphan in [one.span for one in tree([orphan], ledger()).within], "below the turn"
