"""A small domain each of whose functions raises what a test wants, and an outside world in memory.

It rents out rooms: what was really done stands in `World.happened`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any

import httpx
from pydantic import AfterValidator

from daybook.state.agent import AgentState
from daybook.state.effects.bind import take
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, Outcome
from daybook.state.flow import FlowTable
from daybook.state.ledger.plan import Action
from daybook.state.money import Money
from daybook.state.people.policy import Facts, Policy, Rule
from daybook.state.session import Session
from daybook.tools.bumps import Bump
from daybook.tools.domain import Change, Domain, Prompt, Sketch, State, Update
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, change, hybrid, plan, read, write
from daybook.tools.registry import Registry


class Wordless(Exception):
    """Cannot even be written out."""

    def __str__(self) -> str:
        raise ValueError("no words")

    __repr__ = __str__


Error = Callable[[], BaseException]

ERRORS: tuple[Error, ...] = (
    lambda: httpx.ReadError("peer closed"),
    lambda: KeyError("amount"),
    lambda: RuntimeError("boom"),
    lambda: SystemExit(3),
    lambda: asyncio.CancelledError(),
    lambda: ExceptionGroup("several", [ValueError("one")]),
    lambda: Wordless(),
    lambda: RecursionError("too deep"),
)
"""What other people's code may raise, one of each sort."""


@dataclass
class World:
    """Hold what was really done, and which function raises what.

    Attributes:
        raises: the name of the function that raises; "" where none does.
        error: makes what it raises.
        times: how often it still does.
        full: whether bookings are declined.
        gives: the name of the function that returns something else than it should.
        gift: what it returns.
        hangs: the name of the function that waits; "" where none does.
        wait: what it waits for.
    """

    happened: list[tuple[str, str]] = field(default_factory=list)
    raises: str = ""
    error: Error = ERRORS[0]
    times: int = 1_000
    raised: int = 0
    full: bool = False
    gives: str = ""
    gift: Any = None
    given: int = 0
    hangs: str = ""
    wait: Callable[[], Awaitable[object]] = asyncio.Event().wait

    def at(self, name: str) -> None:
        """Raise, where it is this function's turn."""
        if self.raises == name and self.times > 0:
            self.times -= 1
            self.raised += 1
            raise self.error()

    def breaks(self, name: str, error: Error, times: int = 1_000) -> None:
        """Let a function raise from now on, so many times."""
        self.raises, self.error, self.times, self.raised = name, error, times, 0

    def spoils(self, name: str, gift: Any) -> None:
        """Let a function return this from now on, in the place of what it should."""
        self.gives, self.gift, self.given = name, gift, 0

    def of(self, name: str, value: Any) -> Any:
        """Return a value, or what a test wants in its place; raise, where that is wanted."""
        self.at(name)
        if self.gives != name:
            return value
        self.given += 1
        return self.gift

    async def asked(self, name: str) -> None:
        """Raise or wait, where it is this function's turn."""
        self.at(name)
        if self.hangs == name:
            await self.wait()

    def mended(self) -> None:
        """Let nothing raise, wait or return nonsense any more."""
        self.raises = self.hangs = self.gives = ""

    def did(self, what: str) -> list[str]:
        """Return the keys under which something was done."""
        return [key for one, key in self.happened if one == what]


class CarelessState(AgentState, total=False):
    """The state of a thread that rents a room."""

    people: Annotated[int, "how many come"]
    rented: Annotated[int, "how often something was rented"]


class OddRule(Rule):
    """A rule of an adopter's own making."""

    def fits(self, step: Facts) -> bool:
        WORLD.at("policy")
        return False


WORLD = World()
"""The one of this process: what has no context of its own reaches it so."""


def _odd(room: str) -> str:
    WORLD.at("types")
    return room


Room = Annotated[str, AfterValidator(_odd)]

FOUND = Guarantees(settle=timedelta(0))
KEYED = Guarantees(
    honours_key=True, stores_failures=True, retention=timedelta(days=1), settle=timedelta(0)
)


@read(lifetime=300, tags=("room:{room}",))
async def find(room: Room, *, ctx: Any) -> Any:
    """Look a room up."""
    await WORLD.asked("read")
    return {"room": room, "seats": 8}


@change
async def note(people: int, *, ctx: Any) -> Any:
    """Note how many come."""
    await WORLD.asked("change")
    return {"type": "noted", "people": people}


def _did(what: str, key: str) -> Confirmed:
    if key not in WORLD.did(what):
        WORLD.happened.append((what, key))
    return Confirmed({"id": f"{what}-{key}"})


