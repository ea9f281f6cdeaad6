"""`make tau-chaos`: replayed runs whose processes die."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from evals.tau_retail.chaos import Arena, open_arena
from evals.tau_retail.data import Script, TauRetail, smoke
from evals.tau_retail.outside import open_retailer
from tests.apart.recorded.runs import recorded
from tests.databases import database

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def data() -> TauRetail:
    return recorded()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def arena(data: TauRetail, server_url: str, template: str) -> AsyncIterator[Arena]:
    with (
        open_retailer(data) as retailer,
        database(server_url, template) as ours,
        open_arena(ours, retailer) as arena,
    ):
        yield arena


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
