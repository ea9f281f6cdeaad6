"""The simulator can fail: engines that lack a promise are found, and the engine as it is passes."""

import inspect

import pytest

from daybook.checkpoints.runs import fence
from daybook.state.ledger.plan import Plan
from evals.sim.lives.life import Life
from evals.sim.mutants.__main__ import hunt, player
from evals.sim.mutants.editing import Edit, NothingToMutate, SqlEdit, all_made
from evals.sim.mutants.mutations import MUTATIONS, Mutation

QUICK = {
    "early-send": "nobody had claimed it",
    "fresh-reads": "read before",
    "key-by-order": "to be completed under",
}
LIVES = [f"quick-{n}" for n in range(10)]
AT_A_MERCHANT = ["merchants/mu-0", "merchants/mu-1"]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_every_mutation_finds_what_it_changes(mutation: Mutation) -> None:
    assert inspect.isclass(Life)
    before = dict(vars(Plan)), dict(fence._SQL)
    with all_made(mutation.edits):
        pass
    assert (dict(vars(Plan)), dict(fence._SQL)) == before


@pytest.mark.parametrize(
    "edit",
    [
        Edit("state.ledger.plan", "Plan.is_bound", (("what is not there", ""),)),
        Edit("state.ledger.plan", "Plan.is_gone", (("self", ""),)),
        Edit("state.ledger.gone", "Plan", (("self", ""),)),
        SqlEdit("runner.sql", "fence", (("for update", ""),)),
        SqlEdit("runner.sql", "gone", (("for update", ""),)),
    ],
)
def test_a_mutation_that_changes_nothing_fails(edit: Edit | SqlEdit) -> None:
    before = vars(Plan)["is_bound"]
    sound = Edit("state.ledger.plan", "Plan.is_bound", (("self.approval ==", "True or"),))
    with pytest.raises(NothingToMutate), all_made([sound, edit]):
        pytest.fail("nothing was changed")
    assert vars(Plan)["is_bound"] is before


def test_a_mutation_is_what_runs_and_is_taken_back() -> None:
    edit = Edit(
        "state.ledger.plan", "Plan.is_bound", (('self.approval == "policy" or ', "True or "),)
    )
    plan = Plan("p", "t", approved_hash="of something else")
    with all_made([edit]):
        mutated = plan.is_bound
    assert (mutated, plan.is_bound) == (True, False)


@pytest.mark.long
async def test_quick_mutants_are_found_and_the_engine_passes() -> None:
    async with player() as process:
        where = {one.name: one.lives for one in MUTATIONS}
        lives = {name: AT_A_MERCHANT if where[name] else LIVES for name in QUICK}
        found = {name: await hunt(process, name, lives[name]) for name in QUICK}
        same = sorted({one for name in QUICK for one in lives[name][: found[name]["lives"]]})
        as_it_is = await hunt(process, "", same)
    assert all(QUICK[name] in one["broken"] for name, one in found.items()), found
    assert (as_it_is["lives"], as_it_is["broken"]) == (len(same), "")
