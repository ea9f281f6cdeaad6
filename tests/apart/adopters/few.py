"""Run every so manieth cell of each row of a crash matrix: `-p few` of pytest; `EVERY` says which.

An adopter's process loads it. Run as a module it is `python -m daybook.testing`.
"""

import os
import runpy
from collections import defaultdict
from collections.abc import Iterable

from daybook.testing.cells import Cell
from daybook.testing.matrix import Matrix
from daybook.testing.report import row_of

_whole = Matrix.run


async def _run(self: Matrix, wanted: Iterable[Cell]) -> None:
    rows: dict[tuple[str, ...], list[Cell]] = defaultdict(list)
    for cell in wanted:
        rows[cell.provider, cell.script, row_of(cell)].append(cell)
    every = int(os.environ["EVERY"])
    await _whole(self, [cell for row in rows.values() for cell in row[::every]])


Matrix.run = _run  # type: ignore[method-assign]

if __name__ == "__main__":
    runpy.run_module("daybook.testing", run_name="__main__")
