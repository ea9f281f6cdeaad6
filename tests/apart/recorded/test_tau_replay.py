"""`make tau-smoke` and `make tau-chaos`: decisions that real models took, replayed, killed and checked."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from daybook.state.clock import SYSTEM
from evals.tau_retail.chaos import Arena
from evals.tau_retail.data import EXACT, PARALLEL, Script, TauRetail, scripts_of, smoke
from evals.tau_retail.judge import Outcome
from tests.integration.processes import REPOSITORY

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATIENCE = 60.0

"""Seconds after which a test gives up waiting for something that should have happened."""

PARTS = 3

"""Tests that the picked runs are dealt out to."""

LANES = 4

"""Runs at a time: each waits for the database, the retailer and the provider."""


async def replayed(arena: Arena, scripts: Sequence[Script]) -> list[Outcome]:
    """Replay runs, a few at a time."""
    lanes = asyncio.Semaphore(LANES)

    async def one(script: Script) -> Outcome:
        async with lanes:
            return await arena.trial(script)

    return await asyncio.gather(*map(one, scripts))


def failed(outcomes: Sequence[Outcome]) -> list[str]:
    return [str(failure) for outcome in outcomes for failure in outcome.failures]


@pytest.mark.parametrize("part", range(PARTS))
async def test_the_runs_that_were_picked_come_to_what_was_recorded(
    arena: Arena, data: TauRetail, part: int
):
    outcomes = await replayed(arena, smoke(data)[part::PARTS])
    assert failed(outcomes) == []
    assert len(outcomes) == len(range(part, 85, PARTS))
    assert sum(outcome.duplicates + outcome.evidence.repeats for outcome in outcomes) == 0
    assert sum(outcome.evidence.asked_again for outcome in outcomes) == 0


async def test_calls_of_one_message_are_executed_in_their_order(arena: Arena, data: TauRetail):
    """One run with several writes in a message, and the one with reads behind a write."""
    several = [
        script
        for script in scripts_of(data, PARALLEL)
        if any(sum(call in script.writes for call in one.calls) > 1 for one in script.decides)
    ]
    mixed = next(s for s in scripts_of(data, PARALLEL) if s.run_id == "retail/tau2-gpt-4.1/t102.0")
    outcomes = await replayed(arena, [several[0], mixed])
    assert failed(outcomes) == []
    assert sum(len(outcome.script.writes) for outcome in outcomes) > 3


async def test_a_run_that_does_not_come_to_what_was_recorded_fails(arena: Arena, data: TauRetail):
    """The same decisions, judged by what another run came to."""
    one, *others = [script for script in scripts_of(data, EXACT) if script.writes]
    other = next(script for script in others if script.final != one.final)
    (outcome,) = await replayed(arena, [_judged_by(one, other)])
    assert {check.value for check in outcome.failed} == {"database", "log"}


def _judged_by(script: Script, other: Script) -> Script:
    return replace(script, final=other.final, gold=None, writes=(*script.writes, *other.writes))


def interrupted(folder: Path) -> tuple[int, str, str]:
    """Run the command and interrupt it: its exit code, and what it wrote to output and error."""
    with subprocess.Popen(
        [sys.executable, "-m", "evals.tau_retail", "replay"],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = SYSTEM.monotonic() + PATIENCE
        # Another process's deed: there is no event to wait for.
        while not any(folder.iterdir()):
            assert process.poll() is None
            assert SYSTEM.monotonic() < deadline
            SYSTEM.block(0.05)
        process.send_signal(signal.SIGINT)
        said, told = process.communicate(timeout=PATIENCE)
    return process.returncode, said, told


@pytest.mark.long
async def test_the_command_is_ended_by_a_signal_and_shows_what_it_did(
    data: TauRetail, tmp_path: Path
):
    code, said, told = interrupted(tmp_path)
    assert code == 130, told
    assert "What was started is stopped and removed." in told
    assert "tau-retail, replayed" in said


@pytest.fixture(scope="module")
def cancels(data: TauRetail) -> Script:
    """A run with one write, of an order: done twice, its second result would be an error."""
    return next(one for one in smoke(data) if [w.name for w in one.writes] == [CANCEL])


CANCEL = "cancel_pending_order"


@pytest.mark.parametrize(
    "moment",
    [
        f"after_commit:attempted/{CANCEL}#1",
        f"after_reply:{CANCEL}#1",
        pytest.param("before_model:#2", marks=pytest.mark.long),
    ],
)
async def test_a_run_whose_process_dies_comes_to_what_was_recorded(
    arena: Arena, cancels: Script, moment: str
):
    outcome = await arena.trial(cancels, 1, [moment], name=moment.replace("/", "."))
    assert [str(failure) for failure in outcome.failures] == []
    assert outcome.kills == 1
    # Whoever takes the thread over looks the write up or sends it under its key, never anew.
    assert outcome.duplicates == 0


async def test_an_error_of_a_process_is_told_and_not_tried_again(arena: Arena, cancels: Script):
    """The customer says one thing more than the record knows."""
    talks_on = replace(cancels, says=(*cancels.says, "and one thing more"))
    outcome = await arena.trial(talks_on, 9)
    assert "harness" in {check.value for check in outcome.failed}
    assert any("was asked for one more" in one.found for one in outcome.failures)
