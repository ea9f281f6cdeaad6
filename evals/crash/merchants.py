"""Purchases at merchants: the demo shop by its face of UCP, which tells of orders by events.

What a cell may hold: how the merchant is asked, what it does with keys, and what goes wrong.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import typer

from daybook import Resources, settings_from
from daybook.graph.merchants.events import hear_event, hear_profile
from daybook.graph.merchants.resources import open_resources
from daybook.graph.merchants.settings import EVENTS_PATH, PROFILE_PATH, merchants_from
from daybook.graph.routes import Answered, Arrived
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import FaultPoint
from daybook.testing.moments import Moment
from daybook.testing.processes import Ended, Process, Processes, open_processes
from evals.crash.cells import Call, last_said, next_of
from evals.crash.matrix import BUDGET, PLAYS
from evals.model_server import serving
from evals.report import Screen, console, table
from evals.servers import PATIENCE, STOCK, Shop, open_server, open_shop, until
from evals.wallet import wallet_of

TRANSPORTS = ("rest", "mcp", "signed")
"""`signed`: REST at a merchant who takes signed requests only."""

MODES = ("honoured", "ignored")
FAULTS = {
    "drop": "nothing; the answer is lost",
    "late": "nothing; performed after the caller gave up",
    "timeout": "nothing; no answer in time",
}
"""Of the merchant, as it completes; and the rows in which they are counted."""

WEBHOOKS = {
    "drop": "is lost",
    "double": "comes twice",
    "forge": "is forged first",
    "late": "comes late",
    "early": "comes before the answer",
}
"""What goes wrong with an event; `early`: it comes before the answer to Complete does."""

PERFORMED = "performed"
ITEM = "BOOT-002"
_KINDS = [(transport, keys) for transport in TRANSPORTS for keys in MODES]
_SENT = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
_OF_STEPS = (
    *_SENT,
    FaultPoint.BEFORE_COMMIT,
    FaultPoint.AFTER_COMMIT,
    FaultPoint.BEFORE_LOOK,
    FaultPoint.AFTER_LOOK,
)
_SETTLES, _LATE = 0.5, "1"
"""The shop's settling time, and DAYBOOK_MERCHANT_SECONDS, which is later."""

_HELD = 30.0


# -- cells ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """One purchase.

    Attributes:
        keys: `honoured` or `ignored`.
        kills: at a moment; "performed" for when the order stands and nobody has been told; "".
        again: the moment at which the one that takes over is killed; "" for none.
        fault: of the merchant, as it completes; "" for none.
        webhook: what goes wrong with the event; "" for nothing.
    """

    transport: str
    keys: str
    kills: str = ""
    again: str = ""
    fault: str = ""
    webhook: str = ""

    @property
    def name(self) -> str:
        """Name it: `TRANSPORT/KEYS/BLOW`, where a blow may be two."""
        blows = [self.kills, self.again, self.fault, f"webhook-{self.webhook}"]
        given = [one for one in blows if one not in ("", "webhook-")]
        return f"{self.transport}/{self.keys}/{'+'.join(given) or 'calm'}"

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the cell of a name.

        Raises:
            ValueError: it names none.
        """
        wrong = f"{name} names no cell: TRANSPORT/KEYS/BLOW, as a run prints it"
        transport, _, rest = name.partition("/")
        keys, _, written = rest.partition("/")
        if transport not in TRANSPORTS or keys not in MODES or not written:
            raise ValueError(wrong)
        found = dict[str, str]()
        for blow in written.split("+") if written != "calm" else ():
            try:
                kind, said = _read_blow(blow, is_second="kills" in found)
            except ValueError as error:
                raise ValueError(wrong) from error
            if kind in found:
                raise ValueError(wrong)
            found[kind] = said
        return cls(transport, keys, **found)

    @property
    def row(self) -> str:
        """Name the row in which it is counted."""
        if self.again:
            return "the one that takes over, too"
        if self.webhook:
            what = (
                "performed, no reply" if self.kills else "answer lost" if self.fault else "nothing"
            )
            return f"{what}; the event {WEBHOOKS[self.webhook]}"
        if self.kills == PERFORMED:
            return "performed, no reply"
        if self.kills:
            return Moment.parse(self.kills).point.value
        return FAULTS.get(self.fault, "nothing")


