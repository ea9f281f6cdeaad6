"""Branches: which decisions of a thread are the past of one of them."""

from daybook.nodes.past.branch import decided_next, fork_of, of_branch
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event


def decided(seq: int, turn: str, ordinal: int, after: int | None = None) -> Entry:
    """Write a decision; one of an agent of `create_agent` does not name the one before it."""
    named = {} if after is None else {"after": after}
    return Entry(Event.DECIDED, turn_id=turn, seq=seq, detail={"ordinal": ordinal, **named})


def of(event: Event, turn: str, seq: int) -> Entry:
    return Entry(event, turn_id=turn, seq=seq)


FIRST = [
    of(Event.RECEIVED, "a", 1),
    decided(2, "a", 0, after=0),
    decided(3, "a", 1, after=2),
    of(Event.TURN_DONE, "a", 4),
]
SECOND = [of(Event.RECEIVED, "b", 5), decided(6, "b", 0, after=3), of(Event.TURN_DONE, "b", 7)]
AGAIN = [decided(8, "a", 1, after=2), decided(9, "a", 2, after=8)]
"""The turn a, taken up again after its first decision and decided otherwise."""

THREAD = [*FIRST, *SECOND, *AGAIN]


def test_each_branch_keeps_its_own_decisions_and_a_thread_without_branches_everything():
    assert of_branch([*FIRST, *SECOND], 6, ("b", 1)) == [*FIRST, *SECOND]
    assert [entry.seq for entry in of_branch(THREAD, 6, ("c", 0))] == [1, 2, 3, 4, 5, 6, 7]
    # The end of the turn is not before what was decided otherwise.
    assert [entry.seq for entry in of_branch(THREAD, 9, ("c", 0))] == [1, 2, 5, 7, 8, 9]
    assert not [e for e in of_branch(THREAD, 0, ("a", 0)) if e.event is Event.DECIDED]
    assert [fork_of(THREAD, place) for place in (("a", 0), ("a", 1), ("c", 0))] == [2, 3, 1]


def test_decisions_that_name_none_before_are_one_branch_whose_last_one_counts_at_each_place():
    early = [decided(2, "a", 0), decided(3, "a", 0), decided(4, "a", 1), decided(6, "b", 0)]
    for last, more in ((None, []), (8, [decided(8, "c", 0, after=6)])):
        kept = of_branch([*early, *more], last, ("c", 1))
        assert [entry.seq for entry in kept] == [3, 4, 6, *(e.seq for e in more)]


def test_decisions_that_name_none_before_and_are_still_to_come_are_no_past():
    early = [decided(2, "a", 0), decided(4, "a", 1)]
    assert [entry.seq for entry in of_branch(early, None, ("a", 1))] == [2]
    assert decided_next(early, ("a", 1), None) == [early[1]]


def test_what_was_decided_next_is_found_on_every_branch_that_leads_there():
    assert [entry.seq for entry in decided_next(THREAD, ("a", 1), 2)] == [3, 8]
    assert [entry.seq for entry in decided_next(THREAD, ("a", 1), 6)] == []
    assert [entry.seq for entry in decided_next(THREAD, ("a", 0), 0)] == [2]
