"""What a life is made of, drawn from its seed: plain data, of which a part can be left out."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from daybook.demo.shop.faults import Fault, Mode, Place

Answer = Literal["yes", "no", "late", "stale", "other words", "nothing"]
Want = Literal["buy", "buy two", "cancel", "both at once", "look"]
Transport = Literal["rest", "mcp"]
Kind = Literal["kill", "suspend", "cut", "restart", "oversleep", "lost", "stop"]

Calls = list[tuple[str, dict[str, Any]]]
"""What a person wishes for, as calls of tools."""

NAMES = ("ada", "kim", "lee")
"""The people; a user's place in the list says who they are: the shop has a profile for each."""

AT_MERCHANTS = "merchants/"
"""What a seed begins with whose life is at a merchant."""

_SKUS = ("BOOT-001", "BOOT-002", "BOOT-003", "BOOT-004")
_PLACES: tuple[Place, ...] = (
    *("holds", "releases", "charges", "refunds", "orders", "cancellations", "lookups", "mail"),
)
_MODES: tuple[Mode, ...] = ("refuse", "timeout", "drop", "late", "slow")
_UCP_PLACES: tuple[Place, ...] = ("sessions", "sessions", "completions", "completions", "lookups")
_UCP_MODES: tuple[Mode, ...] = (*_MODES, "held")
_EVENT_MODES: tuple[Mode, ...] = ("refuse", "drop", "late", "double", "forge")


@dataclass(frozen=True)
class Wish:
    """What a person wants next, after some seconds, and how they answer what they are asked."""

    want: Want
    after: float
    answer: Answer


@dataclass(frozen=True)
class Person:
    """A person with their wishes."""

    name: str
    wishes: tuple[Wish, ...]


@dataclass(frozen=True)
class Blow:
    """What befalls a process, or all of them, at some place of a life.

    Attributes:
        kind: "lost" is the answer to the commit of an outcome, at the next one (of a claim's it
            comes to a death there); "stop" is the wish of the person to stop, at the next look;
            "oversleep" suspends it where it was about to send.
        at: for blows a moment: statements and pieces of the network are counted. For strikes a
            fault point of a call, which are counted from 1.
        seconds: how long it is suspended, or until it is started again.
    """

    kind: Kind
    at: int
    seconds: float


@dataclass(frozen=True)
class Trick:
    """What other services do than the demo's, to the next request at a place.

    Attributes:
        kind: "busy" answers 409 at once, as to a key in use, and does it `seconds` later; "mistold"
            answers with the id of another effect.
    """

    place: Place
    kind: Literal["busy", "mistold"]
    seconds: float


@dataclass(frozen=True)
class Turn:
    """A product whose price or stock moves, after some seconds."""

    after: float
    column: Literal["stock", "price"]
    value: int


@dataclass(frozen=True)
class Recipe:
    """All that a life is made of.

    Attributes:
        skews: how wrong the clock of each server is, in seconds; the last one is the worker's.
        keys: whether the shop honours idempotency keys, and keeps refusals under them.
        budget: how long one attempt may take, in seconds; a late effect may take longer.
        silent, resets: how likely a piece of the network is the last one, in a million.
        is_altered: what was approved is altered in the database before it is carried out, and put
            right in the evening.
        transport: by which a merchant is asked; None in a life at the shop.
    """

    seed: str
    people: tuple[Person, ...]
    skews: tuple[float, ...]
    keys: tuple[bool, bool]
    retention: int
    budget: float
    faults: tuple[Fault, ...]
    blows: tuple[Blow, ...]
    turns: tuple[Turn, ...]
    silent: int
    resets: int
    strikes: tuple[Blow, ...] = ()
    tricks: tuple[Trick, ...] = ()
    is_altered: bool = False
    transport: Transport | None = None


def recipe_of(seed: str) -> Recipe:
    """Draw a life from its seed, which says too where it is lived."""
    chance = random.Random(f"recipe {seed}")
    easy = _at_the_shop(seed, chance)
    return _at_a_merchant(easy, chance) if seed.startswith(AT_MERCHANTS) else easy


