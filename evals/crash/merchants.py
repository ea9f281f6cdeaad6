"""Purchases at merchants: the demo shop by its face of UCP, which tells of orders by events."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

from daybook.domain import Resources, settings_from
from daybook.graph.merchants.events import ROUTES
from daybook.graph.merchants.resources import EVENTS_PATH, merchants_from, open_resources
from daybook.graph.serve import Answered, Arrived
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import FaultPoint
from daybook.testing import Answer, Request
from daybook.testing.http import serve
from daybook.testing.moments import Moment
from daybook.testing.processes import Ended, Process, Processes, open_processes
from evals.crash.run import (
    PLAYS,
    Call,
    Run,
    Verdict,
    cells_named,
    in_lanes,
    last_said,
    next_of,
    order_of,
    verdict_of,
)
from evals.model_server import serving
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


@dataclass(frozen=True)
class Cell:
    """One purchase: `TRANSPORT/KEYS/BLOW`, where a blow may be two.

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
        """Name it."""
        blows = [self.kills, self.again, self.fault, self.webhook and f"webhook-{self.webhook}"]
        return f"{self.transport}/{self.keys}/{'+'.join(filter(None, blows)) or 'calm'}"

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the cell of a name.

        Raises:
            ValueError: it names none.
        """
        transport, _, rest = name.partition("/")
        keys, _, written = rest.partition("/")
        found = dict[str, str]()
        try:
            for blow in written.split("+") if written != "calm" else ():
                kind, about = _read_blow(blow)
                found["again" if kind in found else kind] = about
            cell = cls(transport, keys, **found)
        except ValueError:
            cell = cls("", "")
        if cell.name != name or transport not in TRANSPORTS or keys not in MODES:
            raise ValueError(f"{name} names no cell: TRANSPORT/KEYS/BLOW, as a run prints it")
        return cell

    @property
    def row(self) -> str:
        """Name the row in which it is counted."""
        if self.again:
            return "the one that takes over, too"
        if self.webhook:
            first = "performed, no reply" if self.kills else "nothing"
            first = "answer lost" if self.fault else first
            return f"{first}; the event {WEBHOOKS[self.webhook]}"
        if self.kills:
            is_performed = self.kills == PERFORMED
            return "performed, no reply" if is_performed else Moment.parse(self.kills).point.value
        return FAULTS.get(self.fault, "nothing")


def _read_blow(written: str) -> tuple[str, str]:
    if written in FAULTS:
        return "fault", written
    _, _, webhook = written.partition("webhook-")
    if webhook in WEBHOOKS:
        return "webhook", webhook
    if written != PERFORMED:
        Moment.parse(written)
    return "kills", written


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
    points = tuple(FaultPoint) if cell.transport == "rest" else _SENT
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


# -- the judge ------------------------------------------------------------------------------------

LEFT = {keys: f"sessions left, keys {keys}" for keys in MODES}
COLUMNS = ("orders twice", "lost", *LEFT.values(), "untold", "in doubt")


def judge(
    cell: Cell,
    effects: Sequence[Mapping[str, Any]],
    ends: Sequence[Ended],
    unmet: Sequence[Mapping[str, Any]] = (),
) -> Verdict[Cell]:
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
    counts = {
        "orders twice": doubled,
        "lost": lost,
        LEFT[cell.keys]: left,
        "untold": untold,
        "in doubt": sum(one["what"] == "doubt" for one in found["did"]) if found else 0,
    }
    promises = [
        (doubled > 0, f"happened twice: {dict(happened)}"),
        (lost > 0, f"lost: the shop has {placed}, the thread {known}"),
        (untold > 0, f"{left} sessions are left, and {told} are told of: {dict(happened)}"),
        (bool(refunds), f"what was forged is believed: {refunds}"),
        (bool(error), f"it did not finish: {error}"),
        (killed != wanted, f"{killed} were killed, and it should have been {wanted}"),
        (bool(unmet), f"nothing met {list(unmet)}"),
        (any(one.log for one in ends if not one.killed), f"it wrote: {ends[-1].log[-500:]}"),
    ]
    return verdict_of(cell, counts, promises)


# -- the world ------------------------------------------------------------------------------------

_SETTLES, _LATE = 0.5, "1"
"""The shop's settling time, and DAYBOOK_MERCHANT_SECONDS, which is later."""

