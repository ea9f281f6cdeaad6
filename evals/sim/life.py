"""One life: a day of several people and processes, from its recipe; all of it is judged."""

from __future__ import annotations

import asyncio
import gc
import random
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from psycopg import OperationalError
from psycopg.conninfo import conninfo_to_dict

from daybook import DaybookError, Patience
from daybook.domain import Resources
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import FaultPoint, arm
from evals.sim import senders, sessions, stage
from evals.sim.judge import Broken, agrees
from evals.sim.loop import OWNER, Stuck, VirtualLoop, context_of
from evals.sim.network import Network, Weather
from evals.sim.people import Shopper, obedient
from evals.sim.processes import Place, Process, Sweeper
from evals.sim.recipe import Blow, Recipe
from evals.sim.sessions import Server, Sessions
from evals.sim.shop import Seeded, Shop
from evals.sim.trade import AtMerchants, AtShop

NOT_THE_SAME = frozenset({"seconds"})
"""What of an account is another each time a seed is played: it is measured by the true clock."""

_EVENING_S = 3 * 3600.0
_SETTLING_S = 5.0
_SESSIONS = 20


@dataclass
class Account:
    """What came of a life.

    Attributes:
        broken: which promise; "" where all held.
        met: how often each kind of fault was met.
        moves: of the recovery table that were made.
    """

    seed: str
    broken: str = ""
    steps: int = 0
    statements: int = 0
    asked: int = 0
    seconds: float = 0.0
    met: Counter[str] = field(default_factory=Counter)
    effects: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    moves: set[str] = field(default_factory=set)
    dump: str = ""


_OF_PAGES = frozenset({FaultPoint.BEFORE_COMMIT, FaultPoint.AFTER_COMMIT})
_OF_CALLS = _OF_PAGES | {
    FaultPoint.BEFORE_REQUEST,
    FaultPoint.AFTER_REPLY,
    FaultPoint.BEFORE_LOOK,
    FaultPoint.AFTER_LOOK,
}
_AT = {
    "lost": FaultPoint.AFTER_COMMIT,
    "stop": FaultPoint.AFTER_LOOK,
    "oversleep": FaultPoint.BEFORE_REQUEST,
}
"""Where alone a strike of that kind does something."""


class _Clouds(Weather):
    """A network that is slow now and then, and at times loses what it carries."""

    def __init__(self, recipe: Recipe, met: Counter[str]) -> None:
        self._chance = random.Random(f"weather {recipe.seed}")
        self._recipe, self._met = recipe, met
        self.is_fine = False

    def delay(self) -> float:
        """Return some milliseconds; once in a while a second."""
        late = self._chance.uniform(0.0005, 0.02)
        return late if self._chance.random() > 0.005 else late * 60

    def fate(self, port: int) -> str:
        """Let a piece be the last one of its connection, as the recipe has it."""
        drawn = self._chance.randrange(1_000_000)
        if self.is_fine or drawn >= self._recipe.silent + self._recipe.resets:
            return ""
        fate = "silent" if drawn < self._recipe.silent else "reset"
        self._met[f"network {fate}"] += 1
        return fate


