"""A process that plays lives one after the other, and writes what came of each as a line of JSON.

Run as `python -m evals.sim.player SEED...`, with PYTHONHASHSEED set: sets are in its order.
"""

from __future__ import annotations

import gc
import hashlib
import json
import signal
import sys
from typing import Any

from evals.sim.ground import senders, stage
from evals.sim.ground.server import Server, open_server
from evals.sim.lives.life import Account, Life
from evals.sim.lives.recipe import Recipe, recipe_of
from evals.sim.lives.shop import Seeded
from evals.sim.trades import at_merchants

_COLLECTED = 5
"""After how many lives their garbage is collected."""

_TRIES = 40
"""How many smaller lives are lived at most to find a small one that fails too."""


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


def main(seeds: list[str], trace: bool) -> None:
    """Play the lives of these seeds."""
    # The server and its data go even where this is told to stop.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    stage.set_up()
    senders.set_up()
    at_merchants.set_up()
    with open_server() as server:
        seeded = Seeded()
        gc.collect()
        # What is imported stays: each life's garbage is then collected in some milliseconds.
        gc.freeze()
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


if __name__ == "__main__":
    arguments = [one for one in sys.argv[1:] if one != "--trace"]
    try:
        main(arguments, "--trace" in sys.argv)
    except KeyboardInterrupt:
        sys.exit(130)
