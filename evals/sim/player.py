"""A process that plays lives one after the other, and writes what came of each as a line of JSON.

Run with PYTHONHASHSEED set, because sets are in its order:

    python -m evals.sim.player SEED...        plays these lives; --trace says who did what and when
    python -m evals.sim.player --hunt         plays on the mutants that standard input names
"""

from __future__ import annotations

import gc
import hashlib
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from daybook.state.clock import SYSTEM
from evals.sim import senders, stage, trade
from evals.sim.judge import Broken
from evals.sim.life import Account, Life
from evals.sim.mutants import MUTANTS, NothingToMutate, all_made
from evals.sim.recipe import Recipe, hard_recipe_of, recipe_of
from evals.sim.sessions import Server, open_server
from evals.sim.shop import Seeded

_COLLECTED = 5
"""After how many lives their garbage is collected."""

_TRIES = 40
"""How many smaller lives are played at most to find a small one that fails too."""


@contextmanager
def _ground() -> Iterator[tuple[Server, Seeded]]:
    """Set up what lives are played on; the server and its data go even when this is terminated."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    stage.set_up()
    senders.set_up()
    trade.set_up()
    with open_server() as server:
        seeded = Seeded()
        gc.collect()
        # What is imported stays: each life's garbage is then collected in some milliseconds.
        gc.freeze()
        yield server, seeded


def shrunk(recipe: Recipe, server: Server, seeded: Seeded) -> tuple[Recipe, Account]:
    """Leave out of a life that fails what it fails without; return it, and what came of it."""
    account, tries = Life(recipe, server, seeded).play(), 0
    smaller = True
    while smaller and tries < _TRIES:
        smaller = False
        for less in recipe.smaller():
            tries += 1
            found = Life(less, server, seeded).play()
            gc.collect()
            if found.broken:
                recipe, account, smaller = less, found, True
                break
            if tries == _TRIES:
                break
    return recipe, account


def play(seeds: Sequence[str], *, trace: bool) -> None:
    """Play the lives of these seeds."""
    with _ground() as (server, seeded):
        for number, seed in enumerate(seeds):
            recipe = recipe_of(seed)
            say = (lambda line: print(line, flush=True)) if trace else (lambda line: None)
            account = Life(recipe, server, seeded, say).play(dump=True)
            told: dict[str, Any] = dict(vars(account))
            told["moves"] = sorted(account.moves)
            told["dump"] = hashlib.sha256(account.dump.encode()).hexdigest()
            if account.broken and not trace:
                small, last = shrunk(recipe, server, seeded)
                told["shrunk"] = {"recipe": repr(small), "broken": last.broken}
            print(json.dumps(told), flush=True)
            if number % _COLLECTED == 0:
                gc.collect()


def hunted(name: str, seeds: Sequence[str], server: Server, seeded: Seeded) -> dict[str, Any]:
    """Play lives on a mutant until a promise is broken; tell after how many lives, and which.

    Args:
        name: of the mutant; "" is the engine as it is.

    Raises:
        NothingToMutate: there is no such mutant, or it finds nothing to replace.
    """
    patches = [patch for one in MUTANTS if one.name == name for patch in one.patches]
    if name and not patches:
        raise NothingToMutate(f"there is no mutant {name}")
    began, found, lives = SYSTEM.monotonic(), {"seed": "", "broken": ""}, 0
    with all_made(patches):
        while lives < len(seeds) and not found["broken"]:
            seed = seeds[lives]
            lives += 1
            broken = Life(hard_recipe_of(seed), server, seeded).play().broken
            # That a mutant ends with an error of its own is not the judge's finding.
            if broken.startswith(Broken.__name__) or (broken and not name):
                found = {"seed": seed, "broken": broken}
            if lives % _COLLECTED == 0:
                gc.collect()
    return {"name": name, "lives": lives, **found, "seconds": SYSTEM.monotonic() - began}


def hunt() -> None:
    """Hunt what each line of standard input names, in its seeds."""
    with _ground() as (server, seeded):
        for line in sys.stdin:
            given = json.loads(line)
            print(json.dumps(hunted(given["name"], given["seeds"], server, seeded)), flush=True)
            gc.collect()


if __name__ == "__main__":
    arguments = [one for one in sys.argv[1:] if not one.startswith("--")]
    try:
        if "--hunt" in sys.argv:
            hunt()
        else:
            play(arguments, trace="--trace" in sys.argv)
    except KeyboardInterrupt:
        sys.exit(130)
