"""Kill an agent at every moment, with providers of every behaviour, and judge it.

Undisturbed runs tell which moments and which effects there are; each cell is run in processes of
its own, on a database and at a provider of its own, and judged by what the provider really did.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, get_args

from typing_extensions import TypedDict, Unpack

from daybook.state.errors import ConfigurationError
from daybook.state.fault_points import FaultPoint
from daybook.testing import cells, judge
from daybook.testing.cells import Cell
from daybook.testing.judge import Evidence, Expected, MayDoubt, MayFail, Verdict
from daybook.testing.moments import Moment
from daybook.testing.processes import Ended, Process
from daybook.testing.provider import Behaviour, Mode, Provider
from daybook.testing.report import Report
from daybook.testing.world import World, open_world
from daybook.tools.domain import Domain

BUDGET = 1.0
"""Seconds that an attempt may take in these runs."""

LATE = BUDGET + 0.2
"""Seconds after which a late effect is done: its caller has given up."""

HONOURS, IGNORES = Behaviour(), Behaviour(keys="ignored", stores_failures=False)

BEHAVIOURS: Mapping[str, Behaviour] = {
    "honours keys": HONOURS,
    "ignores keys": IGNORES,
    "forgets keys": Behaviour(keys="forgotten", forgets_after=LATE),
    "is late": replace(HONOURS, late=LATE),
    "is late, ignores keys": replace(IGNORES, late=LATE),
    "loses replies": replace(HONOURS, loses=(0, 504)),
    "loses replies, ignores keys": replace(IGNORES, loses=(0, 504)),
}
"""Providers by name, from which a matrix takes those that an effect's declaration allows."""

_ALWAYS = 1_000
_AROUND = (FaultPoint.BEFORE_REQUEST, FaultPoint.AFTER_REPLY)
_APPROVED = str(Moment(FaultPoint.AFTER_COMMIT, "decision", 1))


@dataclass(frozen=True)
class Script:
    """Say what is played.

    Attributes:
        given: what a user says, to the decisions of the model that follow (of a domain); the
            arguments (of a function); or the input (of a graph).
        declines: kinds that the provider declines, so that what was done before is undone.
    """

    given: Any
    declines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Subject:
    """Say what is killed, by names that another process can import.

    Attributes:
        name: `module:name` of a domain, of a function with `ledger.effect`, or of a function that
            opens a graph (an asynchronous context manager that reads its settings from the
            environment).
        services: of a domain, `module:name` of what makes its services of the provider's address.
        resources: of a domain, `module:name` of what opens its resources.
        environment: the variable that holds the provider's address.
    """

    name: str
    services: str = ""
    resources: str = ""
    environment: str = "PROVIDER_URL"