def _probe(what: str) -> Any:
    async def probe(args: Mapping[str, Any], *, ctx: Any) -> list[Mapping[str, Any]]:
        WORLD.at("probe")
        return [{"id": f"{what}-{key}"} for key in WORLD.did(what) if key == ctx.key]

    return probe


async def _observe(args: Mapping[str, Any], *, ctx: Any) -> dict[str, Any]:
    await WORLD.asked("observe")
    return {"price": 5}


def _asked(name: str, value: Any) -> Callable[..., Any]:
    def asked(*given: Any) -> Any:
        return WORLD.of(name, value)

    return asked


@write(
    guarantees=FOUND,
    probe=_probe("clean"),
    reference=lambda result: WORLD.of("names", str(_asked("reference", result["id"])())),
    observe=_observe,
    moved=_asked("moved", None),
    evidence=_asked("evidence", {}),
    approval="never",
    makes_stale=("room:{room:d}",),
)
async def clean(room: Room, *, ctx: Any) -> Outcome:
    """Have a room cleaned."""
    WORLD.at("before")
    done = _did("clean", ctx.key)
    WORLD.at("after")
    return done


@write(operation=_asked("operation", "repair/Barn"), approval="never")
async def repair(room: Room, *, ctx: Any) -> Outcome:
    """Have a room repaired."""
    return _did("repair", ctx.key)


@hybrid(
    guarantees=FOUND,
    probe=_probe("hold"),
    reference="id",
    undo=Undo(
        "release",
        lambda args, result: _asked("undo", {"hold_id": result["id"]})(),
        settled_by=frozenset({"no_hold"}),
    ),
)
async def hold(room: Room, *, ctx: Any) -> Outcome:
    """Hold a room."""
    return _did("hold", ctx.key)


@write(guarantees=KEYED)
async def release(hold_id: str, *, ctx: Any) -> Outcome:
    """Give a held room back."""
    return _did("release", ctx.key)


@write(guarantees=KEYED)
async def book(hold_id: str, *, ctx: Any) -> Outcome:
    """Book the room that is held."""
    return Declined("full", "The room is taken.") if WORLD.full else _did("book", ctx.key)


@plan
async def rent(room: Room, *, ctx: Any) -> ActionDraft:
    """Rent a room."""
    await WORLD.asked("plan")
    name = f"{ctx.session.thread_id}/{ctx.turn_id}"
    return ActionDraft(
        "rent",
        WORLD.of("drafted", {"room": room}),
        WORLD.of("title", f"Rent {room}"),
        (
            StepDraft(
                WORLD.of("step", "hold"), "hold", f"hold/{name}", WORLD.of("args", {"room": room})
            ),
            StepDraft(
                "book",
                "book",
                f"book/{name}",
                {},
                {"hold_id": take(WORLD.of("step", "hold"), "id")},
                pivot=True,
            ),
        ),
        summary=WORLD.of("summary", ()),
        total=Money(amount=500, currency="EUR"),
    )


def _initial(session: Session, turn_id: str, services: Any) -> Update:
    update: Update = WORLD.of("initial", {"people": 0, "rented": 0})
    return update


def _apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    done: Change = WORLD.of(
        "apply", Change({"people": event["people"]}, f"{event['people']} people")
    )
    return done


def _settled(state: State, action: Action) -> Update:
    update: Update = WORLD.of("settled", {"rented": state["rented"] + action.succeeded})
    return update


def _read(tool: str, handle: int, result: Any, hidden: Sequence[str]) -> str:
    text: str = WORLD.of("rendered", f"r{handle} {tool}: {result}")
    return text


CARELESS = Domain(
    name="careless",
    state=CarelessState,
    registry=Registry(offered=(find, note, clean, repair, rent), steps=(hold, release, book)),
    flow=FlowTable("open", {}, {"open": frozenset({"find", "note", "clean", "repair", "rent"})}),
    policy=Policy(rules=(OddRule(name="odd", approval="customer"),)),
    prompt=Prompt(
        system="You rent out rooms.",
        read=_read,
        gist=_asked("gist", "a room"),
        tail=_asked("tail", ["now: open"]),
        refused=lambda tool, words: _asked("refused", words)(),
    ),
    initial=_initial,
    apply=_apply,
    settled=_settled,
    outcome=lambda action: _asked("outcome", f"{action.tool} is over")(),
    hidden=_asked("hidden", ()),
    warns=_asked("warns", ()),
    bumps=(
        Bump(
            tool="repair",
            slot=_asked("slot", "why"),
            threshold=1,
            cost=_asked("cost", 0),
            is_known=_asked("is_known", True),
            question=_asked("question", "Why?"),
        ),
    ),
    pauses=_asked("pauses", False),
    progress=_asked("progress", Sketch()),
    carried=_asked("carried", {}),
)
