"""Print what the searches visit, a line for each case; exit 1 where something does not hold."""

from __future__ import annotations

import sys

from daybook.state.clock import SYSTEM
from evals.protocol.cases import CASES, LARGER
from evals.protocol.promise import Promise
from evals.protocol.questions import Questions
from evals.protocol.search import Found, Searched, search


def main() -> int:
    """Search every case; the larger ones too where `--larger` is given."""
    larger = "--larger" in sys.argv[1:]
    cases: list[tuple[str, str, Searched]] = [
        (case.name, f"{max(case.attempts)} x {len(case.attempts)}", Promise(case))
        for case in (LARGER if larger else CASES)
    ]
    print(f"{'case':34}{'attempts':>9}{'states':>10}{'moves':>10}{'asking':>8}{'far':>5}{'s':>7}")
    wrong = [line(*case) for case in (*cases, ("questions", "-", Questions()))]
    return int(any(found.wrong for found in wrong))


def line(name: str, attempts: str, model: Searched) -> Found:
    """Search one case and print its line, and the trace of what does not hold."""
    began = SYSTEM.monotonic()
    found = search(model)
    took = SYSTEM.monotonic() - began
    counted = f"{found.states:10}{found.moves:10}{found.asking:8}{found.longest:5}{took:7.1f}"
    print(f"{name:34}{attempts:>9}{counted}", flush=True)
    if found.wrong:
        print(found)
    return found


if __name__ == "__main__":
    sys.exit(main())
