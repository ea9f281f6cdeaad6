"""The simulator can fail: engines that lack a promise are found, and the engine as it is passes."""

import pytest

from daybook.checkpoints.ledger import page
from daybook.state.ledger.plan import Plan
from evals.sim.hunt import hunt
from evals.sim.mutants import MUTANTS, Mutant, NothingToMutate, Patch, all_made, mutant_of
from evals.sim.player import player

QUICK = {
    "early-send": "nobody had claimed it",
    "fresh-reads": "read before",
    "key-by-order": "to be completed under",
}
LIVES = [f"quick-{n}" for n in range(10)]
AT_A_MERCHANT = ["mu-0", "mu-1"]
BOUND = Patch("state.ledger.plan", "Plan.is_bound", lambda known: property(lambda self: True))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.name)
def test_every_mutant_finds_what_it_replaces(mutant: Mutant) -> None:
    before = dict(vars(Plan)), dict(page._SQL)
    with all_made(mutant.patches):
        pass
    assert (dict(vars(Plan)), dict(page._SQL)) == before


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("state.ledger.plan", "Plan.is_gone"),
        ("state.ledger.plan", "gone"),
        ("state.ledger.gone", "Plan"),
        ("checkpoints.ledger.page", "_SQL.gone"),
    ],
)
def test_a_mutant_that_replaces_nothing_fails(module: str, name: str) -> None:
    before = vars(Plan)["is_bound"]
    gone = Patch(module, name, lambda known: known)
    with pytest.raises(NothingToMutate), all_made([BOUND, gone]):
        pytest.fail("nothing was replaced")
    assert vars(Plan)["is_bound"] is before


def test_a_mutant_is_what_runs_and_is_taken_back() -> None:
    plan = Plan("p", "t", approved_hash="of something else")
    with all_made([BOUND]):
        mutated = plan.is_bound
    assert (mutated, plan.is_bound) == (True, False)


@pytest.mark.long
async def test_quick_mutants_are_found_and_the_engine_passes() -> None:
    async with player() as one:
        for name, why in QUICK.items():
            mutant = mutant_of(name)
            found = await hunt(one, mutant, AT_A_MERCHANT if mutant.lives else LIVES)
            assert why in found.broken, name
            as_it_is = await one.life(found.seed, is_hard=True)
            assert as_it_is["broken"] == ""
