"""How a contender's program reaches what is outside: the same for all of them."""

from __future__ import annotations

import gc
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import httpx

Result = dict[str, Any]

Order = Mapping[str, Any]
"""What a program is told: `world` (a URL), `service`, `bound` (seconds), `run` (a name, by which an
operator goes on with it where `is_restart`), `database` (a URL), `home` (a folder), options."""


class Outside:
    """Reach the model, the shop and the person of one purchase."""

    def __init__(self, order: Order) -> None:
        self.run: str = order["run"]
        self.honours_keys = order["service"] == "keyed"
        self.bound: float = order["bound"]
        self._http = httpx.Client(base_url=order["world"], timeout=60, trust_env=False)

    def decide(self, results: list[Result]) -> Result:
        """Ask the model: `call` with name, args and id, or `answer`."""
        decided = self._post("/model", {"results": results})
        self._gate("replied, not recorded", "model")
        return decided

    def read(self, tool: str, args: Result) -> Result:
        """Search, or add to the cart."""
        return self._post("/read", {"tool": tool, **args})

    def perform(self, effect: str, args: Result, reference: str, key: str | None = None) -> Result:
        """Do an effect, and return its row with an `id`.

        Args:
            reference: by which it can be looked up.
            key: for a service that honours it.
        """
        self._gate("before the request", effect)
        headers = {"Idempotency-Key": key} if key else {}
        body = {"reference": reference, "args": args}
        done = self._post(f"/effects/{effect}", body, headers)
        self._gate("replied, not recorded", effect)
        return done

    def look(self, effect: str, reference: str) -> list[Result]:
        """Look an effect up, and return all rows that match."""
        found = self._http.get(f"/effects/{effect}", params={"reference": reference})
        matches: list[Result] = found.raise_for_status().json()["matches"]
        return matches

    def approve(self, effect: str) -> None:
        """Ask the person whether to do an effect; they always say yes."""
        self._post("/approve", {"effect": effect})

    def settle(self, effect: str) -> Result | None:
        """Ask the person whether an effect happened, and return its row if it did."""
        row: Result | None = self._post("/settle", {"effect": effect})["happened"]
        return row

    def _gate(self, point: str, about: str) -> None:
        self._post("/gate", {"point": point, "about": about})

    def _post(self, path: str, body: Result, headers: Mapping[str, str] | None = None) -> Result:
        answer = self._http.post(path, json=body, headers=headers)
        found: Result = answer.raise_for_status().json()
        return found


def serve(work: Callable[[Order], str]) -> None:
    """Be a contender's program: do each order, a line of JSON, in a process that is forked.

    Who it is is told before, and after it whether it was killed, and what it returned.

    Args:
        work: buys, or goes on buying, and returns what the model said last.
    """
    for order in map(json.loads, sys.stdin):
        answer = Path(order["home"]) / "answer"
        # Else the first collection in the new process touches, and so copies, everything.
        gc.freeze()
        if (pid := os.fork()) == 0:
            _do(work, order, answer)
        _tell({"pid": pid})
        _, status = os.waitpid(pid, 0)
        said = answer.read_text() if answer.exists() else ""
        _tell({"killed": os.WIFSIGNALED(status), "answer": said})


def _do(work: Callable[[Order], str], order: Order, answer: Path) -> NoReturn:
    try:
        answer.write_text(work(order))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(0)


def _tell(event: Result) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()