@dataclass
class Matrix:
    """Run cells of one subject, some at a time.

    Attributes:
        provider: `module:name` of the class of the fake provider.
        behaviours: of the providers, by name; None if the class says all.
        is_after_approval: kills before the approval are left out.
        verdicts: by cell, in the order in which they were run.
    """

    world: World
    subject: Subject
    scripts: Mapping[str, Script]
    behaviours: Mapping[str, Behaviour | None]
    provider: str = "daybook.testing.provider:Provider"
    may_doubt: MayDoubt = lambda cell: True
    may_fail: MayFail = judge.may_fail
    is_after_approval: bool = False
    lanes: int = 4
    tell: Callable[[Verdict], None] = lambda verdict: None
    verdicts: dict[Cell, Verdict] = field(default_factory=dict)
    moments: dict[Cell, list[Moment]] = field(default_factory=dict)
    expected: dict[tuple[str, str], Expected] = field(default_factory=dict)

    async def look(self) -> None:
        """Run each script undisturbed: that shows which moments and effects there are."""
        await self.run([Cell(name, script) for name in self.behaviours for script in self.scripts])

    async def run(self, wanted: Iterable[Cell]) -> None:
        """Run and judge cells, each once."""
        lanes = asyncio.Semaphore(self.lanes)

        async def one(cell: Cell) -> None:
            async with lanes:
                await self._run(cell)

        async with asyncio.TaskGroup() as running:
            for cell in dict.fromkeys(wanted):
                if cell not in self.verdicts:
                    running.create_task(one(cell))

    def kinds(self, provider: str, script: str) -> list[str]:
        """Return the kinds of effect at which a script is struck: all, or those that undo."""
        found = self.expected[provider, script]
        return [*found.undoes.values()] if self.scripts[script].declines else [*found.done]

    def performed(self) -> list[Cell]:
        """Return the kills when something was done and not answered."""
        return [
            Cell(name, script, "performed", kind=kind)
            for name, script in self.expected
            for kind in self.kinds(name, script)
        ]

    def faults(self) -> list[Cell]:
        """Return each fault at each effect."""
        modes: tuple[Mode, ...] = get_args(Mode)
        return [
            replace(cell, blow="fault", detail=mode) for cell in self.performed() for mode in modes
        ]

    def killed(self) -> list[Cell]:
        """Return a kill at every moment of the undisturbed runs."""
        return [
            replace(seen, blow="killed", moment=moment)
            for seen, moments in self.moments.items()
            if seen.blow == "undisturbed"
            for moment in moments
        ]

    def killed_twice(self) -> list[Cell]:
        """Return a second kill at every moment of each take-over that was run."""
        return [
            replace(seen, moment=moment)
            for seen, moments in self.moments.items()
            if seen.blow == "performed"
            for moment in moments
        ]

    def suspended(self) -> list[Cell]:
        """Return the suspensions before anything is claimed, and around each request."""
        return [
            replace(cell, blow="suspended")
            for cell in self.killed()
            if not self.scripts[cell.script].declines
            and cell.moment is not None
            and (cell.moment.point in _AROUND or str(cell.moment) == _APPROVED)
        ]

    async def _run(self, cell: Cell) -> None:
        thread = cell.thread
        behaviour = self.behaviours[cell.provider]
        told = asdict(behaviour) if behaviour else {}
        await self.world.providers.open(thread, self.provider, told)
        try:
            async with self.world.database() as database:
                evidence = await self._played(cell, database)
                verdict = self._judged(cell, evidence)
        except (AssertionError, OSError) as error:
            verdict = judge.not_run(cell, f"{type(error).__name__}: {error}")
        finally:
            await self.world.providers.close(thread)
        self.verdicts[cell] = verdict
        self.tell(verdict)

    async def _played(self, cell: Cell, database: str) -> Evidence:
        providers, thread, script = self.world.providers, cell.thread, self.scripts[cell.script]
        for kind in script.declines:
            await providers.spoil(thread, kind, "decline", times=_ALWAYS)
        if cell.blow == "fault":
            more = {"seconds": LATE} if cell.detail == "late" else {}
            await providers.spoil(thread, cell.kind, cell.detail, **more)
        if cell.blow == "lie":
            where, _, wrong = cell.detail.partition(":")
            await providers.lie(thread, cell.kind, where, wrong, thread)
        runs = await self._runs(cell, database)
        return Evidence(await providers.effects(thread), runs)

    async def _runs(self, cell: Cell, database: str) -> list[Ended]:
        """Let processes play the cell, one after the other, until one comes to the end."""
        at = str(cell.moment or "")
        if cell.blow == "suspended":
            first = self._start(cell, database, at=at, stops=True)
            await first.stopped()
            last = await self._start(cell, database, takes_up=True).ended()
            first.signal(signal.SIGCONT)
            return [await first.ended(), last]
        if cell.blow == "performed":
            await self.world.providers.spoil(cell.thread, cell.kind, "hold")
            process = self._start(cell, database)
            done = await self.world.providers.performed(cell.thread, cell.kind)
            process.signal(signal.SIGKILL)
            runs = [await process.ended()]
            assert done, f"the provider never carried it out: {cell.kind}"
            if at:
                runs.append(await self._start(cell, database, at=at, takes_up=True).ended())
        else:
            runs = [await self._start(cell, database, at=at).ended()]
        if runs[-1].killed:
            runs.append(await self._start(cell, database, takes_up=True).ended())
        return runs

    def _start(self, cell: Cell, database: str, **more: Any) -> Process:
        url = self.world.providers.url(cell.thread)
        subject, script = self.subject, self.scripts[cell.script]
        given = script.given
        order = {
            "subject": subject.name,
            "services": subject.services,
            "resources": subject.resources,
            "script": [*given.items()] if subject.services or subject.resources else given,
            "thread": cell.thread,
            "url": url,
            "database": database,
            "environment": {
                subject.environment: url,
                "DATABASE_URL": database,
                # A domain's own resources may open a model: it is replaced, and never asked.
                "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
                "OPENAI_MODEL": "scripted",
                "NO_PROXY": "127.0.0.1",
            },
            "kinds": self._merged(cell.provider, "kinds"),
            "undoes": self._merged(cell.provider, "undoes"),
            "budget": BUDGET,
            "at": "",
            "stops": False,
            "takes_up": False,
            **more,
        }
        return self.world.processes.start(order)

    def _judged(self, cell: Cell, evidence: Evidence) -> Verdict:
        key = (cell.provider, cell.script)
        if cell.blow == "undisturbed":
            self.expected[key] = judge.expected_of(evidence.effects, evidence.end)
        if cell.blow == "undisturbed" or (cell.blow == "performed" and cell.moment is None):
            self.moments[cell] = self._moments(cell, evidence)
        expected = replace(
            self.expected.get(key, Expected()), kinds=self._merged(cell.provider, "kinds")
        )
        return judge.judge(cell, evidence, expected, self.may_doubt, self.may_fail)

    def _merged(self, provider: str, name: str) -> dict[str, str]:
        """Return what all scripts of a provider have shown of its kinds of effect."""
        shown = [getattr(one, name) for (of, _), one in self.expected.items() if of == provider]
        return {kind: to for one in shown for kind, to in one.items()}

    def _moments(self, cell: Cell, evidence: Evidence) -> list[Moment]:
        seen = [Moment.parse(one) for one in evidence.passed]
        if cell.blow != "undisturbed" or not self.is_after_approval:
            return seen
        begins = next((n for n, one in enumerate(seen) if one.about == "decision"), len(seen))
        return seen[begins:]


