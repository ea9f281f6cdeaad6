"""How the replay prices a call, and how it counts what is outdated in a prompt."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from langchain_core.messages import SystemMessage

from evals.context.agents import revision_in
from evals.context.figures import Asked, Replay, figures, priced, stale
from evals.context.script import FACTS, fact_at

BEGAN = datetime(2031, 2, 3, tzinfo=UTC)


def asked(
    *messages: str, after: float = 0, ends: list[int] | None = None, revision: int = 0
) -> Asked:
    """Ask with tools of 1,000 tokens and messages of 100 each, so many minutes after the first."""
    return Asked(
        turn=1,
        at=BEGAN + timedelta(minutes=after),
        tools="[]",
        messages=messages,
        sizes=[1_000, *(100 for _ in messages)],
        ends=ends,
        revision=revision,
    )


def test_with_implicit_caching_what_is_not_read_is_written() -> None:
    first, second = priced([asked("a", "b"), asked("a", "b", "c")])
    assert (first.shared, first.cost) == (0, 1_200 * 1.25)
    assert (second.shared, second.cost) == (1_200, 1_200 * 0.1 + 100 * 1.25)
    assert second.hit == pytest.approx(1_200 / 1_300)
    # What was changed in the middle is written anew, with all that follows.
    _, second = priced([asked("a", "b", "c"), asked("a", "B", "c", "d")])
    assert (second.shared, second.cost) == (1_100, 1_100 * 0.1 + 300 * 1.25)


def test_with_breakpoints_the_tail_is_neither_read_nor_written_and_what_ends_there_is_read() -> (
    None
):
    first, second = priced(
        [asked("a", "b", "now", ends=[1, 2]), asked("a", "b", "c", "later", ends=[1, 3])]
    )
    assert first.cost == 1_200 * 1.25 + 100
    assert second.cost == 1_200 * 0.1 + 100 * 1.25 + 100
    _, second = priced(
        [asked("a", "b", "c", "x", ends=[1, 3]), asked("a", "b", "C", "x", ends=[1, 3])]
    )
    assert (second.shared, second.cost) == (1_200, 1_100 * 0.1 + 200 * 1.25 + 100)


@pytest.mark.parametrize("ends", [None, [1, 2]], ids=["implicit", "explicit"])
def test_a_cold_cache_has_nothing(ends: list[int] | None) -> None:
    warm, cold = (
        priced([asked("a", "b", ends=ends), asked("a", "b", after=away, ends=ends)])[1]
        for away in (30, 30.1)
    )

    assert (warm.shared, warm.cost) == (1_200, 1_200 * 0.1)
    assert (cold.shared, cold.cost) == (0, 1_200 * 1.25)


def user(text: str) -> str:
    return json.dumps({"role": "user", "content": text})


def test_a_snapshot_is_outdated_as_soon_as_the_cart_has_another_revision() -> None:
    as_json = json.dumps({"revision": 3, "lines": [], "total": 0})
    as_lines = "# Now\ncart r3 (USD):\n  BOOT-004 x1 @ 129.00 = 129.00 | Ridge Boots"
    event = "cart r2>r3: +BOOT-004 x1 (Ridge Boots)"
    prompt = [user(as_json), user(as_lines), user(event)]

    assert stale(asked(*prompt, revision=3)) == 0
    assert stale(asked(*prompt, revision=4)) == 2
    unnamed = "# Progress\n## Cart\n- BOOT-004 x1 @ 129.00 = 129.00 | Ridge Boots"
    assert stale(asked(user(unnamed), revision=3)) == 1, "lines that name no revision"


def test_a_fact_counts_that_stands_in_the_last_prompt() -> None:
    told = [user(FACTS[0].said), user(f"knows: {FACTS[1].value}")]
    replay = Replay("it", [asked(*told), asked(told[1])])

    taken = figures(replay, FACTS[:2], [1])

    assert (taken.facts, taken.said) == (1, 2)


def test_thirteen_facts_are_told_in_a_hundred_turns_and_each_can_be_found_by_its_words() -> None:
    told = [fact_at(turn) for turn in range(1, 201)]

    assert len([fact for fact in told[:100] if fact]) == 13
    assert [fact for fact in told if fact] == list(FACTS)
    assert all(fact.value in fact.said for fact in FACTS)


def test_the_cart_of_a_prompt_is_known_behind_a_note_of_the_machine() -> None:
    tail = SystemMessage("# Now\nflow: shopping\ncart r7 (USD): empty")
    note = SystemMessage("[not shown to the person: what you wrote is not so]")
    assert [revision_in(prompt) for prompt in ([tail], [tail, note], [note])] == [7, 7, 0]