def _at_a_merchant(easy: Recipe, chance: random.Random) -> Recipe:
    """Let a life be lived at a merchant, with what goes wrong there."""
    told = tuple(event_fault(chance) for _ in range(chance.choice((0, 1, 1, 2))))
    asked = tuple(ucp_fault(chance) for _ in range(len(easy.faults)))
    return replace(
        easy,
        faults=(*asked, *told),
        transport=chance.choice(("rest", "rest", "mcp")),
        people=tuple(replace(one, wishes=_at_leisure(one.wishes)) for one in easy.people),
    )


def _at_leisure(wishes: tuple[Wish, ...]) -> tuple[Wish, ...]:
    """Give a checkout back as soon as it is open, where a life at the shop cancels its order."""
    return tuple(
        replace(one, want="buy two", answer="nothing") if following == "cancel" else one
        for one, following in zip(wishes, [*(one.want for one in wishes[1:]), ""], strict=True)
    )


def ucp_fault(chance: random.Random) -> Fault:
    """Draw what goes wrong as a merchant is asked."""
    place, mode = chance.choice(_UCP_PLACES), chance.choice(_UCP_MODES)
    longest = 1.75 if mode == "late" else chance.choice((0.8, 2.0, 8.0))
    return Fault(place, mode, chance.uniform(0.1, longest))


def event_fault(chance: random.Random) -> Fault:
    """Draw what goes wrong as a merchant tells of an order."""
    times = chance.choice((1, 1, 2))
    return Fault("webhooks", chance.choice(_EVENT_MODES), chance.uniform(0.1, 20.0), times=times)


def _at_the_shop(seed: str, chance: random.Random) -> Recipe:
    names = NAMES[: chance.choices((1, 2, 3), (50, 40, 10))[0]]
    count = len(names)
    honours = chance.random() < 0.55
    return Recipe(
        seed=seed,
        people=tuple(_person(name, chance) for name in names),
        skews=tuple(
            chance.choice((0.0, 0.0, -40.0, 3.0, 900.0)) for _ in range(chance.choice((1, 2)) + 1)
        ),
        keys=(honours, chance.random() < 0.6),
        retention=chance.choice((86_400, 86_400, 8)),
        budget=chance.choice((1.0, 5.0)),
        faults=tuple(_fault(chance) for _ in range(chance.choice((0, 1, 2, 3)))),
        blows=tuple(_blow(chance, count) for _ in range(chance.choice((0, 1, 1, 2, 3)))),
        turns=tuple(_turn(chance) for _ in range(chance.choice((0, 0, 0, 1)))),
        silent=chance.choice((0, 0, 1_000, 4_000)),
        resets=chance.choice((0, 0, 1_000, 4_000)),
    )


def _person(name: str, chance: random.Random) -> Person:
    wishes = [_wish(chance, "buy")]
    if chance.random() < 0.4:
        wishes.append(_wish(chance, chance.choice(("buy two", "cancel", "both at once"))))
    return Person(name, tuple(wishes))


def _wish(chance: random.Random, want: Want) -> Wish:
    answers: tuple[Answer, ...] = ("yes", "no", "late", "stale", "other words", "nothing")
    (answer,) = chance.choices(answers, (70, 6, 6, 6, 6, 6))
    return Wish(want, chance.uniform(0, 5), answer)


def _fault(chance: random.Random) -> Fault:
    place, mode = chance.choice(_PLACES), chance.choice(_MODES)
    if place == "mail" and mode == "late":
        mode = "drop"
    longest = 1.75 if mode == "late" else chance.choice((2.0, 8.0))
    return Fault(place, mode, chance.uniform(0.1, longest))


def _blow(chance: random.Random, people: int) -> Blow:
    kind: Kind = chance.choices(("kill", "suspend", "cut", "restart"), (70, 20, 9, 1))[0]
    seconds = chance.choice((1.0, 6.0, 15.0, 40.0)) if kind == "suspend" else chance.uniform(0.2, 4)
    return Blow(kind, int(chance.uniform(100, 700 * people + 700)), seconds)