_HELD = 30.0
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


class Ear:
    """Our profile and our events, answered as the server answers them (a `Service`).

    Attributes:
        url: DAYBOOK_PUBLIC_URL, for who is to be heard here.
        resources: what hears; nothing is heard before it is there.
        answered: how many events were answered by which status.
        taken_up: an event counts since the last cell began.
    """

    def __init__(self) -> None:
        self.url = ""
        self.resources: Resources | None = None
        self.answered = Counter[int]()
        self.taken_up = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._later: set[asyncio.Task[None]] = set()

    def handle(self, request: Request) -> Answer:
        """Answer one request, in the thread of its connection."""
        heard = asyncio.run_coroutine_threadsafe(self._hear(request), self._loop)
        answered = heard.result(PATIENCE)
        return Answer(answered.status, answered.body, answered.headers)

    async def _hear(self, request: Request) -> Answered:
        if self.resources is None or request.path not in ROUTES:
            return Answered(404)
        url = f"{self.url}{request.path}"
        arrived = Arrived(request.method, url, dict(request.headers), request.body)
        answered = await ROUTES[request.path](self.resources, arrived)
        if request.path == EVENTS_PATH:
            self.answered[answered.status] += 1
        if answered.later is not None:
            task = asyncio.ensure_future(self._take_up(answered))
            self._later.add(task)
            task.add_done_callback(self._later.discard)
        return answered

    async def _take_up(self, answered: Answered) -> None:
        assert answered.later is not None
        await answered.later()
        self.taken_up.set()

    async def settled(self) -> None:
        """Wait until all that arrived is taken up."""
        await asyncio.gather(*self._later)


@asynccontextmanager
async def listening() -> AsyncIterator[Ear]:
    """Listen on a port of the loopback address."""
    ear = Ear()
    with serve({"us": ear}) as url:
        ear.url = f"{url}/us"
        yield ear
        await ear.settled()


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
        where = {"environment": environment, "url": self.shop.url}
        says = [said(self.shop.url.removeprefix("http://"), ITEM)]
        return self.processes.start(order_of("merchants", thread, "ada", says, where, at=at))

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


async def judged(world: World, cell: Cell) -> tuple[Verdict[Cell], Sequence[str]]:
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
    verdict = judge(cell, await world.shop.effects(), ends, unmet)
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


# -- a run ----------------------------------------------------------------------------------------


def run_of(names: Sequence[str]) -> Run[Cell]:
    """Make a run of the cells of these names, or of all."""
    again = "python -m evals.crash --domain merchants"
    return Run(COLUMNS, again, cells_named(Cell, names))


async def within(run: Run[Cell], world: World) -> None:
    """Run the cells: first those that show which moments there are."""
    seen: list[Cell] = []

    async def one(cell: Cell, *, is_first: bool = False) -> None:
        verdict, passed = await judged(world, cell)
        run.tell(verdict)
        if is_first:
            seen.extend(twice(cell, passed) if cell.kills else at_moments(cell, passed))

    first = [] if run.named else [*undisturbed(), *taken_over()]
    run.screen.expect(len(first))
    await in_lanes(1, first, partial(one, is_first=True))
    rest = run.named or [*seen, *of_the_merchant()]
    run.screen.expect(len(rest))
    await in_lanes(1, rest, one)
    taken = sum(n for status, n in world.ear.answered.items() if status < 300)
    run.says.append(f"{taken} events taken in, {world.ear.answered[401]} forged ones refused.")
