"""What the pages take from the code is what the code says, and the picture shows the whole table."""

from daybook.state.ledger.recovery import TABLE, StepState
from docs.made.drawing import PLACES, arrows, drawing
from docs.made.files import PARTS, made, written


def test_what_is_committed_is_what_is_made_and_each_part_stands_in_a_page():
    wanted = made()
    other = [path.name for path, text in wanted.items() if written(path) != text]
    assert not other, "run `make docs`, and commit what it writes"
    asked = "".join(text for path, text in wanted.items() if path.suffix == ".md")
    assert all(f"<!-- made: {name} -->" in asked for name in PARTS)


def test_every_state_has_a_place_of_its_own():
    assert set(PLACES) == set(StepState)
    assert len(set(PLACES.values())) == len(StepState)


def test_the_picture_has_an_arrow_for_every_move_that_changes_a_state():
    drawn = {(one.begin, event, one.end) for one in arrows() for event in one.events}
    moves = {(row.state, row.event, row.next) for row in TABLE if row.state is not None}
    assert drawn <= moves
    assert {move for move in moves if move[0] is not move[2]} <= drawn
    assert all(f">{event.value}<" in drawing() for _, event, _ in drawn)
