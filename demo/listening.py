"""How a demo program listens, ends, and reports an invalid request."""

import asyncio
import contextlib
import gc
import json
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from typing import Any

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette


def run(what: str, serves: Coroutine[Any, Any, None]) -> int:
    """Run a program to its end; return the exit code."""
    gc.freeze()  # What is imported stays, and need not be looked through.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    try:
        asyncio.run(serves)
    except (OSError, RuntimeError) as error:
        sys.stderr.write(f"The {what} cannot run: {error}\n")
        return 1
    return 0


class HttpServer(uvicorn.Server):
    """Leave the signals alone: the program stops its servers itself, and ends with exit code 0."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def http_server(application: Starlette, **how: Any) -> HttpServer:
    """Make the server of an application; `how` is of `uvicorn.Config`."""
    return HttpServer(
        uvicorn.Config(
            application,
            loop="asyncio",
            lifespan="off",
            ws="none",
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=60,
            timeout_graceful_shutdown=5,
            **how,
        )
    )


@contextlib.asynccontextmanager
async def serving(
    http: HttpServer, listener: socket.socket
) -> AsyncIterator[Callable[[], Awaitable[Any]]]:
    """Serve for as long as the block runs; yield what waits for SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    stopping = asyncio.create_task(stop.wait())
    at_work = asyncio.create_task(http.serve(sockets=[listener]))
    yield lambda: asyncio.wait({at_work, stopping}, return_when=asyncio.FIRST_COMPLETED)
    http.should_exit = True
    await at_work


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections from here on; raise OSError when the port is taken.

    The protocol is named because asyncio switches Nagle's algorithm off only where it is; with
    it, every answer would wait 40 ms for a delayed acknowledgement.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener


def url_of(scheme: str, host: str, listener: socket.socket) -> str:
    """Return the URL of a socket that listens."""
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}://{named}:{listener.getsockname()[1]}"


def announce(**places: str) -> None:
    """Say on stdout where servers listen: the one line that whoever started this waits for."""
    sys.stdout.write(json.dumps(places) + "\n")
    sys.stdout.flush()


def fault_in(error: ValidationError) -> tuple[str, str]:
    """Return where a request is wrong, and why, without its own words."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return ".".join(str(part) for part in first["loc"]) or "body", first["msg"]
