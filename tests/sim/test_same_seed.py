"""Seeds that are played twice, in two processes: the same ledger, and no promise broken."""

import asyncio
from typing import Any

import pytest

from evals.sim.life import NOT_THE_SAME
from evals.sim.player import player
from evals.sim.recipe import failed

Lives = dict[str, dict[str, Any]]

# A lock that is waited for, a restart of Postgres, and days at a merchant.
FEW = ["twice-31", "twice-34", "merchants/one-1", "merchants/one-5"]
FIFTY = [f"twice-{n}" for n in range(50)]
AT_MERCHANTS = [f"merchants/twice-{n}" for n in range(10)]


async def played(seeds: list[str]) -> Lives:
    async with player() as one:
        return {seed: await one.life(seed) for seed in seeds}


@pytest.fixture(scope="module")
def twice() -> list[Lives]:
    async def both() -> list[Lives]:
        return list(await asyncio.gather(played([*failed(), *FEW]), played(FEW)))

    return asyncio.run(both())


def same(one: Lives, other: Lives) -> bool:
    def of(lives: Lives) -> Lives:
        return {
            seed: {name: value for name, value in life.items() if name not in NOT_THE_SAME}
            for seed, life in lives.items()
        }

    return of(one) == of(other)


def test_the_same_seed_gives_the_same_ledger(twice: list[Lives]):
    one, other = twice
    assert same({seed: one[seed] for seed in FEW}, other)
    assert all(life["events"] for life in one.values())
    assert len({life["dump"] for life in one.values()}) == len(one)


@pytest.mark.parametrize("seed", [*failed(), *FEW])
def test_a_life_keeps_every_promise(seed: str, twice: list[Lives]):
    assert twice[0][seed]["broken"] == ""


@pytest.mark.long
async def test_fifty_seeds_and_those_that_failed_give_the_same_ledgers():
    seeds = [*failed(), *FIFTY, *AT_MERCHANTS]
    one, other = await asyncio.gather(played(seeds), played(seeds))
    assert same(one, other)
    assert not [seed for seed, life in one.items() if life["broken"]]
