"""A short replay: Daybook beside create_agent, over the real shop and a real Postgres."""

from collections.abc import Sequence
from itertools import pairwise

from daybook.tools.shop.services import reach_shop
from evals.context.__main__ import check_same_course, goals_of, played
from evals.context.agents import contenders, open_daybook
from evals.context.figures import Asked, Replay, figures
from evals.context.script import Turn, script, shelves
from tests.conftest import Shop

TURNS = 20
"""Facts are told in them, the cart changes, and the person is away once."""

BUDGET = 8_000


async def test_a_replay_reaches_its_goals(postgres_url: str, shop: Shop) -> None:
    services = await reach_shop(shop.url, shop.smtp_url)
    try:
        turns = script(await shelves(services.shop), TURNS)
        replays = [await played(one, turns) for one in contenders(services.shop)]
        async with open_daybook(postgres_url, services, BUDGET) as daybook:
            ours = await played(daybook, turns)
    finally:
        await services.close()
    facts = [turn.fact for turn in turns if turn.fact is not None]

    taken = [figures(replay, facts, [TURNS]) for replay in (*replays, ours)]

    assert [goal for goal in goals_of(taken) if not goal.is_reached] == []
    assert all(one.said == one.facts == len(facts) > 1 for one in taken)
    check_same_course([*replays, ours])
    _decide_the_same(turns, replays, ours)
    _is_a_prefix_within_an_epoch(ours.asked)


def _decide_the_same(turns: list[Turn], replays: list[Replay], ours: Replay) -> None:
    """Each decides what the script says; Daybook once more for a fact without other calls."""
    decisions = sum(len(turn.rounds) + 1 for turn in turns)
    alone = sum(1 for turn in turns if turn.fact is not None and not turn.rounds)

    assert [len(replay.asked) for replay in replays] == [decisions] * len(replays)
    assert len(ours.asked) == decisions + alone


def _is_a_prefix_within_an_epoch(asked: Sequence[Asked]) -> None:
    """Within an epoch a prompt without its tail is the beginning of the next one."""
    for one, following in pairwise(asked):
        if _epoch(one) == _epoch(following):
            head = one.messages[:-1]
            assert following.messages[: len(head)] == head


def _epoch(call: Asked) -> list[str]:
    """Return what stays for an epoch: instructions and digest."""
    return [message for message in call.messages[:2] if '"role": "system"' in message]
