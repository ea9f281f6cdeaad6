"""A sender that the kernel kills at its deadline, in a process of its own."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import NotSent
from daybook.tools.services.child_process import child
from daybook.tools.services.child_process.child import SenderSays, send_from_child
from daybook.tools.services.http import HttpService
from tests.unit.http_server import says, serving
from tests.unit.tcp_server import tcp_server

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tools" / "services" / "child_process" / "program.py"

SOON, LATER = 1.0, 30.0
"""Seconds to a deadline that is waited for, and to one that must not come first."""

WITHOUT_A_KERNEL_TIMER = f"""
import sys
sys.path.insert(0, {str(PROGRAM.parent)!r})
import program
def _refused(deadline):
    raise OSError("no such timer")
program._kill_at = _refused
program.main()
"""

Start = Callable[..., subprocess.Popen[bytes]]


def call_to(url: str, body: str = "{}") -> dict[str, object]:
    """Make the call of posting a body to a server."""
    host, port = url.removeprefix("http://").split(":")
    return {
        "protocol": "http",
        "secure": False,
        "host": host,
        "address": host,
        "port": int(port),
        "method": "POST",
        "target": "/charges",
        "headers": [["Host", host], ["Content-Length", str(len(body))]],
        "body": body,
        "most": 1 << 20,
        "trust": {},
    }


@pytest.fixture
def start() -> Iterator[Start]:
    """Yield what starts a sender with a deadline; it has armed its timer when it is returned."""
    started = []

    def start(seconds: float, *program: str) -> subprocess.Popen[bytes]:
        what = program or (str(PROGRAM),)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", *what, repr(SYSTEM.monotonic() + seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"armed\n"
        return process

    yield start
    for process in started:
        process.kill()
        with suppress(BrokenPipeError):
            process.communicate()


def suspend(process: subprocess.Popen[bytes]) -> None:
    """Suspend a process, and wait until it is."""
    process.send_signal(signal.SIGSTOP)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)


async def given(process: subprocess.Popen[bytes], call: dict[str, object]) -> bytes:
    """Give a sender its call, and return what it says until it ends."""
    said, _ = await asyncio.to_thread(process.communicate, json.dumps(call).encode(), LATER)
    return said


async def test_a_suspended_sender_is_killed_at_its_deadline_while_it_is_suspended(start: Start):
    async with serving(says(200, {})) as served:
        sender = start(SOON)
        suspend(sender)
        # It has all it needs to send, were it to wake up.
        assert await given(sender, call_to(served.url)) == b""
        assert sender.returncode == -signal.SIGKILL
        assert served.requests == []


async def test_without_a_kernel_timer_a_suspended_sender_dies_before_it_does_anything(start):
    async with serving(says(200, {})) as served:
        sender = start(SOON, "-c", WITHOUT_A_KERNEL_TIMER)
        suspend(sender)
        saying = asyncio.create_task(given(sender, call_to(served.url)))
        while signal.SIGALRM not in pending(sender.pid):
            await SYSTEM.sleep(0.01)
        sender.send_signal(signal.SIGCONT)
        assert await saying == b""
        assert sender.returncode == -signal.SIGALRM
        assert served.requests == []


def pending(pid: int) -> set[int]:
    """Return the signals that wait for a process to be continued."""
    status = Path(f"/proc/{pid}/status").read_text()
    (mask,) = (line.split()[1] for line in status.splitlines() if line.startswith("ShdPnd"))
    return {number for number in range(1, 65) if int(mask, 16) >> (number - 1) & 1}


async def test_without_a_kernel_timer_it_sends_all_the_same(start: Start):
    async with serving(says(200, {"id": 1})) as served:
        sender = start(LATER, "-c", WITHOUT_A_KERNEL_TIMER)
        began, answer = (await given(sender, call_to(served.url))).splitlines()
    assert began == b"sending"
    assert json.loads(answer)["status"] == 200


async def test_one_that_starts_after_its_deadline_sends_nothing():
    async with serving(says(200, {})) as served:
        told = await send_from_child(
            call_to(served.url), Deadline(SYSTEM.monotonic() - 1, "kernel")
        )
        assert told == SenderSays(began=False, answer=None, why="its deadline passed")
        assert served.requests == []


async def test_one_that_was_killed_before_it_said_that_it_sends_has_not_sent():
    """It connects, and the handshake before the request is not answered."""
    heard: list[bytes] = []

    async def never_shakes_hands(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        heard.append(await reader.read())

    async with tcp_server(never_shakes_hands) as port:
        service = HttpService(f"https://127.0.0.1:{port}")
        deadline = Deadline(SYSTEM.monotonic() + SOON, "kernel")
        outcome = await service.post("/charges", {"amount": 5}, key="op/1", deadline=deadline)
        await service.close()
    assert outcome == NotSent("no connection (its deadline passed)")
    assert heard, "it came to the handshake"


async def test_what_the_kernel_has_in_hand_is_dropped_with_the_sender():
    """The service reads nothing until the sender is dead: what it reads then is not all."""
    body = "x" * 500_000
    dead = asyncio.Event()
    length = asyncio.get_running_loop().create_future()

    async def reads_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await dead.wait()
        writer.transport.resume_reading()  # type: ignore[attr-defined]
        count = 0
        with suppress(ConnectionResetError):
            while read := await reader.read(1 << 20):
                count += len(read)
        writer.close()
        length.set_result(count)

    # The service's side has room for some of it, the sender's for all the rest.
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 10_000)
        server = await asyncio.start_server(reads_late, sock=listening)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        told = await send_from_child(
            call_to(url, body), Deadline(SYSTEM.monotonic() + SOON, "kernel")
        )
        assert told.began
        dead.set()
        assert await length < len(body)
        server.close()
        await server.wait_closed()


def read(path: str) -> bytes:
    """Read a file of the machine's own."""
    return Path(path).read_bytes()


