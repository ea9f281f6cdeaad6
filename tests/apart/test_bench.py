"""The bench with a few steps: what it measures is there, and it leaves nothing behind."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.bench.agents import Kind
from evals.bench.measure import EFFECT, EFFECTS, Course, Figures, entrants, measure
from evals.servers import ROOT

pytestmark = pytest.mark.long

COURSE = Course(turns=2, per_turn=3, marks=(3, 6), window=1, warm_up=0)
PYTHON = ROOT / ".venv-rivals/bin/python"
# Where nobody has made the rivals' environment, all others are measured.
ENTERED = [one for one in entrants(COURSE, PYTHON) if PYTHON.exists() or one.system not in EFFECTS]
Run = dict[tuple[str, str], Figures]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run the bench once, and see that nothing is left of what it had in its temporary folder."""
    with (
        tempfile.TemporaryDirectory(prefix="daybook-tests-") as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        # The embedded server may run as another user, who must be able to reach it.
        Path(folder).chmod(0o755)
        patch.setattr(tempfile, "tempdir", folder)
        yield {(f.step, f.system): f for f in asyncio.run(measure(COURSE, ENTERED))}
        assert list(Path(folder).iterdir()) == []


def test_every_step_of_every_contender_is_measured(run: Run):
    assert [*run] == [(one.step, one.system) for one in ENTERED]
    for (step, _), taken in run.items():
        for turn in taken.turns:
            assert len(turn.ms) == COURSE.per_turn
            assert len(turn.super_steps) == (0 if step == EFFECT else COURSE.per_turn)
        assert len(taken.commits) == len(taken.turns) == COURSE.turns
        assert all(commits >= COURSE.per_turn for commits in taken.commits)
        assert taken.transactions >= sum(taken.commits)
        assert taken.live_per_step(COURSE.steps) > 0


@pytest.mark.parametrize("kind", Kind)
def test_the_floor_has_as_many_super_steps_as_a_step_of_daybook(run: Run, kind: Kind):
    assert run[kind.label, "floor"].super_steps == run[kind.label, "daybook"].super_steps


@pytest.mark.parametrize("kind", Kind)
def test_the_live_bytes_per_step_of_daybook_do_not_grow_with_the_thread(run: Run, kind: Kind):
    taken, (fewer, more) = run[kind.label, "daybook"], COURSE.marks
    assert taken.live_per_step(more) <= taken.live_per_step(fewer)
    assert taken.live[more]["ledger_event"] > 0
    assert taken.live[more]["ledger_payload"] > 0
