"""The bench with a few steps: what it measures is there, and it leaves nothing behind."""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from evals.bench.agents import Kind
from evals.bench.measure import TABLES, Course, Figures, measure

pytestmark = pytest.mark.long

COURSE = Course(turns=4, per_turn=2, marks=(4, 8), window=4, warm_up=0)
SYSTEMS = ("daybook", "create_agent")


@dataclass(frozen=True)
class Run:
    """Hold one run of the bench, and the folder that it had for its temporary files."""

    figures: list[Figures]
    temporary: Path

    def of(self, system: str, kind: Kind) -> Figures:
        """Return the figures of one contender."""
        return next(f for f in self.figures if (f.system, f.kind) == (system, kind))


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run the bench once, with a temporary folder of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="daybook-tests-") as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        # The embedded server may run as another user, who must be able to reach it.
        Path(folder).chmod(0o755)
        patch.setattr(tempfile, "tempdir", folder)
        yield Run(asyncio.run(measure(COURSE)), Path(folder))


def test_every_step_of_every_contender_is_measured(run: Run):
    assert [(f.kind, f.system) for f in run.figures] == [
        (kind, system) for kind in Kind for system in SYSTEMS
    ]
    for taken in run.figures:
        assert len(taken.step_ms) == len(taken.super_steps) == COURSE.steps
        assert all(steps >= 1 for steps in taken.super_steps)
        assert len(taken.commits) == COURSE.turns
        assert all(commits >= COURSE.per_turn for commits in taken.commits)
        assert taken.transactions >= sum(taken.commits)


def test_the_live_bytes_per_step_of_daybook_do_not_grow_with_the_thread(run: Run):
    fewer, more = COURSE.marks
    assert fewer < more
    for kind in Kind:
        taken = run.of("daybook", kind)
        assert 0 < taken.live_per_step(more) <= taken.live_per_step(fewer)


def test_the_ledger_of_daybook_is_counted(run: Run):
    live = run.of("daybook", Kind.APPROVED_WRITE).live[COURSE.steps]
    assert set(live) == set(TABLES)
    assert live["ledger_event"] > 0
    assert live["ledger_payload"] > 0


def test_nothing_is_left_of_a_run(run: Run):
    assert list(run.temporary.iterdir()) == []
