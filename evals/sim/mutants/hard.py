"""Hard lives: those of `make sim` with more of all that goes wrong, and that where it hurts."""

from __future__ import annotations

import random
from dataclasses import replace

from daybook.demo.shop.faults import Mode, Place
from evals.sim.lives.recipe import (
    AT_MERCHANTS,
    Person,
    Recipe,
    ShopFault,
    Strike,
    StrikeKind,
    Trick,
    Wish,
    event_fault,
    recipe_of,
    ucp_fault,
)

_PLACES: tuple[Place, ...] = ("holds", "charges", "charges", "orders", "mail", "lookups")
_MODES: tuple[Mode, ...] = ("late", "late", "drop", "timeout", "slow", "refuse")
_TRICKED: tuple[Place, ...] = ("holds", "charges", "orders")


def hard_recipe_of(seed: str) -> Recipe:
    """Draw a hard life from its seed: of one person, so that it is short."""
    chance = random.Random(f"hard {seed}")
    easy = recipe_of(seed)
    if seed.startswith(AT_MERCHANTS):
        return _hard_at_a_merchant(easy, chance)
    hard = _hard(easy, chance)
    if chance.random() < 0.2:
        # A way to the database that loses every answer once, and a service that tells it wrong.
        lost = tuple(Strike("lost", point, 0) for point in range(1, 34, 8))
        told = Trick(chance.choice(_TRICKED), "mistold", 0)
        hard = replace(hard, strikes=lost, tricks=(told,), is_altered=False)
    return hard


def _hard_at_a_merchant(easy: Recipe, chance: random.Random) -> Recipe:
    """Let orders and openings be asked for in vain, and events be forged."""
    asked = tuple(ucp_fault(chance) for _ in range(chance.choice((1, 2, 3))))
    told = tuple(event_fault(chance) for _ in range(chance.choice((0, 1, 2))))
    return replace(
        easy,
        people=(_person(easy.people[0], chance),),
        faults=(*asked, *told),
        blows=easy.blows[: chance.choice((0, 0, 1))],
        turns=(),
        strikes=_strikes(chance),
        silent=chance.choice((0, 0, 4_000)),
        resets=chance.choice((0, 0, 4_000)),
    )


def _hard(easy: Recipe, chance: random.Random) -> Recipe:
    return replace(
        easy,
        people=(_person(easy.people[0], chance),),
        faults=tuple(_fault(chance) for _ in range(chance.choice((1, 2, 3)))),
        blows=easy.blows[: chance.choice((0, 0, 1))],
        turns=(),
        strikes=_strikes(chance),
        tricks=tuple(_trick(chance) for _ in range(chance.choice((0, 1, 1)))),
        is_altered=chance.random() < 0.08,
        silent=chance.choice((0, 0, 4_000)),
        resets=chance.choice((0, 0, 4_000)),
    )


def _person(easy: Person, chance: random.Random) -> Person:
    look = Wish("look", chance.uniform(0, 2), "nothing")
    buys = [one for one in easy.wishes if one.want != "both at once"]
    looks = chance.random() < 0.25
    wishes = [look, *buys, replace(look, after=1.0)] if looks else buys
    return replace(easy, wishes=tuple(wishes))


def _fault(chance: random.Random) -> ShopFault:
    place, mode = chance.choice(_PLACES), chance.choice(_MODES)
    if mode == "late" and place in ("mail", "lookups"):
        mode = "refuse"
    longest = 1.75 if mode == "late" else chance.choice((2.0, 8.0))
    times = 8 if mode == "refuse" and chance.random() < 0.5 else 1
    return ShopFault(place, mode, chance.uniform(0.1, longest), times=times)


def _strikes(chance: random.Random) -> tuple[Strike, ...]:
    return tuple(_strike(chance) for _ in range(chance.choice((0, 1, 2, 3))))


def _strike(chance: random.Random) -> Strike:
    kinds: tuple[StrikeKind, ...] = ("kill", "suspend", "oversleep", "lost", "stop")
    (kind,) = chance.choices(kinds, (25, 25, 20, 10, 20))
    seconds = chance.choice((8.0, 15.0, 25.0, 40.0))
    if kind == "oversleep":
        seconds = chance.choice((25.0, 40.0))
    elif kind == "kill":
        seconds = chance.uniform(0.2, 4)
    return Strike(kind, chance.randrange(1, 34), seconds)


def _trick(chance: random.Random) -> Trick:
    return Trick(
        chance.choice(_TRICKED), chance.choice(("busy", "mistold")), chance.uniform(0.2, 1.7)
    )
