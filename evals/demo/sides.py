"""The two sides: each buys the same, is killed at the same point, and is started again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from daybook.graph.model.stand_in import NAME
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import VARIABLE, FaultPoint
from evals.model_server import Counted, calls_of
from evals.servers import clean_environment


@dataclass(frozen=True)
class Record:
    """A shop's own record of one side.

    Attributes:
        effects: every effect in order: `effect`, `reference`, `detail`, as `GET /effects` has it.
        holds_left: holds that still keep stock from others.
    """

    effects: list[Mapping[str, Any]]
    holds_left: int

    def count(self, effect: str) -> int:
        """Count the effects of a kind."""
        return sum(one["effect"] == effect for one in self.effects)

    @property
    def charged(self) -> int:
        """Add up what was charged and not refunded, in cents."""
        signs = {"charge": 1, "refund": -1}
        return sum(signs.get(o["effect"], 0) * o["detail"].get("amount", 0) for o in self.effects)


def record_of(shop_url: str) -> Record:
    """Read a shop's record."""
    with httpx.Client(base_url=shop_url, timeout=10, trust_env=False) as shop:
        effects = shop.get("/effects").raise_for_status().json()
        holds = [one["detail"]["hold_id"] for one in effects if one["effect"] == "reserve"]
        states = [shop.get(f"/holds/{one}").raise_for_status().json()["state"] for one in holds]
    return Record(effects, states.count("held"))


SKU, CARD, ADDRESS = "BOOT-013", "card_ada_1", "addr_ada_1"
THREAD = "demo"
WISH = f"Buy one {SKU} with {CARD} to {ADDRESS}. Mail me a confirmation."

Message = Mapping[str, Any]


def next_message(messages: Sequence[Message]) -> dict[str, Any]:
    """Decide what is done next for `WISH`: the first thing that has no result among the messages.

    The id of a call is new each time, as it is with every provider.
    """
    done = _results(messages)
    for name, arguments in _PLAN.items():
        if name not in done:
            return calls_of([(name, arguments(done))])
    order = done["place_order"]["order_id"]
    return {"role": "assistant", "content": f"Your order {order} is placed."}


def _results(messages: Sequence[Message]) -> dict[str, dict[str, Any]]:
    names = {
        call["id"]: call["function"]["name"]
        for message in messages
        for call in message.get("tool_calls") or ()
    }
    return {
        names[message["tool_call_id"]]: json.loads(message["content"])
        for message in messages
        if message["role"] == "tool"
    }


