"""Where a killed process stood is read from the byte that it left behind."""

from pathlib import Path

import pytest

from daybook.state.fault_points import FaultPoint
from evals.tau_retail.marks import Marks, Place, place_in

BEFORE, AFTER = FaultPoint.BEFORE_COMMIT, FaultPoint.AFTER_COMMIT
WRITE = "cancel_pending_order"
CLAIM = [(BEFORE, f"attempted/{WRITE}"), (AFTER, f"attempted/{WRITE}")]
SENT = [*CLAIM, (FaultPoint.BEFORE_REQUEST, WRITE)]
REPLIED = [*SENT, (FaultPoint.AFTER_REPLY, WRITE)]
RECORD = [(BEFORE, f"acknowledged/{WRITE}"), (AFTER, f"acknowledged/{WRITE}")]
PUT = (FaultPoint.BEFORE_CHECKPOINT, "put")


@pytest.mark.parametrize(
    ("passed", "place"),
    [
        ([], Place.ELSEWHERE),
        ([(FaultPoint.BEFORE_MODEL, "")], Place.MODEL),
        ([(FaultPoint.BEFORE_MODEL, ""), PUT], Place.MODEL),
        ([PUT], Place.CHECKPOINT),
        ([PUT, (FaultPoint.AFTER_CHECKPOINT, "put")], Place.ELSEWHERE),
        (CLAIM[:1], Place.COMMIT),
        (CLAIM, Place.CLAIMED),
        (SENT, Place.REQUEST),
        ([*SENT, PUT], Place.REQUEST),
        (REPLIED, Place.REPLIED),
        ([*REPLIED, RECORD[0]], Place.REPLIED),
        ([*REPLIED, *RECORD], Place.ELSEWHERE),
    ],
)
def test_a_place_is_told_by_the_points_that_were_passed(tmp_path, passed, place):
    file = tmp_path / "marks"
    marks = Marks(file)
    for point, about in passed:
        marks(point, about)
    assert place_in(file) is place


def test_a_place_is_left_with_its_block(tmp_path: Path):
    file = tmp_path / "marks"
    marks = Marks(file)
    with marks.within(Place.READ):
        assert place_in(file) is Place.READ
    assert place_in(file) is Place.ELSEWHERE
    marks.over()
    assert place_in(file) is Place.OVER
