"""Transcripts: kept from run to run, and compiled anew where a thread went back."""

from collections.abc import Iterable
from typing import Any

import pytest

from daybook.nodes.prompt.compiler import Transcripts, compile_prompt
from daybook.nodes.prompt.transcript import Transcript
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.shop.cart import Cart
from daybook.state.shop.state import Checkout
from tests.unit.shop_parts import ADA, a_domain

DOMAIN = a_domain()
EPOCH = {"number": 0, "digest": "", "covers": 0}


def said(*turns: str) -> dict[str, str]:
    """Return what people read after some turns, by message id."""
    return {id_: f"words of {id_}" for turn in turns for id_ in (turn, f"{turn}/answer")}


def turn(name: str, seq: int) -> list[Entry]:
    """Write a turn that was answered at once."""
    detail = {"ordinal": 0, "prompt": name}
    return [
        Entry(Event.RECEIVED, turn_id=name, seq=seq),
        Entry(
            Event.DECIDED,
            turn_id=name,
            seq=seq + 1,
            detail=detail,
            payload={"calls": [], "text": ""},
        ),
        Entry(Event.TURN_DONE, turn_id=name, seq=seq + 2),
    ]


def compiled(entries: Iterable[Entry], people: dict[str, str]) -> tuple[Transcript, list[str]]:
    """Compile some entries; returns the transcript and the texts in it."""
    transcript = Transcript(DOMAIN)
    transcript.take(entries)
    return transcript, [message.text for message in transcript.compiled(people)]


def test_turns_of_another_branch_are_passed_over():
    entries = [*turn("a", 1), *turn("b", 4), *turn("c", 7)]
    transcript, texts = compiled(entries, said("a", "c"))
    assert texts == ["words of a", "words of a/answer", "words of c", "words of c/answer"]
    assert transcript.fits(said("a", "c"))
    assert transcript.fits(said("a", "c", "d")), "the branch went on"


@pytest.mark.parametrize("people", [said("a"), said("a", "b", "c"), said("b", "c"), {}])
def test_a_transcript_does_not_fit_another_branch(people: dict[str, str]):
    transcript, _ = compiled([*turn("a", 1), *turn("b", 4), *turn("c", 7)], said("a", "c"))
    assert not transcript.fits(people)


def _decided(seq: int, prompt: str, turn: str = "a", **more: int) -> Entry:
    detail = {"ordinal": 0, "prompt": prompt, **more}
    return Entry(
        Event.DECIDED, turn_id=turn, seq=seq, detail=detail, payload={"calls": [], "text": prompt}
    )


def test_a_thread_that_decided_twice_at_one_place_or_on_another_branch_is_compiled_anew():
    transcript = Transcript(DOMAIN)
    transcript.take([Entry(Event.RECEIVED, turn_id="a", seq=1), _decided(2, "one")])
    assert transcript.fits({"a": "hello"})
    transcript.take([_decided(3, "other")])
    assert transcript.forked
    assert not transcript.fits({"a": "hello"})
    transcript = Transcript(DOMAIN)
    transcript.take([_decided(2, "one", after=0)])
    transcript.take([_decided(5, "two", turn="b", after=2)])
    assert not transcript.forked
    transcript.take([_decided(9, "three", turn="c", after=2)])
    assert transcript.forked


# -- kept -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thread", "epoch", "people", "domain"),
    [
        ("another", EPOCH, said("a"), DOMAIN),
        ("thread", {"number": 1, "digest": "progress", "covers": 3}, said("a"), DOMAIN),
        ("thread", EPOCH, {}, DOMAIN),
        ("thread", EPOCH, said("a"), a_domain()),
    ],
    ids=["thread", "epoch", "branch", "domain"],
)
def test_another_thread_epoch_branch_or_domain_begins_anew(thread, epoch, people, domain):
    kept = Transcripts()
    transcript = kept.of("thread", EPOCH, {}, DOMAIN, 2_000)
    transcript.take(turn("a", 1))
    transcript.compiled(said("a"))
    assert kept.of("thread", EPOCH, said("a", "b"), DOMAIN, 2_000) is transcript, "it goes on"
    assert transcript.last_seq == 3
    anew = kept.of(thread, epoch, people, domain, 2_000)
    assert anew is not transcript
    assert (anew.last_seq, anew.messages) == (epoch["covers"], [])


def test_only_the_threads_that_were_at_work_last_are_kept():
    kept = Transcripts()
    first = kept.of("first", EPOCH, {}, DOMAIN, 2_000)
    for _ in range(2):
        for number in range(127):
            kept.of(str(number), EPOCH, {}, DOMAIN, 2_000)
        assert kept.of("first", EPOCH, {}, DOMAIN, 2_000) is first
    kept.of("one more", EPOCH, {}, DOMAIN, 2_000)
    kept.of("and another", EPOCH, {}, DOMAIN, 2_000)
    assert kept.of("0", EPOCH, {}, DOMAIN, 2_000).last_seq == 0


# -- compiled into a prompt -----------------------------------------------------------------------


def _state(**changed: Any) -> dict[str, Any]:
    state = {
        "messages": [],
        "flow": "shopping",
        "epoch": EPOCH,
        "cart": Cart(cart_id="usd-1", currency="USD"),
        "checkout": Checkout(),
    }
    return {**state, **changed}


def test_the_tail_names_flow_and_stale_reads():
    transcript = Transcript(DOMAIN, handles={3, 4})
    epoch = {**EPOCH, "digest": "# Progress\n\n## Read before\n- r9 search_products boots"}
    prompt = compile_prompt(_state(epoch=epoch), transcript, [2, 3, 9], DOMAIN, ADA)
    tail = prompt.messages[-1].text.splitlines()
    assert tail[:2] == ["# Now", "flow: shopping"]
    assert tail[-1] == "superseded: r3 r9"