class Life:
    """Play one recipe on one server."""

    def __init__(
        self,
        recipe: Recipe,
        server: Server,
        seeded: Seeded,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.recipe = recipe
        self.server = server
        self._seeded = seeded
        self._tell = say
        self.account = Account(recipe.seed)
        self._blows = sorted(recipe.blows, key=lambda blow: blow.at)
        self._strikes = sorted(recipe.strikes, key=lambda strike: strike.at)
        self._moment = self._point = 0
        self._shaken: set[str] = set()
        self._is_cut = False
        self._altered: list[tuple[Any, ...]] = []
        self._generation = 0
        self._is_evening = False
        self._failed: BaseException | None = None

    def play(self, *, dump: bool = False) -> Account:
        """Live it."""
        began, account, recipe = SYSTEM.monotonic(), self.account, self.recipe
        self.loop = VirtualLoop(random.Random(f"order {recipe.seed}"))
        self.server.tell(0.0)
        asyncio.set_event_loop(self.loop)
        with self.server.database() as url, stage.playing(self.loop, recipe.seed):
            self.url = url
            self.sessions = Sessions(self.server, random.Random(f"statements {recipe.seed}"))
            self.clouds = _Clouds(recipe, account.met)
            self.network = Network(self.loop, self.clouds)
            self.trade = (AtMerchants if recipe.transport is not None else AtShop)(recipe)
            self.shop = Shop(
                *(self.loop, self.network, self._seeded, self.trade.settings()),
                recipe.tricks,
                self.trade.before,
            )
            self.judge = self.trade.judge(url, self.shop, self._may_be_taken)
            patience = Patience(
                budget=timedelta(seconds=recipe.budget),
                unknown_settle=timedelta(seconds=10),
                question=timedelta(minutes=30),
            )
            self.place = Place(
                *(self.loop, self.network, self.sessions, url, obedient(), patience, self.trade)
            )
            sessions.playing(self.sessions)
            senders.playing(self.network)
            self.sessions.moment = self.network.moment = self._passes
            arm(self._reached)
            gc.disable()
            try:
                self.loop.run_until_complete(self._day())
            except Exception as error:
                account.broken = f"{type(error).__name__}: {error}"
                if not isinstance(error, Broken | Stuck | TimeoutError | DaybookError):
                    account.broken += "\n" + "".join(traceback.format_exception(error)[-6:])
            finally:
                arm(None)
                if dump:
                    account.dump = self.judge.dump()
                sessions.playing(None)
                self.judge.close()
                self.sessions.close()
                self.network.close()
                self.shop.close()
        account.steps = self.loop.steps
        account.statements, account.asked = self.sessions.statements, self.judge.asked
        account.effects, account.events = self.judge.effects, self.judge.events
        account.met["lock waited for"] += self.sessions.blocked
        asyncio.set_event_loop(None)
        gc.enable()
        account.seconds = SYSTEM.monotonic() - began
        return account

    # -- the day ----------------------------------------------------------------------------------

    async def _day(self) -> None:
        recipe = self.recipe
        for fault in recipe.faults:
            self.shop.world.faults.add(replace(fault))
        self.processes: list[Process] = []
        self._asides: list[asyncio.Future[None]] = []
        self.trade.begin(self.loop, self.network, self.shop, self._serving)
        for number, _ in enumerate(recipe.skews):
            self._start(number)
        chance = random.Random(f"people {recipe.seed}")
        self.people = [
            Shopper(person, number, self._serving, self.judge, self.trade, chance, self.say)
            for number, person in enumerate(recipe.people)
        ]
        for turn in recipe.turns:
            self.loop.call_later(turn.after, self._turns, turn.column, turn.value)
        days = [asyncio.ensure_future(person.live()) for person in self.people]
        await self._watched(*days)
        await self._evening()

    async def _watched(self, *tasks: asyncio.Future[Any]) -> None:
        """Wait for tasks, and no longer than until something is found to be broken."""
        self._alarm: asyncio.Future[None] = self.loop.create_future()
        try:
            pending = set(tasks)
            while pending and not self._alarm.done():
                _, left = await asyncio.wait(
                    {*pending, self._alarm}, return_when=asyncio.FIRST_COMPLETED
                )
                for task in pending - left:
                    task.result()
                pending &= left
            if self._alarm.done():
                self._alarm.result()
        finally:
            for task in tasks:
                task.cancel()

    async def _evening(self) -> None:
        """End the day: people answer what they are asked, and all comes to rest."""
        self._is_evening = self.clouds.is_fine = True
        self.say("the evening begins")
        self._count_met()
        self.shop.world.faults.clear()
        self.shop.tricky.clear()
        self.judge.put_right(self._altered)
        until = self.loop.time() + _EVENING_S
        await self._watched(asyncio.ensure_future(self._settled(until)))
        self.judge.look()
        if left := self.judge.unrest():
            raise Broken(f"not at rest: {left}")
        await self._watched(asyncio.ensure_future(self._nothing_left()))
        await self._watched(asyncio.ensure_future(self._agree()))

    async def _nothing_left(self) -> None:
        states = {person.name: (await person.state()).values for person in self.people}
        for complaint in self.judge.left(states):
            raise Broken(complaint)

    def _count_met(self) -> None:
        """Count the faults of the shop that a request has met."""
        left = Counter((f["endpoint"], f["mode"]) for f in self.shop.world.faults.state()["faults"])
        planned = Counter((fault.place, fault.mode) for fault in self.recipe.faults)
        for (place, mode), count in (planned - left).items():
            self.account.met[f"shop {mode} at {place}"] += count
        self.account.met.update(self.shop.tricky.met)

    async def _settled(self, until: float) -> None:
        pause = _SETTLING_S
        while self.loop.time() < until:
            await SYSTEM.sleep(pause)
            answered = [await person.settle() for person in self.people]
            if not any(answered) and not self.judge.unrest():
                return
            pause = min(pause * 1.5, 300.0)

    async def _agree(self) -> None:
        """See that chains and work lists verify, and that all is as the protocol's model has it."""
        for person in self.people:
            resources = await self._resources()
            # A session that was cut during the day is lent once more, by whoever has it.
            for _ in range(_SESSIONS):
                with suppress(OperationalError):
                    await self._agrees(person, resources)
                    break
            else:
                await self._agrees(person, resources)

    async def _agrees(self, person: Shopper, resources: Resources) -> None:
        ledger = resources.postgres.ledger
        await ledger.verify(person.thread)
        if self._altered:
            # The engine acted on what stood there then; the walk would read what stands now.
            return
        state = await person.state()
        promised = self.trade.domain.registry.guarantees(resources.promises)
        moves = await agrees(
            *(person.thread, self.judge, ledger, state.values, promised, resources.patience),
            mistold=self.shop.tricky.mistold,
        )
        self.account.moves |= {f"{step} {event}" for step, event in moves}
        self.say(f"{person.name} stands at {state.values.get('flow')}")

    async def _resources(self) -> Resources:
        while not (serving := self._serving()):
            await SYSTEM.sleep(1)
        opened = serving[0].opened
        assert opened is not None
        return opened.resources

    # -- processes --------------------------------------------------------------------------------

    def _start(self, number: int) -> None:
        self._generation += 1
        skews = self.recipe.skews
        is_worker = number == len(skews) - 1
        name = f"{'worker' if is_worker else 'server'} {number}.{self._generation}"
        made = (Sweeper if is_worker else Process)(name, self.place, skews[number])
        made.number = number
        self.processes = [p for p in self.processes if p.number != number]
        self.processes.append(made)
        self.say(f"{name} starts")
        made.start()

    def _serving(self) -> list[Process]:
        return [
            process
            for process in self.processes
            if process.opened is not None
            and not (process.ended or process.suspended or isinstance(process, Sweeper))
        ]

    def _passes(self) -> None:
        """Count a moment of the day, and let what the recipe has for it happen."""
        self._moment += 1
        while self._blows and self._blows[0].at <= self._moment and not self._is_evening:
            self._strike(self._blows.pop(0))

    def _strike(self, blow: Blow) -> None:
        owner = OWNER.get()
        victim = owner if isinstance(owner, Process) else None
        if blow.kind in ("kill", "suspend") and (victim is None or victim.ended):
            # At the moment of somebody else: the next one of a process of ours.
            self._blows.insert(0, Blow(blow.kind, self._moment + 1, blow.seconds))
            return
        self.account.met[blow.kind] += 1
        self._is_cut |= blow.kind in ("cut", "restart")
        # A cut and a restart come when no statement is on its way.
        if blow.kind == "cut":
            self.say("all sessions are cut")
            self._later(0.0, self.server.cut_all, str(conninfo_to_dict(self.url)["dbname"]))
        elif blow.kind == "restart":
            self.say("Postgres is restarted")
            self._later(0.0, self._restart)
        else:
            assert victim is not None
            (self._kill if blow.kind == "kill" else self._suspend)(victim, blow.seconds)

    def _kill(self, victim: Process, seconds: float) -> None:
        self.say(f"{victim.name} is killed")
        victim.kill()
        self._look()
        self._later(seconds, self._start, victim.number)

    def _suspend(self, victim: Process, seconds: float) -> None:
        self.say(f"{victim.name} is suspended for {seconds:.1f} s")
        self._shaken.add(victim.known_as)
        self.loop.suspend(victim)
        self._later(seconds, self._wake, victim)

    # -- at the fault points of calls -------------------------------------------------------------

    def _strikes_at(self, point: FaultPoint, about: str) -> None:
        """Let what the recipe has for a point of a call happen there."""
        victim = OWNER.get()
        if not isinstance(victim, Process) or victim.ended or victim.suspended:
            return
        self._point += 1
        due = [strike for strike in self._strikes if strike.at <= self._point]
        for strike in due if not self._is_evening else ():
            is_claim = about.startswith(("attempted/", "undo_attempted/"))
            if _AT.get(strike.kind, point) is not point or (strike.kind == "lost" and is_claim):
                continue
            self._strikes.remove(strike)
            self.account.met[f"{strike.kind} at a call"] += 1
            match strike.kind:
                case "kill":
                    self._kill(victim, strike.seconds)
                case "suspend" | "oversleep":
                    self._suspend(victim, strike.seconds)
                case "stop":
                    self._later(0.0, self._stops, self.people[self._point % len(self.people)])
                case "lost":
                    self.say(f"{victim.name} is not told of its commit")
                    raise OperationalError("the connection was lost behind a commit")
            return

    def _stops(self, person: Shopper) -> None:
        self._asides.append(asyncio.ensure_future(person.stop()))

    def _may_be_taken(self, process: str) -> bool:
        """Tell whether a process, as the server knows it, is dead or may have been silent."""
        living = [one for one in self.processes if one.known_as == process and not one.ended]
        return self._is_cut or not living or process in self._shaken

    def _restart(self) -> None:
        self.server.restart()
        self.judge.reconnect(self.url)

    def _wake(self, victim: Process) -> None:
        if not victim.ended:
            self.say(f"{victim.name} wakes")
            self.loop.wake(victim)

    def _later(self, seconds: float, act: Callable[..., None], *args: Any) -> None:
        self.loop.call_later(seconds, act, *args, context=context_of(None))

    def _turns(self, column: str, value: int) -> None:
        self.account.met["price or stock moved"] += 1
        self.shop.write(f"update product set {column} = ? where sku = 'BOOT-001'", value)

    # -- judging ----------------------------------------------------------------------------------

    def _reached(self, point: FaultPoint, about: str) -> None:
        if point is FaultPoint.AFTER_COMMIT:
            self.say(f"{OWNER.get()}: {about}")
            self._look()
            may_alter = self.recipe.is_altered and not (self._altered or self._is_evening)
            if about == "decision" and may_alter:
                self.account.met["approved plan altered"] += 1
                self._altered = self.judge.alter()
        elif point is FaultPoint.AFTER_REPLY:
            self._look()
        if point in _OF_CALLS and (point not in _OF_PAGES or "/" in about):
            self._strikes_at(point, about)

    def _look(self) -> None:
        try:
            self.judge.look()
        except Broken as broken:
            if not self._alarm.done():
                self._alarm.set_exception(broken)

    def say(self, line: str) -> None:
        """Tell whoever follows what happens."""
        self._tell(f"{self.loop.time():10.4f} {self._moment:5d} {line}")