def _read_blow(written: str, *, is_second: bool) -> tuple[str, str]:
    _, _, webhook = written.partition("webhook-")
    if webhook in WEBHOOKS:
        return "webhook", webhook
    if written in FAULTS:
        return "fault", written
    if written != PERFORMED:
        Moment.parse(written)
    return ("again" if is_second else "kills"), written


def undisturbed() -> list[Cell]:
    """Return the runs that show which moments there are."""
    return [Cell(*kind) for kind in _KINDS]


def taken_over() -> list[Cell]:
    """Return the take-overs that show their moments, once the order stands.

    Where its event is lost it is looked up; else the event may have told it before.
    """
    return [
        *(Cell(*kind, kills=PERFORMED) for kind in _KINDS),
        *(Cell("rest", keys, kills=PERFORMED, webhook="drop") for keys in MODES),
    ]


def at_moments(cell: Cell, passed: Sequence[str]) -> list[Cell]:
    """Return a kill at every moment over REST; else, wherever what is done is another.

    Over MCP, and where requests are signed, that is where something is sent or answered.
    """
    every = {"rest": tuple(FaultPoint), "mcp": _SENT, "signed": _SENT}
    points = every[cell.transport]
    return [Cell(cell.transport, cell.keys, kills=one) for one in _at(passed, points)]


def twice(cell: Cell, passed: Sequence[str]) -> list[Cell]:
    """Return a kill of the one that takes over wherever it does something about a step."""
    points = _OF_STEPS if cell.transport == "rest" else ()
    return [replace(cell, again=one) for one in _at(passed, points)]


def _at(passed: Iterable[str], points: Sequence[FaultPoint]) -> list[str]:
    return [one for one in dict.fromkeys(passed) if Moment.parse(one).point in points]


def of_the_merchant() -> list[Cell]:
    """Return what merchants do: answers lost, late effects, events lost, doubled, forged, late."""
    return [
        *(Cell(*kind, fault=fault) for kind in _KINDS for fault in FAULTS),
        *(Cell("mcp", keys, webhook="early") for keys in MODES),
        *(Cell("rest", keys, webhook=webhook) for keys in MODES for webhook in WEBHOOKS),
        *(
            Cell("rest", keys, webhook=webhook, **{how: said})
            for keys in MODES
            for how, said in (("fault", "drop"), ("kills", PERFORMED))
            for webhook in WEBHOOKS
            # An answer that never comes has the event before it as it is; the other one shows its
            # moments above.
            if webhook != "early" and (how, webhook) != ("kills", "drop")
        ),
    ]


# -- what is played -------------------------------------------------------------------------------

_SAID = re.compile(r"\[(?P<merchant>\S+) (?P<item>\S+)\]")


def said(merchant: str, item: str) -> str:
    """Write what the person says."""
    return f"[{merchant} {item}] buy me one of these"


def reply(request: Mapping[str, Any], *, looks: bool = False) -> dict[str, Any]:
    """Decide from the messages alone, as any model does.

    Args:
        looks: through what the merchant sells, before anything is bought.
    """
    told, since = last_said(request, _SAID)
    merchant = {"merchant": told["merchant"]}
    search = {**merchant, "query": told["item"].partition("_")[0], "limit": 5}
    calls: list[Call] = [
        *([("search_catalog", search)] if looks else []),
        ("add_to_cart", {**merchant, "item_id": told["item"], "quantity": 1}),
        ("open_checkout", merchant),
        ("place_order", merchant),
    ]
    return next_of(calls, since)


def order_of(environment: Mapping[str, str], url: str, thread: str, item: str) -> dict[str, Any]:
    """Write the order of a process that buys one thing of a merchant (see `evals.crash.player`)."""
    return {
        "domain": "merchants",
        "environment": environment,
        "thread": thread,
        "user": "ada",
        "says": [said(url.removeprefix("http://"), item)],
        "url": url,
        "budget": BUDGET,
        "at": "",
        "begins": "",
    }


# -- where merchants reach us ---------------------------------------------------------------------


