"""Some cells of the crash matrix at merchants: killed, told of by events, and judged by the shop."""

from pathlib import Path

from evals.crash.merchant_cells import Cell, Verdict
from evals.crash.merchants import open_world, run_some

LEFT = "rest/ignored/after_reply:open_session#1"
CELLS = [
    LEFT,
    "rest/honoured/performed+webhook-forge",
    "rest/ignored/performed+after_look:complete_session#1+webhook-drop",
    "mcp/ignored/webhook-early",
    "signed/ignored/before_request:complete_session#1",
    "signed/honoured/after_reply:complete_session#1",
]


async def test_some_purchases_are_one_order_each_and_nobody_is_left_untold(tmp_path: Path):
    seen: dict[str, Verdict] = {}
    async with open_world(tmp_path) as world:
        cells = [Cell.parse(name) for name in CELLS]
        await run_some(world, cells, lambda one: seen.update({one.cell.name: one}))
        answered = dict(world.ear.answered)
    assert {name: one.wrong for name, one in seen.items() if one.wrong} == {}
    assert list(seen) == CELLS
    assert [name for name, one in seen.items() if one.left] == [LEFT]
    assert answered[401] == 1
