"""What a step writes and asks is counted, so that it cannot creep up: pages, checkpoints, statements."""

from collections import Counter
from typing import Any

import psycopg
import pytest

from daybook.checkpoints.statements import statements
from daybook.state.fault_points import FaultPoint, arm
from evals.bench.agents import Kind, open_daybook

STEPS = 3
RENEW = statements("runner.sql")["renew"]

OF_A_TURN = {"pages": 3, "checkpoints": 5, "statements": 39}
"""Received, the answer, done; the input, what is received, the answer, the end."""

OF_A_STEP = {
    Kind.READ: {"pages": 1, "checkpoints": 2, "statements": 16},
    # Decided; intended and claimed; done.
    Kind.AUTO_WRITE: {"pages": 3, "checkpoints": 2, "statements": 29},
    # Decided; intended; approved and claimed; done. A question is one of the checkpoints.
    Kind.APPROVED_WRITE: {"pages": 4, "checkpoints": 4, "statements": 49},
}


@pytest.mark.parametrize("kind", Kind)
async def test_a_step_commits_and_asks_as_often_as_is_written_here(
    postgres_url: str, kind: Kind, monkeypatch: pytest.MonkeyPatch
):
    counted: Counter[str] = Counter()
    execute = psycopg.AsyncCursor.execute

    async def counting(self: Any, query: Any, *given: Any, **more: Any) -> Any:
        # By the clock a lease is renewed, and for each connection it is said who it is.
        is_of_a_step = query != RENEW and "set_config" not in str(query)
        counted["statements"] += is_of_a_step
        return await execute(self, query, *given, **more)

    def passing(point: FaultPoint, about: str) -> None:
        # A page that decides and claims passes twice.
        is_claim_behind = about.startswith("attempted") and kind is not Kind.READ
        counted["pages"] += point is FaultPoint.AFTER_COMMIT and not is_claim_behind
        counted["checkpoints"] += point is FaultPoint.AFTER_CHECKPOINT

    async with open_daybook(postgres_url, kind, STEPS) as ours:
        monkeypatch.setattr(psycopg.AsyncCursor, "execute", counting)
        arm(passing)
        try:
            await ours.turn()
        finally:
            arm(None)
    assert counted == {
        name: number + STEPS * OF_A_STEP[kind][name] for name, number in OF_A_TURN.items()
    }
