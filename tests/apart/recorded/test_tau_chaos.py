"""`make tau-chaos`: replayed runs whose processes die, ours and those of the agent beside it."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from evals.tau_retail.chaos import Arena, open_arena
from evals.tau_retail.data import TauRetail
from evals.tau_retail.marks import Place
from evals.tau_retail.outside import retailer
from evals.tau_retail.plain import make_tables
from evals.tau_retail.player import DAYBOOK, KEYED, PLAIN
from evals.tau_retail.recordings import Script, smoke
from tests.apart.recorded.runs import recorded
from tests.databases import database

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def data() -> TauRetail:
    return recorded()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def arena(
    data: TauRetail, server_url: str, template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Arena]:
    folder = tmp_path_factory.mktemp("arena")
    with (
        retailer(data.folder, folder) as url,
        database(server_url, template) as ours,
        database(server_url) as plain,
        database(server_url) as keyed,
    ):
        for one in (plain, keyed):
            await make_tables(one)
        databases = {DAYBOOK: ours, PLAIN: plain, KEYED: keyed}
        async with open_arena(data, databases, url, folder) as arena:
            yield arena


@pytest.fixture(scope="module")
def cancels(data: TauRetail) -> Script:
    """A run with one write, of an order: done twice, its second result would be an error."""
    return next(one for one in smoke(data) if [w.name for w in one.writes] == [CANCEL])


@pytest.fixture(scope="module")
def moves(data: TauRetail) -> Script:
    """A run with a write of an address: done twice, the database and the result are the same."""
    return next(one for one in smoke(data) if any(w.name == MOVE for w in one.writes))


CANCEL, MOVE = "cancel_pending_order", "modify_user_address"


@pytest.mark.parametrize(
    ("trial", "place"),
    [
        (1, Place.CLAIMED),
        (2, Place.REPLIED),
        pytest.param(3, Place.MODEL, marks=pytest.mark.long),
    ],
)
async def test_a_run_whose_process_dies_comes_to_what_was_recorded(
    arena: Arena, cancels: Script, trial: int, place: Place
):
    outcome = await arena.trial(cancels, DAYBOOK, trial, [place])
    assert [str(failure) for failure in outcome.failures] == []
    assert outcome.kills == [place]
    # Whoever takes the thread over looks the write up or sends it under its key, never anew.
    assert outcome.duplicates == 0


async def test_what_is_done_and_not_recorded_is_done_twice_by_an_agent_without_ledger(
    arena: Arena, cancels: Script
):
    outcome = await arena.trial(cancels, PLAIN, 1, [Place.REPLIED])
    assert outcome.kills == [Place.REPLIED]
    assert outcome.duplicates == 1
    assert {check.value for check in outcome.failed} == {"results", "log"}


@pytest.mark.long
async def test_a_key_from_a_stored_call_id_answers_what_is_done_again(
    arena: Arena, cancels: Script
):
    outcome = await arena.trial(cancels, KEYED, 1, [Place.REPLIED])
    assert outcome.is_passed
    assert outcome.repeats == 1


@pytest.mark.long
async def test_a_write_that_no_database_shows_to_be_done_twice_is_seen_in_the_log(
    arena: Arena, moves: Script
):
    ours = await arena.trial(moves, DAYBOOK, 1, [Place.REPLIED])
    plain = await arena.trial(moves, PLAIN, 1, [Place.REPLIED])
    assert ours.is_passed
    assert {check.value for check in plain.failed} == {"log"}


@pytest.mark.long
@pytest.mark.parametrize("player", [DAYBOOK, PLAIN, KEYED])
async def test_whoever_is_left_alone_comes_to_what_was_recorded(
    arena: Arena, cancels: Script, player: str
):
    outcome = await arena.trial(cancels, player, 0, [])
    assert outcome.is_passed
    assert outcome.seconds > 0


async def test_an_error_of_a_process_is_told_and_not_tried_again(arena: Arena, cancels: Script):
    """The customer says one thing more than the record knows."""
    talks_on = replace(cancels, says=(*cancels.says, "and one thing more"))
    outcome = await arena.trial(talks_on, DAYBOOK, 9, [])
    assert "harness" in {check.value for check in outcome.failed}
    assert any("was asked for one more" in one.found for one in outcome.failures)
