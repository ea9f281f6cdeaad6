"""What is known of a cell when it is over: from shop, ledger, model and its processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.state.ledger.entry import Entry
from evals.crash.cells import Cell
from evals.crash.shop import Shop
from evals.forking import Ended

_LEFT = "select op, state from open_step where thread_id = %s"


@dataclass(frozen=True)
class Evidence:
    """What a cell left behind.

    Attributes:
        effects: what happened, oldest first, as `GET /effects` has it.
        holds_left: holds that still keep stock from others.
        entries: the ledger's.
        open_steps: what the work list still holds, `OPERATION STATE`.
        broken: what is wrong with the chain, or what is kept beside it; "" where nothing is.
        asked: how often the model was asked.
        runs: how its processes ended, in order.
    """

    effects: Sequence[Mapping[str, Any]]
    holds_left: int
    entries: Sequence[Entry]
    open_steps: Sequence[str]
    broken: str
    asked: int
    runs: Sequence[Ended]


async def gather(
    cell: Cell, postgres: Postgres, shop: Shop, asked: int, runs: Sequence[Ended]
) -> Evidence:
    """Gather the evidence of a cell."""
    effects = await effects_of(cell, shop)
    holds = [one["detail"]["hold_id"] for one in effects if one["effect"] == "reserve"]
    states = [(await shop.ask("GET", f"/holds/{hold}"))["state"] for hold in holds]
    broken = ""
    try:
        await postgres.ledger.verify(cell.thread)
    except (ChainBroken, ProjectionWrong) as error:
        broken = str(error)
    async with postgres.pool.connection() as conn:
        rows = await (await conn.execute(_LEFT, (cell.thread,))).fetchall()
    return Evidence(
        effects,
        states.count("held"),
        await postgres.ledger.entries(cell.thread),
        [f"{row['op']} {row['state']}" for row in rows],
        broken,
        asked,
        runs,
    )


async def effects_of(cell: Cell, shop: Shop) -> list[Mapping[str, Any]]:
    """Return what the shop did for a cell; where its person is shared, for its checkout."""
    shared = bool(cell.script.user)
    return [
        one
        for one in await shop.effects()
        if one["user_id"] == cell.user and (not shared or cell.checkout in one["reference"])
    ]
