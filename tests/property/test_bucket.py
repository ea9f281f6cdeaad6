"""The token bucket of a limited tool: never more than its limit, and never longer than need be."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from daybook.state.people.rules import Bucket, Limit

MORNING = datetime(2025, 6, 1, 9, tzinfo=UTC)

LIMITS = st.builds(Limit, st.integers(1, 50), st.integers(1, 100))
RESTS = st.lists(st.timedeltas(timedelta(0), timedelta(seconds=30)), max_size=60)


def full(limit: Limit) -> Bucket:
    return Bucket(limit, limit.most, MORNING)


def drained(bucket: Bucket, now: datetime) -> Bucket:
    """Take tokens until none is left."""
    while (less := bucket.taken(now)) is not None:
        bucket = less
    return bucket


@given(LIMITS, RESTS)
def test_in_no_stretch_of_time_more_calls_pass_than_the_bucket_holds_and_gets_back(limit, rests):
    bucket, now, passed = full(limit), MORNING, list[datetime]()
    for rest in rests:
        now += rest
        less = bucket.taken(now)
        if less is not None:
            bucket = less
            passed.append(now)
    for first, begin in enumerate(passed):
        for last, end in enumerate(passed[first:], first):
            assert last - first + 1 <= limit.most + (end - begin) // limit.interval


@given(LIMITS, RESTS)
def test_whoever_waits_for_the_next_token_finds_it_there_and_not_before(limit, rests):
    bucket, now = full(limit), MORNING
    for rest in rests:
        now += rest
        there = bucket.next_at(now)
        assert now <= there <= now + limit.interval
        if there > now:
            assert bucket.taken(there - timedelta(microseconds=1)) is None
        less = bucket.taken(there)
        assert less is not None
        bucket, now = less, there


@given(LIMITS, st.timedeltas(timedelta(0), timedelta(days=1)))
def test_an_empty_bucket_is_full_again_after_its_time_and_gets_nothing_from_a_clock_that_goes_back(
    limit, back
):
    empty = drained(full(limit), MORNING)
    period = limit.most * limit.interval
    assert period - timedelta(seconds=limit.seconds) < timedelta(microseconds=limit.most)
    assert empty.refilled(MORNING + period).tokens == limit.most
    assert empty.refilled(MORNING + 10 * period).tokens == limit.most
    assert empty.taken(MORNING - back) is None
