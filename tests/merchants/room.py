"""A room of merchants as others write them: `python -m tests.merchants.room [--only CELL]`.

At each that can be bought from, purchases are killed wherever something is sent or answered; each
other one must refuse in a way that is taken for a no. Exits 1 where an order is doubled or lost.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Self

import httpx
import typer

from daybook.state.fault_points import FaultPoint
from daybook.testing.moments import Moment
from evals.crash.merchants import World, open_world
from evals.crash.merchants import said as wish
from evals.crash.run import Run, Verdict, cells_named, in_lanes, order_of, verdict_of
from evals.report import run_command
from evals.wallet import wallet_of
from tests.merchants.stranger import VERSION, Asked, Said, Stranger, listening, said
from tests.merchants.test_refusals import REFUSALS, in_rpc

NOBODY = "http://127.0.0.1:9"
BUYABLE = ("strict", "terse", "terse over mcp", "with options", "like Shopify")
REFUSING = {f"refuses: {shape}": shape for shape in REFUSALS}
KINDS = (*BUYABLE, "like Shopify, profile unread", "never ready", *REFUSING)
COLUMNS = ("bought", "refused", "orders twice", "lost")
_POINTS = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
_MOST_SENT = 2
"""Times that a refused request may be sent."""


@dataclass(frozen=True)
class Cell:
    """One purchase: `KIND/MOMENT`, where the moment of a kill may be `calm`."""

    row: str
    kills: str = ""

    @property
    def name(self) -> str:
        return f"{self.row}/{self.kills or 'calm'}"

    @classmethod
    def parse(cls, name: str) -> Self:
        kind, _, at = name.partition("/")
        if kind not in KINDS or (at != "calm" and not Moment.parse(at)):
            raise ValueError(f"{name} names no cell: KIND/MOMENT, as a run prints it")
        return cls(kind, "" if at == "calm" else at)


class Guest(Stranger):
    """A merchant of one kind; it reads the profile that each request names, and may not like it."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.is_terse = kind.startswith("terse")
        self.is_never_ready = kind == "never ready"
        self.options = {"Standard": 500, "Express": 1_500} if kind == "with options" else {}
        self.transport = "mcp" if "mcp" in kind or "Shopify" in kind else "rest"
        if kind in REFUSING:
            self.transport, self._refusal, _ = REFUSALS[REFUSING[kind]]

    async def answer(self, asked: Asked) -> Said:
        if asked.path == "/effects":
            placed = [{"effect": "order", "detail": {"order_id": one}} for one in self.orders]
            return said(placed)
        if asked.path != "/.well-known/ucp" and (no := await self._unread(asked)) is not None:
            return no
        return await super().answer(asked)

    async def _answer(self, asked: Asked) -> Said:
        if self.kind in REFUSING and asked.method == "POST" and asked.key:
            self.asked.append(asked)
            return self._refusal
        return await super()._answer(asked)

    async def _unread(self, asked: Asked) -> Said | None:
        """Read the profile, as merchants must, on every request; return the refusal, if any."""
        url = asked.headers["ucp-agent"].split('"')[1]
        try:
            async with httpx.AsyncClient(trust_env=False) as http:
                spoken = (await http.get(url)).raise_for_status().json()["ucp"]["version"]
        except httpx.HTTPError:
            no, status = {"code": "profile_unreachable", "content": "It cannot be read."}, 424
        else:
            no, status = {"code": "version_unsupported", "content": f"We speak {VERSION}."}, 422
            if spoken == VERSION:
                return None
        self.asked.append(asked)
        is_rpc = self.transport == "mcp"
        return in_rpc(-32001, "Discovery failed", no) if is_rpc else said(no, status)


async def judged(world: World, cell: Cell) -> tuple[Verdict[Cell], Sequence[str]]:
    """Buy at a merchant, be killed, and go on; say what became of it."""
    async with listening(Guest(cell.row)) as guest:
        public = NOBODY if "unread" in cell.row else world.ear.url
        own = {"DAYBOOK_MERCHANTS": guest.url, "DAYBOOK_PUBLIC_URL": public}
        where = {"environment": {**world.environment, **own}, "url": guest.url}
        thread = "".join(one if one.isalnum() else "-" for one in f"room-{cell.name}")
        says = [wish(guest.name, "BOOT")]
        ends = []
        for at in (cell.kills, "") if cell.kills else ("",):
            order = order_of("merchants", thread, "ada", says, where, at=at)
            ends.append(await world.processes.start(order).ended())
        found = ends[-1].found
        placed, known = [*guest.orders], found["orders"] if found else []
        is_bought, can_be = known == placed[:1] != [], cell.row in BUYABLE
        most = max(len(guest.of(one)) for one in ("create", "complete"))
        counts = {
            "bought": int(is_bought),
            "refused": int(not can_be and not placed),
            "orders twice": max(0, len(placed) - 1),
            "lost": int(known != placed[:1]),
        }
        promises = [
            (len(placed) > 1, f"happened twice: {placed}"),
            (counts["lost"] > 0, f"lost: the merchant has {placed}, the thread {known}"),
            (is_bought != can_be, f"it has {placed}, and can be bought from: {can_be}"),
            (not can_be and most > _MOST_SENT, f"a refused request was sent {most} times"),
            (not found or bool(found["error"]), f"it did not finish: {found}"),
            (sum(one.killed for one in ends) != bool(cell.kills), "it was not killed as planned"),
        ]
        return verdict_of(cell, counts, promises), found["passed"] if found else ()


async def within(run: Run[Cell], folder: Path) -> None:
    """Buy at each in peace, which shows the moments that there are; then kill at these."""
    seen: list[Cell] = []
    async with open_world(folder) as world:
        wallet = folder / "room.json"
        wallet.write_text(json.dumps(wallet_of("*", handler_id="pay")))
        world.environment["DAYBOOK_WALLET"] = str(wallet)

        async def one(cell: Cell, *, is_first: bool) -> None:
            verdict, passed = await judged(world, cell)
            run.tell(verdict)
            if is_first and cell.row in BUYABLE:
                moments = [at for at in passed if Moment.parse(at).point in _POINTS]
                seen.extend(Cell(cell.row, at) for at in dict.fromkeys(moments))

        first = [] if run.named else [Cell(kind) for kind in KINDS]
        for cells in (first, run.named or seen):
            run.screen.expect(len(cells))
            await in_lanes(1, cells, partial(one, is_first=cells is first))


def main(
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
) -> None:
    """Buy at each merchant of the room."""
    run = Run[Cell](COLUMNS, "python -m tests.merchants.room", cells_named(Cell, only or []))
    with tempfile.TemporaryDirectory(prefix="daybook-room-") as name:
        raise typer.Exit(run.follow(within(run, Path(name))))


if __name__ == "__main__":
    run_command(main)
