"""The time axis of the console: to scale, with long pauses cut short."""

from datetime import UTC, datetime, timedelta

import pytest

from daybook.app.console.drawn.axis import Span, axis_of, duration

BEGIN = datetime(2026, 1, 31, 12, tzinfo=UTC)


def at(ms: float) -> datetime:
    """Return an instant so many milliseconds after the beginning."""
    return BEGIN + timedelta(milliseconds=ms)


def test_what_lasts_twice_as_long_is_drawn_twice_as_wide():
    axis = axis_of([at(0), at(100), at(300)], [], [])
    assert axis.place(at(100)) == pytest.approx(100 / 3)
    assert (axis.place(at(0)), axis.place(at(300))) == (0, pytest.approx(100))
    assert axis.pauses == []


def test_a_long_wait_for_a_person_is_cut_short_and_work_never_is():
    waits = [Span(at(100), at(3_600_100), "waiting for approval")]
    axis = axis_of([at(0), at(100), at(3_600_100), at(3_600_300)], [], waits)
    [pause] = axis.pauses
    assert pause.pause == "waiting for approval"
    assert pause.lasted == timedelta(hours=1)
    before, after = axis.place(at(100)), 100 - axis.place(at(3_600_100))
    assert after == pytest.approx(2 * before), "the rest stays to scale"
    assert before + pause.width + after == pytest.approx(100)
    work = [Span(at(100), at(30_100), "attempt")]
    axis = axis_of([at(0), at(100), at(30_100), at(30_200)], work, [])
    assert axis.pauses == []
    assert axis.place(at(30_100)) - axis.place(at(100)) > 99


def test_many_pauses_leave_room_for_what_happened():
    instants = [at(3_600_000 * hour + ms) for hour in range(20) for ms in (0, 100)]
    axis = axis_of(instants, [], [])
    assert len(axis.pauses) == 19
    assert sum(pause.width for pause in axis.pauses) == pytest.approx(40)
    assert {pause.pause for pause in axis.pauses} == {"nothing happened"}


def test_the_ruler_is_a_round_duration_that_fits_and_a_single_instant_has_none():
    assert axis_of([at(0), at(1_000)], [], []).ruler == ("200 ms", pytest.approx(20))
    axis = axis_of([at(0)], [], [])
    assert (axis.place(at(0)), axis.ruler) == (0, None)


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1 s"),
        (8_240, "8.2 s"),
        (61_000, "1 min 1 s"),
        (120_000, "2 min"),
        (3_600_000, "1 h"),
        (5_400_000, "1 h 30 min"),
        (200_000_000, "2 days 7 h"),
    ],
)
def test_durations_are_told_in_two_units_at_most(ms: int, words: str):
    assert duration(timedelta(milliseconds=ms)) == words