_PLAN: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "get_product": lambda done: {"sku": SKU},
    "reserve_inventory": lambda done: {"sku": SKU, "quantity": 1},
    "charge_payment": lambda done: {
        "card_id": CARD,
        "amount": done["get_product"]["price"],
        "currency": done["get_product"]["currency"],
    },
    "place_order": lambda done: {
        "hold_ids": [done["reserve_inventory"]["hold_id"]],
        "charge_id": done["charge_payment"]["charge_id"],
        "address_id": ADDRESS,
    },
    "send_email": lambda done: {
        "subject": f"Your order {done['place_order']['order_id']}",
        "body": "Thank you for your order.",
    },
}


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        code: its exit code; the negative number of the signal that killed it.
        at: UTC.
        output: all that it wrote, line by line.
    """

    pid: int
    code: int
    at: datetime
    output: list[str]


def run(
    command: Sequence[str],
    environment: Mapping[str, str],
    said: Sequence[str],
    hear: Callable[[str], None],
) -> Ended:
    """Run a Python module to its end.

    Args:
        command: the module and its arguments.
        said: lines of its standard input, which ends after them.
        hear: told each line as it is written, standard error included.
    """
    output = []
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("".join(f"{line}\n" for line in said))
            process.stdin.close()
            for line in process.stdout:
                output.append(line.rstrip())
                hear(line.rstrip())
        except BaseException:
            process.kill()
            raise
    return Ended(process.pid, process.returncode, SYSTEM.now(), output)


_DIE = {VARIABLE: f"{FaultPoint.AFTER_REPLY.value}:charge_payment"}
"""The process kills itself when the reply to the charge has come, before anything notes it."""

_DIES = f"{VARIABLE}={_DIE[VARIABLE]}"

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

    @property
    def is_finished(self) -> bool:
        """Tell whether the order was placed when it was started again."""
        return self.finished.code == 0 and self.record.count("order") > 0


def daybook(home: Path, shop_url: str, model: Counted, tell: Hear) -> Side:
    """Buy with `daybook chat`; the second time nothing is said to it."""
    command = ["daybook.app", "chat", "--yes", "--thread", THREAD]
    settings = {"DAYBOOK_HOME": str(home), "OPENAI_BASE_URL": model.url, "OPENAI_MODEL": NAME}

    def hear(line: str) -> None:
        if line.startswith(_TOLD):
            tell(line)

    def start(said: Sequence[str], **died: str) -> Ended:
        environment = clean_environment(**settings, **died)
        return run(command, environment, said, hear)

    tell(f"$ {_DIES} daybook chat --yes --thread {THREAD}")
    killed = start([f"add {SKU}", "check out"], **_DIE)
    tell(f"! SIGKILL (process {killed.pid}). The card is charged; the ledger holds the attempt.")
    before = model.calls
    tell(f"$ daybook chat --yes --thread {THREAD} </dev/null")
    return _side(killed, before, start([]), model, shop_url, tell)


_TOLD = ("> ", "  ... ", "Approval needed", "Approved", "Continuing", "Looking", "Your order")


def loop(folder: Path, shop: tuple[str, str], model: Counted, tell: Hear) -> Side:
    """Buy with the loop over a message list; its file of messages is all that it has."""
    shop_url, smtp_url = shop
    where = ["--model", model.url, "--shop", shop_url, "--smtp", smtp_url]
    command = ["evals.naive", *where, "--messages", str(folder / "messages.json"), WISH]

    def hear(line: str) -> None:
        tell(f"  ... {line}" if "(" in line else line)

    def start(**died: str) -> Ended:
        return run(command, clean_environment(**died), [], hear)

    tell(f'$ {_DIES} python -m evals.naive ... "{WISH}"')
    killed = start(**_DIE)
    tell(f"! SIGKILL (process {killed.pid}). The card is charged; its result was not saved.")
    before = model.calls
    tell("$ python -m evals.naive ...")
    return _side(killed, before, start(), model, shop_url, tell)


def _side(
    killed: Ended, before: int, finished: Ended, model: Counted, shop_url: str, tell: Hear
) -> Side:
    for ended in (killed, finished):
        if ended.code not in (0, -signal.SIGKILL):
            tell("\n".join(ended.output[-20:]))
            tell(f"! process {ended.pid} ended with exit code {ended.code}")
    return Side(killed, finished, before, model.calls, model.repeated, record_of(shop_url))


def judge(daybook: Side, loop: Side, charge: Sequence[Mapping[str, Any]]) -> Mapping[str, bool]:
    """Tell of each thing that the demo says whether it is so.

    Args:
        charge: the entries of Daybook's ledger about the charge, in order.
    """
    ours, theirs = daybook.record, loop.record
    events = [entry["event"] for entry in charge]
    return {
        "Both were killed by SIGKILL after the charge, and finished after a "
        "restart": daybook.killed.code == loop.killed.code == -signal.SIGKILL
        and daybook.finished.code == loop.finished.code == 0,
        "Daybook charged once, ordered once, mailed once, and holds no stock": ours.holds_left == 0
        and [one["effect"] for one in ours.effects] == ["reserve", "charge", "order", "mail"],
        "Its ledger held intent and attempt before the kill; then the charge was looked up by its "
        "key, and not sent again": events == ["intended", "attempted", "found"]
        and charge[1]["at"] < daybook.killed.at < charge[2]["at"],
        "Recovery did not call the model; it was called once more, for the final message": (
            daybook.repeated == 0 and daybook.calls == daybook.calls_before + 1
        ),
        "The loop also ordered once, but charged twice": theirs.count("charge") == 2
        and theirs.count("order") == 1,
    }
