"""Serve the graph with Aegra: several processes on one port and one Postgres, and a worker."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, urlencode

from psycopg.conninfo import conninfo_to_dict

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.server.dev_server import NO_TOKEN, OURS, check_place
from daybook.app.server.inside import ADDRESS
from daybook.graph.database import open_database_of
from daybook.graph.settings.environment import Settings
from daybook.state.errors import ConfigurationError, NotInstalled

_APP = "daybook.app.server.production.asgi:create_app"
_PAUSE_S = 1.0
_GRACE_S = 30
_SILENT_S = 30
"""A process that no longer answers is ended after this time; a busy machine must not cause that."""

_AEGRA = {
    "AUTH_TYPE": "custom",
    "LOG_LEVEL": "WARNING",
    "CRON_ENABLED": "false",
    # Done once, before they start.
    "RUN_MIGRATIONS_ON_STARTUP": "false",
    # Connections of one process: three and one of Aegra's, beside our own eight.
    "SQLALCHEMY_POOL_SIZE": "3",
    "SQLALCHEMY_MAX_OVERFLOW": "0",
    "LANGGRAPH_MIN_POOL_SIZE": "1",
    "LANGGRAPH_MAX_POOL_SIZE": "1",
    # Each client that waits for a run holds one.
    "REDIS_MAX_CONNECTIONS": "2000",
    # A run whose process died is begun again in another one after 20 to 25 seconds.
    "LEASE_DURATION_SECONDS": "20",
    "HEARTBEAT_INTERVAL_SECONDS": "5",
    "REAPER_INTERVAL_SECONDS": "5",
    "STUCK_PENDING_THRESHOLD_SECONDS": "60",
    # How often they are tried is told by our own list of what nobody finishes.
    "BG_JOB_MAX_RETRIES": "100",
    # More than work at a time (DAYBOOK_RUNS), so that the runs of one user leave places for others.
    # Each holds a lease, renewed through three connections: with 100, 500 people at four processes
    # got nothing done (`make load`).
    "WORKER_COUNT": "1",
    "N_JOBS_PER_WORKER": "25",
}
"""The settings of Aegra, unless the environment sets them."""


async def prepare(
    settings: Settings, terminal: Terminal, host: str, port: int, processes: int
) -> dict[str, str]:
    """Check what the server needs, and bring Aegra's tables to where its release needs them.

    Returns:
        The environment of its processes.

    Raises:
        ConfigurationError: something that it needs is not set or cannot be used.
        DaybookError: the database cannot be reached.
    """
    if find_spec("aegra_api") is None:
        raise NotInstalled("The production server", "production")
    if settings.database_url is None:
        raise ConfigurationError(
            "A production server needs a Postgres, but DATABASE_URL is not set. Nothing was "
            "started; set it."
        )
    if processes > 1 and settings.redis_url is None:
        raise ConfigurationError(
            f"{processes} processes need Redis to notify each other, but REDIS_URL is not set. "
            "Nothing was started; set it (Redis stores nothing permanently), or use one process."
        )
    domain = served_by(settings).domain
    async with open_database_of(domain, settings) as postgres:
        needs_tokens = await check_place(postgres, host, port)
    at = f"http://{'localhost' if host == '0.0.0.0' else host}:{port}"
    terminal.note(f"Serving {domain.name} in {processes} processes; Ctrl-C stops them.")
    terminal.note(f"  API       {at}")
    terminal.note(f"  Console   {at}/console")
    if not needs_tokens:
        terminal.warn(NO_TOKEN)
    told = {
        "AEGRA_CONFIG": str(_written(settings, domain.name)),
        "DAYBOOK_DATABASE_URL": settings.database_url,
        "DATABASE_URL": settings.aegra_database_url or _as_url(settings.database_url),
        ADDRESS: f"http://127.0.0.1:{port} {secrets.token_urlsafe(32)}",
    }
    if settings.redis_url is not None:
        told |= {"REDIS_BROKER_ENABLED": "true", "REDIS_URL": settings.redis_url}
    environment = {**_AEGRA, **os.environ, **told}
    _prepare_its_database(environment)
    return environment


def serve(
    environment: dict[str, str], host: str, port: int, processes: int, *, has_worker: bool
) -> None:
    """Serve until SIGINT or SIGTERM; what is in progress then is ended first."""
    import uvicorn

    worker = _Worker(environment) if has_worker else None
    os.environ.update(environment)
    try:
        uvicorn.run(
            _APP,
            factory=True,
            host=host,
            port=port,
            workers=processes,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=_GRACE_S,
            timeout_worker_healthcheck=_SILENT_S,
            # Whoever is in front says who calls; uvicorn believes those that this names.
            forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS"),
        )
    finally:
        if worker is not None:
            worker.end()


class _Worker:
    """A worker beside the server, started again when it ends."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = {**environment, "DATABASE_URL": environment["DAYBOOK_DATABASE_URL"]}
        self._is_over = threading.Event()
        self._process = self._started()
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def end(self) -> None:
        """End it as soon as what it does has ended."""
        self._is_over.set()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "daybook.app", "worker"]
        # Of a group of its own: Ctrl-C is the server's to pass on.
        return subprocess.Popen(command, env=self._environment, start_new_session=True)

    def _keep(self) -> None:
        while not self._is_over.is_set():
            self._process.wait()
            if not self._is_over.wait(_PAUSE_S):
                self._process = self._started()


def _prepare_its_database(environment: dict[str, str]) -> None:
    """Bring Aegra's tables to where its release needs them.

    Raises:
        ConfigurationError: that cannot be done.
    """
    command = [sys.executable, "-m", "daybook.app.server.production.asgi"]
    tried = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if tried.returncode:
        why = (tried.stderr.strip() or tried.stdout.strip()).splitlines() or ["it gave no reason"]
        raise ConfigurationError(
            f"The server's own tables cannot be created ({why[-1]}). Nothing was started; set "
            "AEGRA_DATABASE_URL to a database whose user may create tables in its schema public."
        )


def _as_url(conninfo: str) -> str:
    """Write connection parameters as a URL that both psycopg and SQLAlchemy read."""
    parts = {name: str(value) for name, value in conninfo_to_dict(conninfo).items()}
    user, password = quote(parts.pop("user", ""), safe=""), parts.pop("password", "")
    who = f"{user}:{quote(password, safe='')}" if password else user
    kept: dict[str, object] = {
        key: parts[key] for key in ("host", "port", "sslmode") if key in parts
    }
    # A socket is a path, which stands in no URL's place of a host.
    return f"postgresql://{who}@/{quote(parts['dbname'], safe='')}?{urlencode(kept, safe='/')}"


def _written(settings: Settings, graph: str) -> Path:
    """Write Aegra's configuration of the domain that is served."""
    to = settings.home / "serve" / "aegra" / f"{graph}.json"
    to.parent.mkdir(parents=True, exist_ok=True)
    http = {"app": "daybook.app.server.production.aegra:app", "cors": _cors()}
    says = {
        "graphs": {graph: f"{Path(__file__).with_name('aegra.py')}:graph"},
        "auth": {"path": "daybook.app.server.production.access:auth"},
        "http": http,
        "checkpointer": {"durability": "sync"},
    }
    to.write_text(json.dumps(says, indent=2))
    return to


def _cors() -> dict[str, object]:
    cors: dict[str, object] = dict(OURS["http"]["cors"])  # type: ignore[index]
    return {**cors, "expose_headers": ["content-location", "location", "retry-after"]}
