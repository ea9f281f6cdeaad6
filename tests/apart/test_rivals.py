"""One kill of the rivals' purchase: it can be done twice, and Daybook does it once, by itself."""

import sys
from pathlib import Path

import pytest

from evals.rivals.cells import CONTENDERS, Cell, Counts, Instant, Point, Service
from evals.rivals.play import open_stage
from evals.rivals.town import open_town

BOUND = 0.5


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("Daybook", Counts(runs=1, by_itself=1)),
        ("create_agent, sync, keys", Counts(runs=1, duplicates=1)),
    ],
)
async def test_killed_when_the_charge_was_accepted(
    server_url: str, tmp_path: Path, name: str, counted: Counts
):
    [contender] = (one for one in CONTENDERS if one.name == name)
    performed = Instant(Point.ACCEPTED, "charge")
    with open_town(BOUND) as town:
        async with open_stage(contender, sys.executable, town, server_url, tmp_path) as stage:
            cells = [Cell(contender, one, performed) for one in (Service.BLIND, Service.LATE)]
            verdicts = [await stage.play(cell) for cell in cells]
    assert [one.wrong for one in verdicts] == ["", ""]
    assert [one.counts for one in verdicts] == [counted] * 2
