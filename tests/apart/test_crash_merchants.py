"""Some cells of the crash matrix at merchants: killed, told of by events, and judged by the shop."""

from pathlib import Path

from evals.crash.merchants import LEFT, Cell, judged, open_world

OPENED_TWICE = "rest/ignored/after_reply:open_session#1"
CELLS = [
    OPENED_TWICE,
    "rest/honoured/performed+webhook-forge",
    "rest/ignored/performed+after_look:complete_session#1+webhook-drop",
    "mcp/ignored/webhook-early",
    "signed/ignored/before_request:complete_session#1",
    "signed/honoured/after_reply:complete_session#1",
]


async def test_some_purchases_are_one_order_each_and_nobody_is_left_untold(tmp_path: Path):
    async with open_world(tmp_path) as world:
        seen = {name: (await judged(world, Cell.parse(name)))[0] for name in CELLS}
        answered = dict(world.ear.answered)
    assert {name: one.wrong for name, one in seen.items() if one.wrong} == {}
    left = [name for name, one in seen.items() if any(one.counts.get(of) for of in LEFT.values())]
    assert left == [OPENED_TWICE]
    assert answered[401] == 1
