"""The two sides: each buys the same, is killed at the same point, and is started again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from daybook.graph.model.stand_in import NAME
from daybook.state.fault_points import VARIABLE, FaultPoint
from evals.demo.policy import wish
from evals.demo.processes import Ended, clean_environment, run
from evals.demo.record import Record, record_of
from evals.model_server import Counted

SKU, CARD, ADDRESS = "BOOT-013", "card_ada_1", "addr_ada_1"
THREAD = "demo"

_DIE = {VARIABLE: f"{FaultPoint.AFTER_REPLY.value}:charge_payment"}
"""The process kills itself when the reply to the charge has come, before anything notes it."""

Hear = Callable[[str], None]


@dataclass(frozen=True)
class Side:
    """What one side came to.

    Attributes:
        calls_before: how often its model had been asked when it was killed.
        calls, repeated: how often it was asked in all, and of these what it had answered before.
    """

    killed: Ended
    finished: Ended
    calls_before: int
    calls: int
    repeated: int
    record: Record


def daybook(home: Path, shop_url: str, model: Counted, tell: Hear) -> Side:
    """Buy with `daybook chat`; the second time nothing is said to it."""
    command = ["daybook.app", "chat", "--yes", "--thread", THREAD]
    settings = clean_environment(
        DAYBOOK_HOME=str(home), OPENAI_BASE_URL=model.url, OPENAI_MODEL=NAME
    )

    def hear(line: str) -> None:
        if line.startswith(_TOLD):
            tell(line)

    tell(f"$ {VARIABLE}={_DIE[VARIABLE]} daybook chat --yes --thread {THREAD}")
    killed = run(command, {**settings, **_DIE}, [f"add {SKU}", "check out"], hear)
    _tell_end(killed, "the ledger holds the attempt", tell)
    before = model.calls
    tell(f"$ daybook chat --yes --thread {THREAD} </dev/null")
    finished = run(command, settings, [], hear)
    _tell_end(finished, "", tell)
    return Side(killed, finished, before, model.calls, model.repeated, record_of(shop_url))


_TOLD = ("> ", "  ... ", "Approval needed", "Approved", "Continuing", "Looking", "Your order")


def loop(folder: Path, shop: tuple[str, str], model: Counted, tell: Hear) -> Side:
    """Buy with the loop over a message list; its file of messages is all that it has."""
    shop_url, smtp_url = shop
    where = ["--model", model.url, "--shop", shop_url, "--smtp", smtp_url]
    command = ["evals.naive", *where, "--messages", str(folder / "messages.json")]
    said = wish(SKU, CARD, ADDRESS)

    def hear(line: str) -> None:
        tell(f"  ... {line}" if "(" in line else line)

    tell(f'$ {VARIABLE}={_DIE[VARIABLE]} python -m evals.naive ... "{said}"')
    killed = run([*command, said], clean_environment(**_DIE), [], hear)
    _tell_end(killed, "nothing is saved of it", tell)
    before = model.calls
    tell("$ python -m evals.naive ...")
    finished = run([*command, said], clean_environment(), [], hear)
    _tell_end(finished, "", tell)
    return Side(killed, finished, before, model.calls, model.repeated, record_of(shop_url))


def _tell_end(ended: Ended, left: str, tell: Hear) -> None:
    if ended.was_killed:
        tell(f"! SIGKILL (process {ended.pid}). The card is charged; {left}.")
        return
    if ended.code != 0:
        for line in ended.output[-20:]:
            tell(line)
        tell(f"! process {ended.pid} ended with exit code {ended.code}")
