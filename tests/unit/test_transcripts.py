"""Transcripts: of one branch of a thread, and the prompt that they are compiled into."""

from daybook.nodes.past.branch import decided_at, of_branch
from daybook.nodes.prompt.transcript import Transcript
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from tests.unit.shop_parts import a_domain

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


def test_turns_of_another_branch_are_passed_over():
    transcript = Transcript(DOMAIN, EPOCH)
    transcript.take([*turn("a", 1), *turn("b", 4), *turn("c", 7)])
    transcript.compile(said("a", "c"))
    texts = [message.text for message in transcript.messages]
    assert texts == ["words of a", "words of a/answer", "words of c", "words of c/answer"]


def _decided(seq: int, prompt: str, turn: str = "a", **more: int) -> Entry:
    detail = {"ordinal": 0, "prompt": prompt, **more}
    return Entry(
        Event.DECIDED, turn_id=turn, seq=seq, detail=detail, payload={"calls": [], "text": prompt}
    )


def test_a_branch_has_its_own_decisions_and_no_end_of_a_turn_that_was_decided_anew():
    entries = [
        _decided(2, "one", after=0),
        Entry(Event.TURN_DONE, turn_id="a", seq=3),
        _decided(5, "two", turn="b", after=2),
        _decided(9, "other", after=0),
    ]
    assert [entry.seq for entry in of_branch(entries, 5)] == [2, 3, 5]
    assert [entry.seq for entry in of_branch(entries, 9)] == [9]
    assert [entry.seq for entry in decided_at(entries, ("a", 0))] == [2, 9]
    assert of_branch([_decided(2, "one")], 0) != [], "those of other agents name none before them"