@dataclass
class Ear:
    """Our profile and our events, answered as the server answers them.

    Attributes:
        url: DAYBOOK_PUBLIC_URL, for who is to be heard here.
        resources: what hears; nothing is heard before it is there.
        answered: how many events were answered by which status.
        taken_up: an event counts since the last cell began.
    """

    url: str = ""
    resources: Resources | None = None
    answered: Counter[int] = field(default_factory=Counter)
    taken_up: asyncio.Event = field(default_factory=asyncio.Event)
    _later: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request of a connection."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ", 2)
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            answered = await self._hear(Arrived(method, f"{self.url}{path}", headers, body), path)
            lines = [f"HTTP/1.1 {answered.status} x", "connection: close"]
            lines += [f"{name}: {value}" for name, value in answered.headers.items()]
            lines.append(f"content-length: {len(answered.body)}")
            writer.write("\r\n".join([*lines, "", ""]).encode() + answered.body)
            await writer.drain()
            if answered.later is not None:
                task = asyncio.ensure_future(self._take_up(answered.later))
                self._later.add(task)
                task.add_done_callback(self._later.discard)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _hear(self, arrived: Arrived, path: str) -> Answered:
        routes = {PROFILE_PATH: hear_profile, EVENTS_PATH: hear_event}
        if self.resources is None or path not in routes:
            return Answered(404)
        answered = await routes[path](self.resources, arrived)
        if path == EVENTS_PATH:
            self.answered[answered.status] += 1
        return answered

    async def _take_up(self, later: Callable[[], Any]) -> None:
        await later()
        self.taken_up.set()

    async def settled(self) -> None:
        """Wait until all that arrived is taken up."""
        await asyncio.gather(*self._later)


@asynccontextmanager
async def listening() -> AsyncIterator[Ear]:
    """Listen on a port of the loopback address."""
    ear = Ear()
    server = await asyncio.start_server(ear.serve, "127.0.0.1", 0)
    ear.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield ear
    finally:
        server.close()
        await ear.settled()


# -- running --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """What cells run on; `environment` is that of each process, but for what its cell says."""

    shop: Shop
    processes: Processes
    ear: Ear
    environment: dict[str, str]

    def start(self, cell: Cell, at: str = "") -> Process:
        """Start a process that buys, or goes on with it, and is killed at a moment."""
        merchant = f"{self.shop.url}#{'mcp' if cell.transport == 'mcp' else 'rest'}"
        thread = re.sub(r"[/#+]", "-", f"m-{cell.name}")
        environment = {**self.environment, "DAYBOOK_MERCHANTS": merchant}
        order = order_of(environment, self.shop.url, thread, ITEM)
        return self.processes.start({**order, "at": at})

    async def prepare(self, cell: Cell) -> None:
        """Begin anew, and plan what a cell wants to go wrong."""
        shop = self.shop
        self.ear.taken_up.clear()
        await shop.ask("POST", "/admin/reset")
        signatures = "required" if cell.transport == "signed" else "ignored"
        await shop.ask("PUT", "/admin/settings", settle_seconds=_SETTLES, signatures=signatures)
        await shop.ask("PUT", f"/admin/products/{ITEM}", stock=STOCK)
        await shop.ask("PUT", "/admin/keys", endpoint="*", honour=cell.keys == "honoured")
        if cell.kills == PERFORMED:
            await shop.spoil("completions", "timeout", seconds=_HELD)
        if cell.fault:
            seconds = {"late": _SETTLES / 2, "timeout": _HELD, "drop": 0.0}[cell.fault]
            await shop.spoil("completions", cell.fault, seconds=seconds)
        if cell.webhook == "early":
            await shop.spoil("completions", "held", seconds=_HELD)
        elif cell.webhook:
            await shop.spoil("webhooks", cell.webhook, seconds=_SETTLES)

    async def has_ordered(self) -> bool:
        """Tell whether the order stands."""
        return any(one["effect"] == "order" for one in await self.shop.effects())

    async def has_told(self) -> bool:
        """Tell whether every event has been sent, or is given up."""
        events = await self.shop.ask("GET", "/admin/webhooks")
        return not any(one["state"] == "waiting" for one in events)


