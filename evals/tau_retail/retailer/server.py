"""The process: it listens, says where, and ends when it is told to."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from evals.tau_retail.retailer.application import application
from evals.tau_retail.retailer.base import Base
from evals.tau_retail.retailer.database import connect
from evals.tau_retail.retailer.worlds import Worlds


@dataclass(frozen=True)
class Options:
    """Say where the data are, where the retailer keeps its file, and where it listens.

    Attributes:
        port: 0 picks a free one.
    """

    data: Path
    db: Path
    host: str
    port: int


class _Server(uvicorn.Server):
    """End with exit code 0 when it is told to end: uvicorn would raise the signal again."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals that end it."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.handle_exit)
        yield


def serve(options: Options) -> None:
    """Serve until SIGTERM or SIGINT; one JSON line on stdout says where, once it listens.

    Raises:
        OSError: the port is taken, or a file cannot be read.
        RuntimeError: the file is of another version.
    """
    base = Base(options.data / "db.json")
    connection = connect(options.db)
    try:
        listener = _bound(options.host, options.port)
        config = uvicorn.Config(
            application(Worlds(connection, base)),
            lifespan="off",
            ws="none",
            log_level="warning",
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=60,
            timeout_graceful_shutdown=5,
        )
        url = f"http://{options.host}:{listener.getsockname()[1]}"
        sys.stdout.write(json.dumps({"url": url}) + "\n")
        sys.stdout.flush()
        _Server(config).run(sockets=[listener])
    finally:
        connection.close()


def _bound(host: str, port: int) -> socket.socket:
    # The protocol is named: only then asyncio switches off Nagle's algorithm, with which every
    # answer would wait for a delayed acknowledgement.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener
