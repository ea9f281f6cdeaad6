import asyncio
import contextlib
import json
import signal
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from daybook.shop.application import application
from daybook.shop.connection import LineProtocol
from daybook.shop.database import Database
from daybook.shop.post_office import reception
from daybook.shop.products import searchable
from daybook.shop.search import Search
from daybook.shop.settings import initial
from daybook.shop.world import World


@dataclass(frozen=True)
class Options:
    """Say where the shop listens and where it keeps its file; port 0 picks a free one."""

    host: str
    port: int
    smtp_port: int
    db: Path
    ignore_keys: bool


class HttpServer(uvicorn.Server):
    """Leave the signals alone: the shop has two servers to stop, and ends with exit code 0."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


async def serve(options: Options) -> None:
    """Serve HTTP and SMTP until SIGTERM or SIGINT.

    One JSON line on stdout says where, once both listen. Raises OSError when a port is taken and
    RuntimeError when the file is another schema's.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    database = Database(options.db)
    await database.open()
    try:
        settings = initial(options.ignore_keys)
        search = Search(await database.transact(searchable))
        await listen(options, World(database, search, settings, settings), stop)
    finally:
        await database.close()


async def listen(options: Options, world: World, stop: asyncio.Event) -> None:
    """Open both servers, say where they are and close them when `stop` is set."""
    loop = asyncio.get_running_loop()
    http_socket = bound(options.host, options.port)
    smtp_socket = bound(options.host, options.smtp_port)
    smtp = await loop.create_server(lambda: reception(world), sock=smtp_socket)
    http = HttpServer(
        uvicorn.Config(
            application(world),
            http=LineProtocol,
            loop="asyncio",
            lifespan="off",
            ws="none",
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=60,
            timeout_graceful_shutdown=5,
        )
    )
    announce(options.host, http_socket, smtp_socket)
    serving = asyncio.create_task(http.serve(sockets=[http_socket]))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    # Whoever waits in a fault is let go, without an effect, so that the servers can close.
    world.ended.set()
    smtp.close()
    http.should_exit = True
    await serving


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


def announce(host: str, http: socket.socket, smtp: socket.socket) -> None:
    """Say on stdout where the servers listen: the one line that whoever started this waits for."""
    place = f"[{host}]" if ":" in host else host
    line = {
        "shop_url": f"http://{place}:{http.getsockname()[1]}",
        "smtp_url": f"smtp://{place}:{smtp.getsockname()[1]}",
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