@contextmanager
def _environment_of(given: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(given)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    (folder / "wallet.json").write_text(json.dumps(wallet_of("*")))
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"merchants": reply}))
        server = await stack.enter_async_context(open_server(folder))
        shop = await stack.enter_async_context(open_shop(folder / "shop"))
        ear = await stack.enter_async_context(listening())
        environment = {
            "DATABASE_URL": server.url,
            "OPENAI_BASE_URL": models["merchants"].url,
            "OPENAI_MODEL": "scripted",
            "DAYBOOK_MERCHANTS": shop.url,
            "DAYBOOK_MERCHANT_SECONDS": _LATE,
            "DAYBOOK_PUBLIC_URL": ear.url,
            "DAYBOOK_WALLET": str(folder / "wallet.json"),
            "DAYBOOK_HOME": str(folder / "home"),
        }
        # What hears reads its settings there, as in any server.
        stack.enter_context(_environment_of(environment))
        ear.resources = await stack.enter_async_context(
            open_resources(settings_from(environment), merchants_from(environment))
        )
        processes = stack.enter_context(open_processes(PLAYS))
        yield World(shop, processes, ear, environment)


Tell = Callable[["Verdict"], None]


async def run_all(world: World, tell: Tell, expect: Callable[[int], None]) -> None:
    """Run every cell: first those that show which moments there are.

    Args:
        expect: told how many cells are to come, as that becomes known.
    """
    first, of_merchants = [*undisturbed(), *taken_over()], of_the_merchant()
    expect(len(first) + len(of_merchants))
    more: list[Cell] = []
    for cell in first:
        verdict, passed = await judged(world, cell)
        tell(verdict)
        found = twice(cell, passed) if cell.kills else at_moments(cell, passed)
        expect(len(found))
        more += found
    await run_some(world, [*more, *of_merchants], tell)


async def run_some(world: World, some: Sequence[Cell], tell: Tell) -> None:
    """Run some cells."""
    for cell in some:
        tell((await judged(world, cell))[0])


async def judged(world: World, cell: Cell) -> tuple[Verdict, Sequence[str]]:
    """Run a cell; return what became of it, and the moments that its last process passed."""
    await world.prepare(cell)
    ends = [await _first(world, cell)]
    for at in (cell.again, "") if cell.again else ("",):
        if ends[-1].killed or ends[-1].found["error"]:
            await world.shop.ask("POST", "/admin/hurry")
            ends.append(await world.start(cell, at).ended())
    await until(world.has_told)
    found = ends[-1].found
    unmet = (await world.shop.ask("GET", "/admin/faults"))["faults"]
    verdict = verdict_of(cell, await world.shop.effects(), ends, unmet)
    return verdict, found["passed"] if found else ()


async def _first(world: World, cell: Cell) -> Ended:
    process = world.start(cell, "" if cell.kills == PERFORMED else cell.kills)
    if cell.kills == PERFORMED:
        await until(world.has_ordered)
        process.kill()
    if cell.webhook == "early":
        # The answer is held back until the event has been taken up.
        async with SYSTEM.timeout(PATIENCE):
            await world.ear.taken_up.wait()
        await world.shop.ask("POST", "/admin/hurry")
    return await process.ended()