class Options(TypedDict, total=False):
    """Set how a crash matrix is run.

    Attributes:
        provider: the fake provider; a subclass has the API of yours.
        behaviours: names from `BEHAVIOURS`, or behaviours of your own; default those that the
            declaration of the effect allows.
        environment: the variable with the provider's address. Each killed process imports your
            module again, so it may be read at import.
        services: for a domain, the function that makes its services from the provider's address.
        resources: for a domain, the function that opens its resources.
        declines: a kind of effect that the provider declines in a second script, so that the steps
            before it are undone.
        part: the share of the second kills that is run; default 0.2.
        lanes: cells that run at a time.
        database_url: a Postgres server where databases can be created; default an embedded one.
    """

    provider: type[Provider]
    behaviours: Sequence[str] | Mapping[str, Behaviour]
    environment: str
    services: Any
    resources: Any
    declines: str
    part: float
    lanes: int
    database_url: str


def crash_matrix(subject: Any, given: Any, **options: Unpack[Options]) -> Report:
    """Kill an agent at every moment there is, and say what happened twice, or was lost.

    Args:
        subject: a function with `ledger.effect`, a `Domain`, or a function that opens a graph.
        given: the arguments of the function; what a user says to the calls that the model decides
            on; or the input of the graph.
        options: see `Options`.

    Raises:
        ConfigurationError: another process cannot import the subject.
    """
    return asyncio.run(run_crash_matrix(subject, given, **options))


async def run_crash_matrix(subject: Any, given: Any, **options: Unpack[Options]) -> Report:
    """Do the same in a loop that runs already (see `crash_matrix`)."""
    named = Subject(
        importable_name(subject),
        importable_name(options.get("services") or ""),
        importable_name(options.get("resources") or ""),
        options.get("environment", "PROVIDER_URL"),
    )
    scripts = {"done": Script(given)}
    if declines := options.get("declines"):
        scripts["undone"] = Script(given, (declines,))
    behaviours = options.get("behaviours") or allowed_behaviours(subject)
    if not isinstance(behaviours, Mapping):
        behaviours = {name: BEHAVIOURS[name] for name in behaviours}
    provider = importable_name(options.get("provider", Provider))
    lanes = options.get("lanes", 4)
    async with open_world(options.get("database_url")) as world:
        matrix = Matrix(world, named, scripts, behaviours, provider, lanes=lanes)
        await matrix.look()
        if any(one.wrong for one in matrix.verdicts.values()):
            # Nothing is learnt from kills of what fails undisturbed.
            return Report(list(matrix.verdicts.values()))
        await matrix.run([*matrix.performed(), *matrix.killed(), *matrix.faults()])
        if _sends_in_time(subject):
            await matrix.run(matrix.suspended())
        twice = matrix.killed_twice()
        some = cells.sample(twice, round(len(twice) * options.get("part", 0.2)), seed=1)
        await matrix.run(some)
        return Report(list(matrix.verdicts.values()))


def _sends_in_time(subject: Any) -> bool:
    """Tell whether a process that is suspended before it sends does no harm when it wakes up.

    A plain function sends by means of its own: without a key it may do again what was done
    meanwhile, as its declaration says (`late_sender`).
    """
    declared = getattr(subject, "declared", None)
    return declared is None or bool(declared.guarantees.honours_key)


def allowed_behaviours(subject: Any) -> Sequence[str]:
    """Return the behaviours of providers that keep what an effect declares of them."""
    declared = getattr(subject, "declared", None)
    if declared is None:
        return ("honours keys", "is late", "loses replies")
    guarantees = declared.guarantees
    if not guarantees.honours_key:
        names = ["ignores keys", "loses replies, ignores keys"]
        is_bounded = declared.probe is None or guarantees.settle is not None
        return [*names, "is late, ignores keys"] if is_bounded else names
    # A key that is forgotten while it is relied on breaks the declaration, and not the engine.
    is_short = guarantees.retention.total_seconds() <= LATE
    forgets = ["forgets keys"] if is_short else []
    return ["honours keys", "is late", "loses replies", *forgets]


def importable_name(found: Any) -> str:
    """Return the `module:name` by which another process imports something.

    Raises:
        ConfigurationError: none does.
    """
    if isinstance(found, str):
        return found
    if isinstance(found, Domain):
        names = (
            f"{module.__name__}:{name}"
            for module in [*sys.modules.values()]
            if module is not None and getattr(module, "__name__", "") != "__main__"
            for name, value in [*vars(module).items()]
            if value is found
        )
        if name := next(names, ""):
            return name
    module, name = getattr(found, "__module__", ""), getattr(found, "__qualname__", "")
    if not name or module == "__main__" or "<" in name:
        raise ConfigurationError(
            f"{found!r} cannot be imported by the processes that are killed. Nothing was run; "
            "define it at the top level of a module, or name it as 'module:name'."
        )
    return f"{module}:{name}"
