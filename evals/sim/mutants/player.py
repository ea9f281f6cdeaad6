"""A process that lives lives on mutated engines, each until a promise is seen to be broken.

Run as `python -m evals.sim.mutants.player`, with PYTHONHASHSEED set: each line that it is given is
a `Hunt` in JSON, and it answers with what came of it, a line too.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from daybook.state.clock import SYSTEM
from evals.sim.ground import senders, stage
from evals.sim.ground.server import Server, open_server
from evals.sim.judged.invariants import Broken
from evals.sim.lives.life import Life
from evals.sim.lives.shop import Seeded
from evals.sim.mutants.editing import NothingToMutate, all_made
from evals.sim.mutants.hard import hard_recipe_of
from evals.sim.mutants.mutations import MUTATIONS
from evals.sim.trades import at_merchants

_COLLECTED = 5
"""After how many lives their garbage is collected."""


@dataclass(frozen=True)
class Hunt:
    """Some lives on one engine.

    Attributes:
        name: of the mutation; "" is the engine as it is.
        seeds: of the lives; the first that breaks a promise is the last that is lived.
    """

    name: str
    seeds: tuple[str, ...]


def hunted(hunt: Hunt, server: Server, seeded: Seeded) -> dict[str, Any]:
    """Live until a promise is broken; tell after how many lives, and which.

    Raises:
        NothingToMutate: there is no such mutation, or it finds nothing to change.
    """
    edits = [edit for one in MUTATIONS if one.name == hunt.name for edit in one.edits]
    if hunt.name and not edits:
        raise NothingToMutate(f"there is no mutation {hunt.name}")
    began, found, lives = SYSTEM.monotonic(), {"seed": "", "broken": ""}, 0
    with all_made(edits):
        while lives < len(hunt.seeds) and not found["broken"]:
            seed = hunt.seeds[lives]
            lives += 1
            broken = Life(hard_recipe_of(seed), server, seeded).play().broken
            # That a mutant ends with an error of its own is not the judge's finding.
            if broken.startswith(Broken.__name__) or (broken and not hunt.name):
                found = {"seed": seed, "broken": broken}
            if lives % _COLLECTED == 0:
                gc.collect()
    return {
        "name": hunt.name,
        "lives": lives,
        **found,
        "seconds": SYSTEM.monotonic() - began,
    }


def hunting(told: Callable[[], str], tell: Callable[[str], None]) -> None:
    """Hunt what is told, until nothing is told any more."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    stage.set_up()
    senders.set_up()
    at_merchants.set_up()
    with open_server() as server:
        seeded = Seeded()
        gc.collect()
        gc.freeze()
        while line := told():
            given = json.loads(line)
            hunt = Hunt(given["name"], tuple(given["seeds"]))
            tell(json.dumps(hunted(hunt, server, seeded)))
            gc.collect()


if __name__ == "__main__":
    hunting(sys.stdin.readline, lambda line: print(line, flush=True))
