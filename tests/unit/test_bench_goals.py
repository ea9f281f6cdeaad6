"""The goals of the bench: each is reached at its limit, and missed above it."""

from collections.abc import Iterator
from typing import Any

import pytest

from evals.bench.effects import Turn
from evals.bench.measure import EFFECT, EFFECTS, LIMITS, REST, Course, Figures, goals_of

COURSE = Course(turns=2, per_turn=1, marks=(1, 2), window=1)


def taken(step: str, by: str, *turns: tuple[float, float], **more: Any) -> Figures:
    return Figures(step, by, COURSE, [Turn([ms], rest_ms=rest) for ms, rest in turns], **more)


def figures(times: float) -> Iterator[Figures]:
    """Let Daybook take so many times what it may."""
    yield taken(EFFECT, "daybook", (times, 0))
    yield from (taken(EFFECT, rival, (1 / limit, 0)) for rival, limit in EFFECTS.items())
    for kind, may in LIMITS.items():
        yield taken(kind.label, "create_agent", (1, 1), (1, 1))
        ours = [(ms * times, rest * times) for ms, rest in zip(may.times, REST, strict=True)]
        yield taken(
            *(kind.label, "daybook", *ours),
            commits=[may.commits * times],
            transactions=2 * may.transactions * times,
            live={1: {"": may.live}, 2: {"": 2 * may.live * times}},
        )


@pytest.mark.parametrize(("times", "is_reached"), [(1, True), (1.02, False)])
def test_a_goal_is_reached_at_its_limit_and_missed_above_it(times: float, is_reached: bool):
    goals = list(goals_of(list(figures(times))))
    assert len(goals) == 8 * len(LIMITS) + len(EFFECTS)
    assert {goal.is_reached for goal in goals} == {is_reached}
