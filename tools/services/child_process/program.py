"""Send one call, in a child process that the kernel kills at the call's deadline.

Run as `python -I -S program.py DEADLINE`, in seconds of CLOCK_BOOTTIME. The call is read from
standard input, to its end, and what came of it is written to standard output, in lines:

    armed      the timer runs: from now on the process cannot outlive its deadline
    sending    nothing of the effect was sent before this line; whatever comes after may have been
    {...}      the answer, or `{"failed": NAME}`

A sender that was suspended must not be able to wake up and send late. So the timer comes before
anything else, it is the kernel's, it counts the time during which process or machine are suspended,
and its signal is the one that a stopped process obeys too.

Where there is no such timer (not on Linux, or where a sandbox refuses it), an interval timer ends
the process with SIGALRM. A stopped process gets that as soon as it is continued, before it runs
any code of its own; but while the machine sleeps the timer may stand still, and what was being sent
then may go out later by as much. And nobody inside a virtual machine sees that it is held from
outside.

It uses the standard library alone and imports late, so that it starts in some 40 ms. It knows
nothing of ours: in isolated mode nothing of ours can be imported.
"""

from __future__ import annotations

import os
import signal
import sys
import time

# As `typing` says it; what takes time to import is imported when the timer runs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from typing import Any

_CLOCK_BOOTTIME, _TIMER_ABSTIME, _SIGEV_SIGNAL = 7, 1, 0


def main() -> None:
    """Arm the timer, read the call, send it once, and say the outcome."""
    deadline = float(sys.argv[1])
    _arm(deadline)
    _say("armed")
    import json

    try:
        call = json.loads(sys.stdin.buffer.read())
        protocols: dict[str, Callable[..., dict[str, Any]]] = {"http": _http, "smtp": _smtp}
        answer = protocols[call.pop("protocol")](deadline=deadline, **call)
    except Exception as error:
        # The name alone: what a server says may hold an address.
        answer = {"failed": type(error).__name__}
        if why := getattr(error, "verify_message", ""):
            answer["failed"] = f"the certificate of {call['host']} is not trusted: {why}"
    _say(json.dumps(answer))


def _say(line: str) -> None:
    """Write a line at once; what is in the pipe outlives this process."""
    left = f"{line}\n".encode()
    while left:
        left = left[os.write(1, left) :]


# -- the deadline ---------------------------------------------------------------------------------


def _arm(deadline: float) -> None:
    """Have the kernel end this process at its deadline."""
    try:
        _kill_at(deadline)
    except (ImportError, AttributeError, OSError):
        _alarm_at(deadline)
    _still_in_time(deadline)


def _still_in_time(deadline: float) -> None:
    """End here if the time is over: a timer that is set late may need a moment to fire."""
    if _clock() >= deadline:
        os._exit(1)


def _clock() -> float:
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _kill_at(deadline: float) -> None:
    """Set a timer on CLOCK_BOOTTIME that sends SIGKILL.

    Raises:
        ImportError, AttributeError, OSError: there is no such timer here.
    """
    import ctypes
    import struct

    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "timer_create"):
        # Before glibc 2.34 timers stood in a library of their own.
        libc = ctypes.CDLL("librt.so.1", use_errno=True)
    timer = ctypes.c_void_p()
    # struct sigevent: a value, the signal, how it is told, and room up to 64 bytes.
    event = struct.pack("Pii", 0, signal.SIGKILL, _SIGEV_SIGNAL).ljust(64, b"\0")
    if libc.timer_create(_CLOCK_BOOTTIME, event, ctypes.byref(timer)) != 0:
        raise OSError(ctypes.get_errno(), "timer_create")
    # struct itimerspec: no interval, and the moment.
    at = struct.pack("llll", 0, 0, *divmod(max(int(deadline * 1e9), 1), 1_000_000_000))
    if libc.timer_settime(timer, _TIMER_ABSTIME, at, None) != 0:
        raise OSError(ctypes.get_errno(), "timer_settime")


def _alarm_at(deadline: float) -> None:
    """Set an interval timer whose signal ends the process, whatever it inherited."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    left, late = 0.0, 1.0
    while late > 0.001:
        # The interval is counted from its setting: one that was set after a suspension is late.
        _still_in_time(deadline)
        left = deadline - _clock()
        signal.setitimer(signal.ITIMER_REAL, left)
        late = _clock() + left - deadline


# -- the protocols --------------------------------------------------------------------------------


def _begin(deadline: float, sock: socket.socket) -> None:
    """Say that the effect is being sent from now on."""
    _still_in_time(deadline)
    # Else the kernel would go on sending what it has buffered for a process that it has killed.
    _linger(sock, dropping=1)
    _say("sending")


def _linger(sock: socket.socket, *, dropping: int) -> None:
    """Say whether what is not sent when the connection ends is dropped (1) or sent (0)."""
    import struct
    from socket import SO_LINGER, SOL_SOCKET

    sock.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", dropping, 0))


def _http(
    *,
    deadline: float,
    secure: bool,
    host: str,
    address: str,
    port: int,
    method: str,
    target: str,
    headers: list[list[str]],
    body: str,
    most: int,
    trust: dict[str, str],
) -> dict[str, Any]:
    """Send a body (text of bytes, latin-1) and return status, headers and body of the answer.

    Args:
        address: of the host, where it was looked up already; else the host.
        most: bytes of the answer; one more is read where there is more, and no further.
        trust: where the authorities stand that a secure server is checked by.
    """
    import http.client
    import socket
    from contextlib import suppress

    connection = http.client.HTTPConnection(host, port)
    sock = socket.create_connection((address, port))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if secure:
        import ssl

        context = ssl.create_default_context(cafile=trust.get("cafile"), capath=trust.get("capath"))
        sock = context.wrap_socket(sock, server_hostname=host)
    connection.sock = sock
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    _begin(deadline, sock)
    # A server that refuses may answer and close before it has read all.
    with suppress(OSError):
        connection.endheaders(body.encode("latin-1"))
    answer = connection.getresponse()
    _linger(sock, dropping=0)
    content = answer.read(most + 1)
    if len(content) <= most and answer.length:
        raise http.client.IncompleteRead(b"", answer.length)
    return {
        "status": answer.status,
        "headers": answer.getheaders(),
        "body": content.decode("latin-1"),
    }


def _smtp(
    *, deadline: float, host: str, port: int, sender: str, to: str, message: str
) -> dict[str, Any]:
    """Send a mail (text of bytes, latin-1) and return the code that it ended with.

    `taken`: it is the reply to the whole mail; another code may be the reply to its announcement.
    """
    import smtplib

    try:
        server = smtplib.SMTP(host, port)
        assert server.sock is not None
        server.ehlo_or_helo_if_needed()
        if server.has_extn("starttls"):
            import ssl

            server.starttls(context=ssl.create_default_context())
            server.ehlo_or_helo_if_needed()
        for code, accepted in ((server.mail(sender)[0], (250,)), (server.rcpt(to)[0], (250, 251))):
            if code not in accepted:
                return {"code": code, "taken": False}
        _begin(deadline, server.sock)
        code, _ = server.data(message.encode("latin-1"))
    except smtplib.SMTPResponseException as reply:
        return {"code": reply.smtp_code, "taken": False}
    if server.sock is not None:
        _linger(server.sock, dropping=0)
    return {"code": code, "taken": True}


if __name__ == "__main__":
    main()