def _turn(chance: random.Random) -> Turn:
    if chance.random() < 0.5:
        return Turn(chance.uniform(0, 4), "stock", 0)
    return Turn(chance.uniform(0, 4), "price", chance.randrange(1_000, 30_000))


def sku_of(number: int) -> str:
    """Name what a person buys."""
    return _SKUS[number % len(_SKUS)]


# -- hard lives: more of all that goes wrong, and that where it hurts -----------------------------

_HURTS: tuple[Place, ...] = ("holds", "charges", "charges", "orders", "mail", "lookups")
_BY: tuple[Mode, ...] = ("late", "late", "drop", "timeout", "slow", "refuse")
_TRICKED: tuple[Place, ...] = ("holds", "charges", "orders")


def hard_recipe_of(seed: str) -> Recipe:
    """Draw a hard life from its seed: of one person, so that it is short."""
    chance, easy = random.Random(f"hard {seed}"), recipe_of(seed)
    is_shop = easy.transport is None
    faults: tuple[Fault, ...] = ()
    if not is_shop:
        asked = tuple(ucp_fault(chance) for _ in range(chance.choice((1, 2, 3))))
        faults = (*asked, *(event_fault(chance) for _ in range(chance.choice((0, 1, 2)))))
    person = _looking(easy.people[0], chance)
    if is_shop:
        faults = tuple(_hard_fault(chance) for _ in range(chance.choice((1, 2, 3))))
    hard = replace(
        easy,
        people=(person,),
        faults=faults,
        blows=easy.blows[: chance.choice((0, 0, 1))],
        turns=(),
        strikes=tuple(_strike(chance) for _ in range(chance.choice((0, 1, 2, 3)))),
    )
    if is_shop:
        tricks = tuple(_trick(chance) for _ in range(chance.choice((0, 1, 1))))
        hard = replace(hard, tricks=tricks, is_altered=chance.random() < 0.08)
    hard = replace(hard, silent=chance.choice((0, 0, 4_000)), resets=chance.choice((0, 0, 4_000)))
    if is_shop and chance.random() < 0.2:
        # A way to the database that loses every answer once, and a service that tells it wrong.
        lost = tuple(Blow("lost", point, 0) for point in range(1, 34, 8))
        mistold = Trick(chance.choice(_TRICKED), "mistold", 0)
        hard = replace(hard, strikes=lost, tricks=(mistold,), is_altered=False)
    return hard


def _looking(easy: Person, chance: random.Random) -> Person:
    look = Wish("look", chance.uniform(0, 2), "nothing")
    buys = [one for one in easy.wishes if one.want != "both at once"]
    looks = chance.random() < 0.25
    wishes = [look, *buys, replace(look, after=1.0)] if looks else buys
    return replace(easy, wishes=tuple(wishes))


def _hard_fault(chance: random.Random) -> Fault:
    place, mode = chance.choice(_HURTS), chance.choice(_BY)
    if mode == "late" and place in ("mail", "lookups"):
        mode = "refuse"
    longest = 1.75 if mode == "late" else chance.choice((2.0, 8.0))
    times = 8 if mode == "refuse" and chance.random() < 0.5 else 1
    return Fault(place, mode, chance.uniform(0.1, longest), times=times)


def _strike(chance: random.Random) -> Blow:
    kinds: tuple[Kind, ...] = ("kill", "suspend", "oversleep", "lost", "stop")
    (kind,) = chance.choices(kinds, (25, 25, 20, 10, 20))
    seconds = chance.choice((8.0, 15.0, 25.0, 40.0))
    if kind == "oversleep":
        seconds = chance.choice((25.0, 40.0))
    elif kind == "kill":
        seconds = chance.uniform(0.2, 4)
    return Blow(kind, chance.randrange(1, 34), seconds)


def _trick(chance: random.Random) -> Trick:
    return Trick(
        chance.choice(_TRICKED), chance.choice(("busy", "mistold")), chance.uniform(0.2, 1.7)
    )


_KEPT = Path(__file__).with_name("failed.txt")


def failed() -> list[str]:
    """Return the seeds that ever failed."""
    lines = _KEPT.read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith("#")]
