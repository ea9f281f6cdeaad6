"""Where a conversation stands, for whom it waits, and what is kept until when."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from daybook.state.people.lifecycle import Standing, lifecycle

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
KEEP = {"checkpoints": timedelta(days=30), "reads": timedelta(days=7)}
IDLE = Standing("t", "ada", "shop", "idle", NOW - timedelta(hours=1))


@pytest.mark.parametrize(
    ("changes", "waits_for"),
    [
        ({}, "ada to speak"),
        ({"status": "active"}, "the agent"),
        ({"status": "closed"}, ""),
        ({"status": "waiting", "asks": "clerk"}, "a clerk to decide"),
        (
            {"status": "waiting", "asks": "customer", "is_doubt": True},
            "the customer to say what happened",
        ),
    ],
)
def test_it_says_for_whom_it_waits(changes: dict[str, object], waits_for: str):
    assert lifecycle(replace(IDLE, **changes), KEEP, NOW).waits_for == waits_for


def test_only_what_rests_is_kept_for_a_time():
    idle = lifecycle(IDLE, KEEP, NOW)
    assert idle.kept == {part: IDLE.last_activity + time for part, time in KEEP.items()}
    for status in ("active", "waiting"):
        assert lifecycle(replace(IDLE, status=status), KEEP, NOW).kept == {}


def test_a_question_ends_at_its_time_and_only_while_it_waits():
    until = NOW + timedelta(hours=1)
    waiting = replace(IDLE, status="waiting", asks="customer", until=until)
    assert lifecycle(waiting, KEEP, NOW).until == until
    assert lifecycle(replace(waiting, status="idle"), KEEP, NOW).until is None
