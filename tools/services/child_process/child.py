"""Send a call from a child process, which cannot outlive the call's deadline.

What it sends goes to it through a pipe, never by its arguments or environment, which others can
read. It is left alone when this process dies: its deadline ends it, at most a budget later, and
to end it sooner would turn what it is doing into a doubt and make nothing safer.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daybook.state.effects.deadline import Deadline

_PROGRAM = str(Path(__file__).with_name("program.py"))

_GRACE_S = 0.5
"""How long after its deadline a child is left to the kernel; it sends nothing then."""


@dataclass(frozen=True)
class SenderSays:
    """What a sender told before it ended.

    Attributes:
        began: it may have sent something of the effect. It says so before it begins, in a pipe
            that outlives it, so one that was killed and had not said so had not begun.
        answer: what the provider answered, or None.
        why: names what there is instead of an answer.
    """

    began: bool
    answer: Mapping[str, Any] | None
    why: str


async def send_from_child(call: Mapping[str, Any], deadline: Deadline) -> SenderSays:
    """Run the sender (`daybook.tools.services.child_process.program`) on one call.

    Args:
        call: its protocol and what the protocol needs.
    """
    ends = deadline.clock.on_the_machine(deadline.at)
    try:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", _PROGRAM, repr(ends)),
            stdin=PIPE,
            stdout=PIPE,
            # A traceback may hold an address.
            stderr=DEVNULL,
            # Ctrl-C in the terminal is for us: it must not leave a doubt of what is being sent.
            start_new_session=True,
        )
    except OSError as error:
        return SenderSays(began=False, answer=None, why=type(error).__name__)
    # The kernel does it, unless the child never comes so far. At the same instant we would find the
    # child dead before asyncio does, which then warns of a child that it does not know.
    late = deadline.seconds + _GRACE_S
    guard = asyncio.get_running_loop().call_later(late, _kill, child)
    try:
        said, _ = await child.communicate(json.dumps(call).encode())
    finally:
        guard.cancel()
        if child.returncode is None:
            _kill(child)
            await child.communicate()
    return _told(said)


def _kill(child: Process) -> None:
    with suppress(ProcessLookupError):
        child.kill()


def _told(said: bytes) -> SenderSays:
    """Read what a sender said; its last line may be cut short."""
    lines = said.decode(errors="replace").split("\n")
    began = "sending" in lines
    try:
        answer = json.loads(lines[-2])
    except (IndexError, ValueError):
        return SenderSays(began, None, "its deadline passed")
    failed = answer.get("failed")
    return SenderSays(began, None, failed) if failed else SenderSays(began, answer, "")
