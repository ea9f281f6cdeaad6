"""Run the demo: `daybook demo`, or `python -m evals.demo`."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import httpx

from daybook import DaybookError
from daybook.domain import embedded_postgres, settings_from
from daybook.graph.database import open_database
from daybook.graph.model.stand_in import keep_stand_in
from daybook.graph.shop.resources import keep_shop
from daybook.tools.shop.domain import SHOP
from evals.demo.screen import Screen
from evals.demo.sides import THREAD, daybook, judge, loop, next_message
from evals.model_server import Model, serving

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> int:
    """Show one purchase that is killed after its charge, by both sides.

    Returns:
        0 where what it shows is as promised, 1 where it is not, 130 where it was interrupted.
    """
    screen = Screen()
    for one in _SIGNALS:
        signal.signal(one, _interrupt)
    try:
        with tempfile.TemporaryDirectory(prefix="daybook-demo-") as folder:
            return _show(Path(folder), screen)
    except KeyboardInterrupt:
        print("\nInterrupted. What the demo had started was stopped and removed.", file=sys.stderr)
        return 130
    except DaybookError as error:
        print(error, file=sys.stderr)
        return 1


def _show(folder: Path, screen: Screen) -> int:
    home = folder / "daybook"
    screen.title(
        "One purchase, killed right after the card was charged, then resumed.",
        f"Postgres, two shops with mail servers and both models run below {folder}: real "
        "processes, real kills. The folder is removed at the end.",
    )
    with (
        _stand_in(home) as stand_in,
        serving({"daybook": stand_in, "loop": _looping}) as models,
        embedded_postgres(home),
        keep_shop(home) as shop,
        keep_shop(folder / "loop") as other_shop,
    ):
        screen.part("1. Daybook")
        ours = daybook(home, shop.answer[0], models["daybook"], screen.tell)
        screen.part("2. A loop over a message list, saved after each step (evals/naive.py)")
        theirs = loop(folder, other_shop.answer, models["loop"], screen.tell)
        entries = asyncio.run(_charge(home))
    screen.part("3. Side by side")
    screen.sides(ours, theirs)
    screen.part("4. What Daybook's ledger holds about the charge")
    screen.charge(entries, ours.killed.at)
    screen.part("5. What the shops recorded")
    screen.records(ours.record, theirs.record)
    screen.part("6. As promised?")
    claims = judge(ours, theirs, entries)
    screen.verdict(claims)
    return 0 if all(claims.values()) else 1


def _looping(request: Mapping[str, Any]) -> dict[str, Any]:
    return next_message(request["messages"])


@contextmanager
def _stand_in(home: Path) -> Iterator[Model]:
    """Keep the shop's stand-in below `home`, and yield what asks it.

    Raises:
        KeeperError: it did not start.
    """
    with (
        keep_stand_in(home, SHOP.stand_in) as kept,
        httpx.Client(base_url=kept.answer, trust_env=False) as http,
    ):

        def asked(request: Mapping[str, Any]) -> dict[str, Any]:
            whole = {**request, "stream": False}
            answer = http.post("chat/completions", json=whole).raise_for_status()
            message: dict[str, Any] = answer.json()["choices"][0]["message"]
            return message

        yield asked


async def _charge(home: Path) -> list[Any]:
    """Read the ledger's entries about the charge; its chain must verify.

    Raises:
        ChainBroken: it does not.
    """
    async with open_database(settings_from({"DAYBOOK_HOME": str(home)})) as postgres:
        await postgres.ledger.verify(THREAD)
        rows = await postgres.ledger.stored(THREAD)
    return [row for row in rows if row["op"] and row["op"].endswith("/charge")]


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Stop, and let nothing stop the cleaning up: neither a second Ctrl-C nor a closed terminal."""
    for one in _SIGNALS:
        signal.signal(one, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