# -- judging --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What became of a cell, by the shop's own record, and by what its person was told.

    Attributes:
        twice: orders, and charges, beyond the first.
        lost: 1 where there is no order, or the thread does not know the one that there is.
        left: sessions that hold goods and came to no order, by whoever opened them.
        untold: those of them of which nobody was told.
        doubts: how often its person was asked what became of a step.
        wrong: each promise that was broken, as a sentence.
    """

    cell: Cell
    twice: int
    lost: int
    left: int
    untold: int
    doubts: int
    wrong: tuple[str, ...]


def verdict_of(
    cell: Cell,
    effects: Sequence[Mapping[str, Any]],
    ends: Sequence[Ended],
    unmet: Sequence[Mapping[str, Any]] = (),
) -> Verdict:
    """Judge a cell by the shop's effects, and how its processes ended; the last one tells the end.

    Args:
        unmet: faults that were planned and that nothing has met.
    """
    found = ends[-1].found
    happened = Counter(one["effect"] for one in effects)
    placed = [one["detail"]["order_id"] for one in effects if one["effect"] == "order"]
    known = found["orders"] if found else []
    doubled = max(0, happened["order"] - 1) + max(0, happened["charge"] - 1)
    lost = int(not placed or known != placed[:1])
    left = max(0, happened["reserve"] - happened["release"] - happened["order"])
    told = found["told"] + len(found["open"]) if found else 0
    untold = max(0, left - told)
    error = found["error"] if found else "it was killed"
    killed, wanted = sum(one.killed for one in ends), bool(cell.kills) + bool(cell.again)
    refunds = [line for line in (found["shown"] if found else ()) if "refund" in line]
    wrong = [
        (doubled > 0, f"happened twice: {dict(happened)}"),
        (lost > 0, f"lost: the shop has {placed}, the thread {known}"),
        (untold > 0, f"{left} sessions are left, and {told} are told of: {dict(happened)}"),
        (bool(refunds), f"what was forged is believed: {refunds}"),
        (bool(error), f"it did not come to its end: {error}"),
        (killed != wanted, f"{killed} were killed, and it should have been {wanted}"),
        (bool(unmet), f"nothing met {list(unmet)}"),
        (any(one.log for one in ends if not one.killed), f"it wrote: {ends[-1].log[-500:]}"),
    ]
    doubts = sum(one["what"] == "doubt" for one in found["did"]) if found else 0
    sentences = tuple(why for is_so, why in wrong if is_so)
    return Verdict(cell, doubled, lost, left, untold, doubts, sentences)


def show(verdicts: Sequence[Verdict], answered: Mapping[int, int]) -> None:
    """Print the matrix by what went wrong.

    Args:
        answered: how many events were answered by which status.
    """
    rows: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        rows.setdefault(verdict.cell.row, []).append(verdict)
    titles = (
        "killed",
        "cells",
        "orders twice",
        "lost",
        "sessions left, honoured / ignored",
        "untold",
        "in doubt",
        "broken promises",
    )
    counts = [(row, *_counts(of_it)) for row, of_it in [*rows.items(), ("all", list(verdicts))]]
    to = console()
    to.print(table(titles, counts))
    taken = sum(n for status, n in answered.items() if status < 300)
    cells, doubled, lost, left, untold, _, wrong = counts[-1][1:]
    to.print(
        f"{cells} purchases, {doubled} orders twice, {lost} lost; {left} sessions left to run out, "
        f"where keys are honoured / ignored, {untold} of them without being told; {taken} events "
        f"taken in, {answered.get(401, 0)} forged ones refused; {wrong} not as promised."
    )


def _counts(verdicts: Sequence[Verdict]) -> tuple[object, ...]:
    left = (sum(v.left for v in verdicts if v.cell.keys == mode) for mode in MODES)
    return (
        len(verdicts),
        sum(v.twice for v in verdicts),
        sum(v.lost for v in verdicts),
        " / ".join(map(str, left)),
        sum(v.untold for v in verdicts),
        sum(v.doubts for v in verdicts),
        sum(bool(v.wrong) for v in verdicts),
    )


class MerchantsRun:
    """A run of the matrix of merchants: of the cells that were named, else of all.

    Attributes:
        wrong: what else is not as promised.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.cells: list[Cell] = cells_named(Cell, names)
        self.wrong: list[str] = []
        self._screen, self._verdicts = Screen("cells"), list[Verdict]()
        self._answered: dict[int, int] = {}

    def follow(self, running: Coroutine[Any, Any, None]) -> int:
        """Run it, print what it showed, and return the exit code."""
        is_whole = self._screen.follow(running)
        show(self._verdicts, self._answered)
        for one in self.wrong:
            print(one)
        is_wrong = any(one.wrong for one in self._verdicts) or bool(self.wrong)
        return int(is_wrong) if is_whole else 130

    async def through(self, folder: Path) -> None:
        """Run the cells in a world of its own."""
        async with open_world(folder) as world:
            await self.within(world)

    async def within(self, world: World) -> None:
        """Run the cells."""
        if self.cells:
            self._screen.expect(len(self.cells))
            await run_some(world, self.cells, self._tell)
        else:
            await run_all(world, self._tell, self._screen.expect)
        self._answered = dict(world.ear.answered)

    def _tell(self, verdict: Verdict) -> None:
        self._verdicts.append(verdict)
        again = f"python -m evals.crash --domain merchants --only {verdict.cell.name}"
        self._screen.advance(*(verdict.wrong and [again, *(f"  {why}" for why in verdict.wrong)]))


def cells_named(kind: Any, names: Sequence[str]) -> list[Any]:
    """Return the cells of these names.

    Raises:
        typer.BadParameter: one names none.
    """
    try:
        return [kind.parse(one) for one in names]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