async def ended(reader: asyncio.StreamReader) -> bool:
    """Wait until the other side of a connection is gone."""
    with suppress(ConnectionResetError):
        return await reader.read() == b""
    return True


async def connected(
    begin: Callable[[str], Awaitable[None]], let_go: Callable[[], Awaitable[None]]
) -> None:
    """Let something begin a call, then let it go; wait until nobody is connected any more."""
    came, gone = asyncio.Event(), asyncio.Event()

    async def talk(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n{}")
        came.set()
        assert await ended(reader)
        gone.set()

    async with tcp_server(talk) as port, SYSTEM.timeout(LATER):
        await begin(f"http://127.0.0.1:{port}")
        await came.wait()
        await let_go()
        await gone.wait()


async def test_a_call_that_is_given_up_leaves_no_sender_behind():
    calls: list[asyncio.Task[SenderSays]] = []

    async def begin(url: str) -> None:
        deadline = Deadline(SYSTEM.monotonic() + LATER, "kernel")
        calls.append(asyncio.create_task(send_from_child(call_to(url), deadline)))

    async def give_up() -> None:
        calls[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await calls[0]

    await connected(begin, give_up)


PARENT = """
import asyncio, json, sys
from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline
from daybook.tools.services.child_process.child import send_from_child
call, seconds = json.loads(sys.argv[1]), float(sys.argv[2])
asyncio.run(send_from_child(call, Deadline(SYSTEM.monotonic() + seconds, "kernel")))
"""


async def test_a_sender_whose_parent_was_killed_is_gone_by_its_deadline():
    parents: list[asyncio.subprocess.Process] = []

    async def begin(url: str) -> None:
        arguments = (json.dumps(call_to(url)), "3")
        parents.append(
            await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, *arguments, cwd=ROOT)
        )

    async def kill() -> None:
        parents[0].kill()
        assert await parents[0].wait() == -signal.SIGKILL

    await connected(begin, kill)


async def test_what_is_sent_is_in_no_argument_and_in_no_variable(monkeypatch: pytest.MonkeyPatch):
    pids: list[int] = []
    start = asyncio.create_subprocess_exec

    async def watched(*args: str, **more: object) -> asyncio.subprocess.Process:
        process = await start(*args, **more)  # type: ignore[arg-type]
        pids.append(process.pid)
        return process

    monkeypatch.setattr(child.asyncio, "create_subprocess_exec", watched)
    came = asyncio.Event()

    async def is_asked(_: asyncio.StreamWriter) -> None:
        came.set()
        await asyncio.Event().wait()

    async with serving(is_asked) as served, SYSTEM.timeout(LATER):
        sending = asyncio.create_task(
            send_from_child(
                call_to(served.url, "secret"), Deadline(SYSTEM.monotonic() + LATER, "kernel")
            )
        )
        await came.wait()
        assert served.requests[0].endswith("secret")
        for shown in ("cmdline", "environ"):
            assert b"secret" not in read(f"/proc/{pids[0]}/{shown}")
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
